#include "compiler/ir/asserted.h"

#include "compiler/ir/scalar.h"

// The number between braces at `text`, and how long that is; 0: there is none.
static size_t read_index(mr_str text, size_t *out_index) {
  size_t at = 1;
  *out_index = 0;
  while (at < text.size && text.data[at] >= '0' && text.data[at] <= '9' && *out_index < MR_ASSERTION_VALUES) {
    *out_index = *out_index * 10 + (size_t)(text.data[at++] - '0');
  }
  return at > 1 && at < text.size && text.data[at] == '}' ? at + 1 : 0;
}

mr_status mr_assertion_error(mr_str text, const mr_dtype *dtypes, const void *const *values, size_t num_values) {
  mr_text out = {0};
  for (size_t at = 0; at < text.size;) {
    mr_str rest = {text.data + at, text.size - at};
    size_t index = 0, size = rest.data[0] == '{' ? read_index(rest, &index) : 0;
    if (size && index < num_values && values[index]) {
      mr_text_put(&out, "%lld", (long long)mr_scalar_to_int(dtypes[index], values[index]));
      at += size;
    } else {
      mr_text_append(&out, (mr_str){rest.data, 1});
      at++;
    }
  }
  mr_status status = mr_error(MR_INVALID_ARGUMENT, "%.*s", (int)out.size, out.data ? out.data : "");
  mr_text_deinit(&out);
  return status;
}

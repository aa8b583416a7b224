#include "pjrt/abi/named_value.h"

#include <errno.h>
#include <stdlib.h>

static mr_status parse_int(const PJRT_NamedValue *value, int64_t *out_value) {
  char text[32];
  if (value->value_size == 0 || value->value_size >= sizeof text) {
    return mr_error(MR_INVALID_ARGUMENT, "option '%.*s' has a value of %zu characters, wanted an integer",
                    MR_STR_ARG(mr_pjrt_value_name(value)), value->value_size);
  }
  memcpy(text, value->string_value, value->value_size);
  text[value->value_size] = 0;
  char *end;
  errno = 0;
  *out_value = strtoll(text, &end, 10);
  if (errno || *end) {
    return mr_error(MR_INVALID_ARGUMENT, "option '%.*s' is '%s', wanted an integer",
                    MR_STR_ARG(mr_pjrt_value_name(value)), text);
  }
  return MR_OK;
}

mr_status mr_pjrt_value_as_int(const PJRT_NamedValue *value, int64_t min, int64_t max, int64_t *out_value) {
  if (value->type == PJRT_NamedValue_kInt64) {
    *out_value = value->int64_value;
  } else if (value->type == PJRT_NamedValue_kString) {
    MR_TRY(parse_int(value, out_value));
  } else {
    return mr_error(MR_INVALID_ARGUMENT, "option '%.*s' has type %d, wanted an integer",
                    MR_STR_ARG(mr_pjrt_value_name(value)), (int)value->type);
  }
  if (*out_value < min || *out_value > max) {
    return mr_error(MR_INVALID_ARGUMENT, "option '%.*s' is %lld, wanted %lld to %lld",
                    MR_STR_ARG(mr_pjrt_value_name(value)), (long long)*out_value, (long long)min, (long long)max);
  }
  return MR_OK;
}

mr_status mr_pjrt_value_as_string(const PJRT_NamedValue *value, mr_str *out_value) {
  if (value->type != PJRT_NamedValue_kString) {
    return mr_error(MR_INVALID_ARGUMENT, "option '%.*s' has type %d, wanted a string",
                    MR_STR_ARG(mr_pjrt_value_name(value)), (int)value->type);
  }
  *out_value = (mr_str){value->string_value, value->value_size};
  return MR_OK;
}

#include "tools/npy.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

// ---- Files and little-endian numbers --------------------------------------------------------------------------------

void *npy_slurp(const char *path, size_t *out_size) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    return NULL;
  }
  char *data = NULL;
  size_t size = 0, capacity = 1 << 16, got;
  do {
    char *bigger = realloc(data, capacity + 1);
    got = bigger ? fread(bigger + size, 1, capacity - size, file) : 0;
    data = bigger ? bigger : data;
    size += got;
    capacity *= size == capacity ? 2 : 1;
    if (!bigger || ferror(file)) {
      fprintf(stderr, "%s: cannot be read after %zu bytes: %s\n", path, size, strerror(bigger ? errno : ENOMEM));
      free(data);
      fclose(file);
      return NULL;
    }
  } while (got);
  fclose(file);
  data[size] = '\0';
  *out_size = size;
  return data;
}

// A piece of a file; every read is bounded by it.
typedef struct bytes {
  const unsigned char *data;
  size_t size;
} bytes;

static uint32_t le(const unsigned char *at, size_t width) {
  uint32_t value = 0;
  for (size_t i = 0; i < width; i++) {
    value |= (uint32_t)at[i] << (8 * i);
  }
  return value;
}

static size_t le64(const unsigned char *at) { return le(at, 4) | (size_t)le(at + 4, 4) << 32; }

static bool sub(bytes whole, size_t offset, size_t size, bytes *out_piece) {
  if (offset > whole.size || size > whole.size - offset) {
    return false;
  }
  *out_piece = (bytes){whole.data + offset, size};
  return true;
}

// ---- One array ------------------------------------------------------------------------------------------------------

// The value behind 'key': in the header, which is the text of a Python dictionary.
static const char *header_value(const char *header, const char *key) {
  const char *at = strstr(header, key);
  if (!at) {
    return NULL;
  }
  at += strlen(key);
  while (*at == ' ' || *at == ':' || *at == '\'' || *at == '"') {
    at++;
  }
  return at;
}

static bool parse_shape(const char *at, npy_array *array) {
  if (!at || *at != '(') {
    return false;
  }
  for (at++; *at != ')'; array->rank++) {
    char *end = NULL;
    errno = 0;
    long long dim = strtoll(at, &end, 10);
    if (end == at || errno || dim < 0 || array->rank == NPY_MAX_RANK) {
      return false;
    }
    array->dims[array->rank] = dim;
    at = end;
    while (*at == ',' || *at == ' ') {
      at++;
    }
  }
  return true;
}

static bool set_strides(npy_array *array, bool fortran) {
  int64_t stride = (int64_t)array->item_bytes;
  bool empty = false;
  for (size_t i = 0; i < array->rank; i++) {
    empty |= array->dims[i] == 0;
  }
  for (size_t i = 0; i < array->rank; i++) {
    size_t dim = fortran ? i : array->rank - 1 - i;
    array->byte_strides[dim] = stride;
    if (!empty && __builtin_mul_overflow(stride, array->dims[dim], &stride)) {
      return false;
    }
  }
  array->bytes = empty ? 0 : (size_t)stride;
  return true;
}

static bool parse_header(const char *header, npy_array *array) {
  const char *descr = header_value(header, "'descr'");
  const char *order = header_value(header, "'fortran_order'");
  if (!descr || !order || (*descr != '<' && *descr != '|')) {
    return false;
  }
  array->kind = descr[1];
  array->item_bytes = strtoul(descr + 2, NULL, 10);
  if (!strchr("biufcV", array->kind) || array->item_bytes == 0 || array->item_bytes > 16) {
    return false;
  }
  return parse_shape(header_value(header, "'shape'"), array) && set_strides(array, strncmp(order, "True", 4) == 0);
}

static bool parse_array(bytes file, npy_array *array) {
  static const unsigned char magic[] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
  if (file.size < 12 || memcmp(file.data, magic, sizeof magic) != 0) {
    return false;
  }
  size_t width = file.data[6] == 1 ? 2 : 4, start = 8 + width;
  size_t header_size = le(file.data + 8, width);
  bytes header, content;
  if (!sub(file, start, header_size, &header)) {
    return false;
  }
  char *text = strndup((const char *)header.data, header.size);
  bool ok = text && parse_header(text, array);
  free(text);
  if (!ok || !sub(file, start + header_size, array->bytes, &content)) {
    return false;
  }
  array->data = malloc(content.size ? content.size : 1);
  if (array->data) {
    memcpy(array->data, content.data, content.size);
  }
  return array->data != NULL;
}

static npy_array *list_add(npy_list *list) {
  if (list->size == list->capacity) {
    size_t capacity = list->capacity ? list->capacity * 2 : 8;
    npy_array *arrays = realloc(list->arrays, capacity * sizeof *arrays);
    if (!arrays) {
      return NULL;
    }
    list->arrays = arrays;
    list->capacity = capacity;
  }
  npy_array *array = &list->arrays[list->size++];
  *array = (npy_array){0};
  return array;
}

// ---- Archives -------------------------------------------------------------------------------------------------------

// A member's content: stored, or deflated without zlib's own header. The caller frees *out_owned.
static bool member_content(bytes stored, unsigned method, size_t size, bytes *out_content, void **out_owned) {
  *out_owned = NULL;
  *out_content = stored;
  if (method == 0) {
    return stored.size == size;
  }
  if (method != 8 || stored.size > UINT32_MAX || size > UINT32_MAX) {
    return false;
  }
  unsigned char *inflated = malloc(size ? size : 1);
  if (!inflated) {
    return false;
  }
  z_stream stream = {.next_in = (unsigned char *)stored.data,
                     .avail_in = (unsigned)stored.size,
                     .next_out = inflated,
                     .avail_out = (unsigned)size};
  bool ok = inflateInit2(&stream, -MAX_WBITS) == Z_OK;
  if (ok) {
    ok = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.total_out == size;
    inflateEnd(&stream);
  }
  *out_owned = inflated;
  *out_content = (bytes){inflated, size};
  return ok;
}

// A size field, or the 64-bit one in the extra field when it is saturated (numpy writes those for every member).
static bool zip64_sizes(bytes extra, size_t *size, size_t *stored_size, size_t *offset) {
  size_t *wanted[] = {size, stored_size, offset};
  for (size_t at = 0; at + 4 <= extra.size;) {
    size_t id = le(extra.data + at, 2), length = le(extra.data + at + 2, 2);
    bytes field;
    if (!sub(extra, at + 4, length, &field)) {
      return false;
    }
    for (size_t i = 0, used = 0; id == 1 && i < 3; i++) {
      if (*wanted[i] != UINT32_MAX) {
        continue;
      }
      if (used + 8 > field.size) {
        return false;
      }
      *wanted[i] = le64(field.data + used);
      used += 8;
    }
    at += 4 + length;
  }
  return true;
}

// One entry of the central directory, `entry` beginning at its signature; sets *out_length to the entry's size.
static bool read_member(bytes archive, bytes entry, npy_list *list, size_t *out_length) {
  enum { ENTRY = 46, LOCAL = 30 };
  if (entry.size < ENTRY || le(entry.data, 4) != 0x02014b50) {
    return false;
  }
  unsigned method = le(entry.data + 10, 2);
  size_t stored_size = le(entry.data + 20, 4), size = le(entry.data + 24, 4), offset = le(entry.data + 42, 4);
  size_t name_size = le(entry.data + 28, 2), extra_size = le(entry.data + 30, 2);
  *out_length = ENTRY + name_size + extra_size + le(entry.data + 32, 2);
  bytes name, extra, local, stored;
  if (!sub(entry, ENTRY, name_size, &name) || !sub(entry, ENTRY + name_size, extra_size, &extra)) {
    return false;
  }
  if (!zip64_sizes(extra, &size, &stored_size, &offset)) {
    return false;
  }
  if (!sub(archive, offset, LOCAL, &local) || le(local.data, 4) != 0x04034b50) {
    return false;
  }
  size_t start = offset + LOCAL + le(local.data + 26, 2) + le(local.data + 28, 2);
  if (!sub(archive, start, stored_size, &stored)) {
    return false;
  }

  npy_array *array = list_add(list);
  void *owned = NULL;
  bytes content;
  bool ok = array && member_content(stored, method, size, &content, &owned) && parse_array(content, array);
  free(owned);
  if (ok) {
    if (name.size > 4 && memcmp(name.data + name.size - 4, ".npy", 4) == 0) {
      name.size -= 4;
    }
    snprintf(array->name, sizeof array->name, "%.*s", (int)name.size, (const char *)name.data);
  }
  return ok;
}

// How many entries the central directory has, and where it begins: what the end record at `end` says, or, where that is saturated (an
// archive of 4 GiB or more, or of 65535 members), the 64-bit record that a locator right before it points to.
static bool find_directory(bytes archive, size_t end, size_t *out_count, size_t *out_offset) {
  enum { LOCATOR = 20, WIDE_END = 56 };
  *out_count = le(archive.data + end + 10, 2);
  *out_offset = le(archive.data + end + 16, 4);
  if (*out_count != UINT16_MAX && *out_offset != UINT32_MAX) {
    return true;
  }
  bytes record;
  if (end < LOCATOR || le(archive.data + end - LOCATOR, 4) != 0x07064b50) {
    return true;
  }
  if (!sub(archive, le64(archive.data + end - LOCATOR + 8), WIDE_END, &record) || le(record.data, 4) != 0x06064b50) {
    return false;
  }
  *out_count = le64(record.data + 32);
  *out_offset = le64(record.data + 48);
  return true;
}

static bool read_archive(bytes archive, npy_list *list) {
  enum { END = 22 };
  for (size_t back = END; back <= archive.size && back < END + 65536; back++) {
    const unsigned char *end = archive.data + archive.size - back;
    if (le(end, 4) != 0x06054b50) {
      continue;
    }
    size_t count, offset;
    if (!find_directory(archive, archive.size - back, &count, &offset)) {
      return false;
    }
    for (size_t i = 0; i < count; i++) {
      bytes entry;
      size_t length = 0;
      if (offset > archive.size || !sub(archive, offset, archive.size - offset, &entry)) {
        return false;
      }
      if (!read_member(archive, entry, list, &length)) {
        return false;
      }
      offset += length;
    }
    return true;
  }
  return false;
}

// ---- What others call -----------------------------------------------------------------------------------------------

static bool npy_read(const char *path, npy_list *list) {
  size_t size = 0;
  unsigned char *data = npy_slurp(path, &size);
  if (!data) {
    return false;
  }
  bytes file = {data, size};
  bool ok;
  if (size >= 4 && memcmp(data, "PK", 2) == 0) {
    ok = read_archive(file, list);
  } else {
    npy_array *array = list_add(list);
    ok = array && parse_array(file, array);
  }
  free(data);
  if (!ok) {
    fprintf(stderr, "%s: not an .npy or .npz file of little-endian numbers\n", path);
  }
  return ok;
}

void npy_list_free(npy_list *list) {
  for (size_t i = 0; i < list->size; i++) {
    free(list->arrays[i].data);
  }
  free(list->arrays);
  *list = (npy_list){0};
}

bool npy_write(const char *path, char kind, size_t item_bytes, const int64_t *dims, size_t rank, const void *data) {
  char shape[NPY_MAX_RANK * 21 + 4] = "(";
  size_t used = 1, bytes_total = item_bytes;
  for (size_t i = 0; i < rank; i++) {
    used += (size_t)snprintf(shape + used, sizeof shape - used, "%" PRId64 ",", dims[i]);
    bytes_total *= (size_t)dims[i];
  }
  snprintf(shape + used, sizeof shape - used, ")");
  char header[1024];
  int text = snprintf(header, sizeof header, "{'descr': '%c%c%zu', 'fortran_order': False, 'shape': %s, }",
                      item_bytes == 1 ? '|' : '<', kind, item_bytes, shape);
  // Magic, version and length take 10 bytes; the whole head is a multiple of 64 and ends in a newline.
  size_t padded = ((size_t)text + 10 + 1 + 63) / 64 * 64 - 10;
  memset(header + text, ' ', padded - (size_t)text);
  header[padded - 1] = '\n';
  const unsigned char head[] = {
      0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (unsigned char)padded, (unsigned char)(padded >> 8)};

  FILE *file = fopen(path, "wb");
  bool ok = file && fwrite(head, sizeof head, 1, file) == 1 && fwrite(header, padded, 1, file) == 1 &&
            fwrite(data, 1, bytes_total, file) == bytes_total;
  if (file) {
    ok &= fclose(file) == 0;
  }
  if (!ok) {
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
  }
  return ok;
}

// An archive made for a program has its inputs as in0, in1, ... beside the expected outputs.
static void keep_program_inputs(npy_list *list, size_t from) {
  size_t count = 0;
  for (size_t i = from; i < list->size; i++) {
    char wanted[16];
    snprintf(wanted, sizeof wanted, "in%zu", count);
    for (size_t j = from + count; j < list->size; j++) {
      if (strcmp(list->arrays[j].name, wanted) != 0) {
        continue;
      }
      npy_array found = list->arrays[j];
      list->arrays[j] = list->arrays[from + count];
      list->arrays[from + count++] = found;
      break;
    }
  }
  bool only_outputs = list->size > from && strncmp(list->arrays[from].name, "out", 3) == 0;
  while ((count || only_outputs) && list->size > from + count) {
    free(list->arrays[--list->size].data);
  }
}

bool npy_read_inputs(const char *path, npy_list *list) {
  size_t before = list->size;
  if (!npy_read(path, list)) {
    return false;
  }
  keep_program_inputs(list, before);
  return true;
}

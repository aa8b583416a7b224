// .npz: a zip of .npy files, as np.savez() writes it, which are stored and not compressed, so that arrays are used where they lie. Read from
// its directory at the end; Zip64 as NumPy writes it.
#include <string.h>

#include "core/size.h"
#include "millrace/weights.h"

typedef struct bytes {
  const unsigned char *at;
  size_t left;
} bytes;

// Little-endian; 0 beyond the end.
static uint64_t get(bytes from, size_t at, unsigned size) {
  uint64_t value = 0;
  for (unsigned i = 0; i < size && at + i < from.left; i++) {
    value |= (uint64_t)from.at[at + i] << 8 * i;
  }
  return value;
}

static bool go_to(bytes *from, uint64_t at) {
  if (at > from->left) {
    return false;
  }
  from->at += at;
  from->left -= (size_t)at;
  return true;
}

// ---- .npy ---------------------------------------------------------------------------------------------------------------------

// The value of a key of the header's dictionary, up to its end; NULL: there is none.
static const char *find_value(mr_str header, const char *key) {
  size_t size = strlen(key);
  for (size_t i = 0; i + size <= header.size; i++) {
    if (memcmp(header.data + i, key, size) == 0) {
      const char *at = header.data + i + size, *end = header.data + header.size;
      while (at < end && (*at == ':' || *at == ' ')) {
        at++;
      }
      return at < end ? at : NULL;
    }
  }
  return NULL;
}

static mr_status read_descr(mr_str header, mr_dtype *out) {
  static const struct {
    const char *descr;
    mr_dtype dtype;
  } known[] = {{"|b1", MR_PRED}, {"|i1", MR_S8},  {"<i2", MR_S16}, {"<i4", MR_S32},  {"<i8", MR_S64},
               {"|u1", MR_U8},   {"<u2", MR_U16}, {"<u4", MR_U32}, {"<u8", MR_U64},  {"<f2", MR_F16},
               {"<f4", MR_F32},  {"<f8", MR_F64}, {"<c8", MR_C64}, {"<c16", MR_C128}};
  const char *value = find_value(header, "'descr'");
  size_t left = value ? (size_t)(header.data + header.size - value) : 0;
  const char *end = left > 1 && *value == '\'' ? memchr(value + 1, '\'', left - 1) : NULL;
  if (!end) {
    return mr_error(MR_UNIMPLEMENTED, "an element type that is no plain one");
  }
  mr_str descr = {value + 1, (size_t)(end - value - 1)};
  for (size_t i = 0; i < MR_ARRAY_SIZE(known); i++) {
    if (mr_str_is(descr, known[i].descr)) {
      *out = known[i].dtype;
      return MR_OK;
    }
  }
  return mr_error(MR_UNIMPLEMENTED, "element type '%.*s'", MR_STR_ARG(descr));
}

static mr_status read_shape(mr_str header, int64_t *dims, size_t *out_rank) {
  const char *at = find_value(header, "'shape'"), *end = header.data + header.size;
  *out_rank = 0;
  if (!at || *at != '(') {
    return mr_error(MR_INVALID_ARGUMENT, "no shape");
  }
  at++;
  while (at < end && *at != ')') {
    int64_t size = 0;
    const char *start = at;
    for (; at < end && *at >= '0' && *at <= '9' && size < INT64_MAX / 10 - 1; at++) {
      size = size * 10 + (*at - '0');
    }
    if (at == start || *out_rank == MR_MAX_RANK) {
      return mr_error(MR_INVALID_ARGUMENT, "a shape of other than %d numbers at most", MR_MAX_RANK);
    }
    dims[(*out_rank)++] = size;
    while (at < end && (*at == ',' || *at == ' ')) {
      at++;
    }
  }
  return at < end ? MR_OK : mr_error(MR_INVALID_ARGUMENT, "a shape without end");
}

static mr_status read_npy(mr_weights *weights, mr_str name, bytes file) {
  static const char magic[] = "\x93NUMPY";
  const size_t known = sizeof magic - 1;
  unsigned version = file.left > known ? file.at[known] : 0, length = version >= 2 ? 4 : 2;
  size_t start = known + 2 + length;
  if (file.left < start || memcmp(file.at, magic, known) != 0 || version < 1 || version > 3) {
    return mr_error(MR_INVALID_ARGUMENT, "no .npy file of version 1 to 3");
  }
  size_t size = (size_t)get(file, known + 2, length);
  if (size > file.left - start) {
    return mr_error(MR_INVALID_ARGUMENT, "a header of %zu bytes in a file of %zu", size, file.left);
  }
  mr_str header = {(const char *)file.at + start, size};
  mr_dtype dtype;
  int64_t dims[MR_MAX_RANK];
  size_t rank;
  MR_TRY(read_descr(header, &dtype));
  MR_TRY(read_shape(header, dims, &rank));
  const char *order = find_value(header, "'fortran_order'");
  bool first_fastest = order && *order == 'T' && rank > 1;
  size_t offset = (size_t)(file.at - (const unsigned char *)weights->file.bytes.data) + start + size;
  return mr_weights_add(weights, name, dtype, dims, rank, first_fastest, offset, file.left - start - size);
}

// ---- The zip ------------------------------------------------------------------------------------------------------------------

enum { DIRECTORY_ENTRY = 0x02014b50, LOCAL = 0x04034b50, END = 0x06054b50, END64 = 0x06064b50, LOCATOR64 = 0x07064b50 };
enum { ENTRY_BYTES = 46, LOCAL_BYTES = 30, END_BYTES = 22, LOCATOR64_BYTES = 20, END64_BYTES = 56 };

// Where the directory is, and how many files it has. The end is behind everything but a comment.
static mr_status find_directory(bytes zip, uint64_t *out_at, uint64_t *out_count) {
  for (size_t back = END_BYTES; back <= zip.left && back <= END_BYTES + 65535; back++) {
    size_t at = zip.left - back;
    if (get(zip, at, 4) != END) {
      continue;
    }
    *out_count = get(zip, at + 10, 2);
    *out_at = get(zip, at + 16, 4);
    if (at >= LOCATOR64_BYTES && get(zip, at - LOCATOR64_BYTES, 4) == LOCATOR64) {
      uint64_t end = get(zip, at - LOCATOR64_BYTES + 8, 8);
      if (zip.left < END64_BYTES || end > zip.left - END64_BYTES || get(zip, (size_t)end, 4) != END64) {
        return mr_error(MR_INVALID_ARGUMENT, "npz: the end of a Zip64 is not where it should be");
      }
      *out_count = get(zip, (size_t)end + 32, 8);
      *out_at = get(zip, (size_t)end + 48, 8);
    }
    return MR_OK;
  }
  return mr_error(MR_INVALID_ARGUMENT, "npz: no directory of a zip");
}

typedef struct member {
  uint64_t stored, size, at;  // bytes as they lie and as they were; where its local header is
} member;

// Numbers that did not fit are in the extra field 1, in this order.
static void take_large(bytes extra, member *m) {
  while (extra.left >= 4) {
    size_t size = (size_t)get(extra, 2, 2);
    if (get(extra, 0, 2) == 1) {
      uint64_t *numbers[] = {&m->size, &m->stored, &m->at};
      size_t at = 4;
      for (size_t i = 0; i < MR_ARRAY_SIZE(numbers); i++) {
        if (*numbers[i] == UINT32_MAX && at + 8 <= size + 4) {
          *numbers[i] = get(extra, at, 8);
          at += 8;
        }
      }
    }
    if (!go_to(&extra, 4 + (uint64_t)size)) {
      return;
    }
  }
}

static mr_status read_member(mr_weights *weights, bytes zip, bytes entry, mr_str name, size_t extra_bytes) {
  member m = {get(entry, 20, 4), get(entry, 24, 4), get(entry, 42, 4)};
  take_large((bytes){entry.at + ENTRY_BYTES + name.size, extra_bytes}, &m);
  if (get(entry, 10, 2) != 0) {
    return mr_error(MR_UNIMPLEMENTED,
                    "compressed, by method %u: wanted as np.savez() writes it, and not np.savez_compressed()",
                    (unsigned)get(entry, 10, 2));
  }
  if (get(entry, 8, 2) & 1) {
    return mr_error(MR_UNIMPLEMENTED, "encrypted");
  }
  if (!go_to(&zip, m.at) || zip.left < LOCAL_BYTES || get(zip, 0, 4) != LOCAL) {
    return mr_error(MR_INVALID_ARGUMENT, "no file where the directory has one");
  }
  uint64_t start = LOCAL_BYTES + get(zip, 26, 2) + get(zip, 28, 2);
  if (m.stored != m.size || !go_to(&zip, start) || m.size > zip.left) {
    return mr_error(MR_INVALID_ARGUMENT, "%llu bytes, more than there are", (unsigned long long)m.size);
  }
  zip.left = (size_t)m.size;
  name.size -= name.size > 4 && memcmp(name.data + name.size - 4, ".npy", 4) == 0 ? 4 : 0;
  return read_npy(weights, name, zip);
}

mr_status mr_npz_read(mr_weights *weights) {
  const bytes zip = {weights->file.bytes.data, weights->file.bytes.size};
  uint64_t at, count;
  MR_TRY(find_directory(zip, &at, &count));
  bytes directory = zip;
  if (!go_to(&directory, at)) {
    return mr_error(MR_INVALID_ARGUMENT, "npz: a directory behind the file's end");
  }
  for (uint64_t i = 0; i < count; i++) {
    if (directory.left < ENTRY_BYTES || get(directory, 0, 4) != DIRECTORY_ENTRY) {
      return mr_error(MR_INVALID_ARGUMENT, "npz: %llu files in the directory, wanted %llu", (unsigned long long)i,
                      (unsigned long long)count);
    }
    uint64_t name = get(directory, 28, 2), extra = get(directory, 30, 2), comment = get(directory, 32, 2);
    if (name + extra + comment > directory.left - ENTRY_BYTES) {
      return mr_error(MR_INVALID_ARGUMENT, "npz: file %llu of the directory has no end", (unsigned long long)i);
    }
    mr_str called = {(const char *)directory.at + ENTRY_BYTES, (size_t)name};
    mr_status status = read_member(weights, zip, directory, called, (size_t)extra);
    if (status) {
      return mr_status_note(status, "npz: %.*s", MR_STR_ARG(called));
    }
    (void)go_to(&directory, ENTRY_BYTES + name + extra + comment);
  }
  return MR_OK;
}

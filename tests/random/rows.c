// A program over several devices: arguments are cut as its ports say, and results joined.
#include <stdlib.h>
#include <string.h>

#include "tests/random/random.h"

enum { MOST_DEVICES = 8, MOST_PORTS = 128 };

// The tile that a logical device has, by dimension of the array.
static void tile_of(const mr_tile_sharding *tiles, size_t rank, int64_t device, int64_t *out) {
  memset(out, 0, (rank + 1) * sizeof *out);
  if (!tiles || tiles->kind != MR_TILE_OTHER) {
    return;
  }
  int64_t count = 1;
  for (uint32_t d = 0; d < tiles->tile_rank; d++) {
    count *= tiles->tile_dims[d];
  }
  for (int64_t place = 0; place < count; place++) {
    int64_t there = place;
    if (tiles->reshape_rank) {
      // The place in the transposed iota, and from there its number.
      int64_t index[MR_MAX_RANK], rest = place;
      for (uint32_t i = tiles->reshape_rank; i-- > 0;) {
        int64_t size = tiles->reshape_dims[tiles->transpose ? (uint32_t)tiles->transpose[i] : i];
        index[tiles->transpose ? (uint32_t)tiles->transpose[i] : i] = rest % size;
        rest /= size;
      }
      there = 0;
      for (uint32_t i = 0; i < tiles->reshape_rank; i++) {
        there = there * tiles->reshape_dims[i] + index[i];
      }
    } else {
      there = tiles->devices[place];
    }
    if (there == device) {
      for (uint32_t d = tiles->tile_rank; d-- > 0;) {
        if (d < rank) {
          out[d] = place % tiles->tile_dims[d];
        }
        place /= tiles->tile_dims[d];
      }
      return;
    }
  }
}

size_t global_bytes(const mr_port *port) {
  size_t bytes = mr_dtype_bytes(port->dtype);
  for (size_t d = 0; d < port->rank; d++) {
    bytes *= (size_t)(port->global_dims ? port->global_dims : port->dims)[d];
  }
  return bytes;
}

// Copies between the whole and one device's part of it. False: joining met other bytes than another device gave.
static bool copy_part(const mr_port *port, int64_t device, uint8_t *whole, uint8_t *part, bool join, bool *written) {
  int64_t tile[MR_MAX_RANK + 1];
  size_t one = mr_dtype_bytes(port->dtype), count = port->bytes / one;
  tile_of(port->tiles, port->rank, device, tile);
  for (size_t i = 0; i < count; i++) {
    size_t rest = i, at = 0, scale = 1;
    for (size_t d = port->rank; d-- > 0;) {
      at += (rest % (size_t)port->dims[d] + (size_t)(tile[d] * port->dims[d])) * scale;
      scale *= (size_t)port->global_dims[d];
      rest /= (size_t)port->dims[d];
    }
    if (!join) {
      memcpy(part + i * one, whole + at * one, one);
    } else if (written[at] && memcmp(whole + at * one, part + i * one, one) != 0) {
      return false;
    } else {
      memcpy(whole + at * one, part + i * one, one);
      written[at] = true;
    }
  }
  return true;
}

typedef struct rows {
  session *s;
  mr_executable *executable;
  uint32_t devices;
  size_t num_params, num_results;
  mr_buffer *arguments[MOST_DEVICES][MOST_PORTS], *results[MOST_DEVICES][MOST_PORTS];
  mr_row row[MOST_DEVICES];
} rows;

static mr_status cut(rows *r, void *const *inputs) {
  for (uint32_t d = 0; d < r->devices; d++) {
    mr_memory *memory = &mr_platform_device(r->s->platform, d)->memories[MR_MEMORY_DEVICE];
    for (size_t i = 0; i < r->num_params; i++) {
      const mr_port *port = mr_executable_param(r->executable, i);
      uint8_t *part = malloc(port->bytes + 1);
      (void)copy_part(port, d, inputs[i], part, false, NULL);
      mr_host_array host = {.data = part, .dtype = port->dtype, .dims = port->dims, .rank = port->rank};
      mr_status status = mr_buffer_from_host(memory, &host, MR_HOST_ONLY_DURING_CALL, NULL, NULL, &r->arguments[d][i]);
      free(part);
      MR_TRY(status);
    }
  }
  return MR_OK;
}

static mr_status start(rows *r) {
  for (uint32_t d = 0; d < r->devices; d++) {
    r->row[d] = (mr_row){.device = mr_platform_device(r->s->platform, d),
                         .partition = d,
                         .arguments = r->arguments[d],
                         .results = r->results[d]};
  }
  MR_TRY(mr_execute_rows(r->executable, r->row, r->devices, r->num_params));
  for (uint32_t d = 0; d < r->devices; d++) {
    if (r->row[d].done) {
      mr_future_wait(r->row[d].done);
      mr_future_release(r->row[d].done);
    }
  }
  return MR_OK;
}

static mr_status join(rows *r, size_t i, uint8_t *whole) {
  const mr_port *port = mr_executable_result(r->executable, i);
  size_t count = global_bytes(port) / mr_dtype_bytes(port->dtype);
  bool *written = calloc(count + 1, 1), same = true;
  uint8_t *part = malloc(port->bytes + 1);
  mr_status status = written && part ? MR_OK : MR_NO_MEMORY();
  for (uint32_t d = 0; !status && same && d < r->devices; d++) {
    mr_future *done = NULL;
    status = mr_buffer_to_host(r->results[d][i], part, NULL, &done);
    if (!status && done) {
      mr_future_wait(done);
      mr_future_release(done);
    }
    same = status || copy_part(port, d, whole, part, true, written);
  }
  for (size_t k = 0; !status && same && k < count; k++) {
    same = written[k];
  }
  free(written);
  free(part);
  return status || same ? status : mr_error(MR_INTERNAL, "devices have different copies of result %zu, or none", i);
}

mr_status execute_on_rows(session *s, mr_executable *executable, uint32_t devices, void *const *inputs,
                          void **out_results) {
  rows *r = calloc(1, sizeof *r);
  if (!r) {
    return MR_NO_MEMORY();
  }
  *r = (rows){.s = s,
              .executable = executable,
              .devices = devices,
              .num_params = mr_executable_param_count(executable),
              .num_results = mr_executable_result_count(executable)};
  mr_status status = cut(r, inputs);
  status = status ? status : start(r);
  for (size_t i = 0; !status && i < r->num_results; i++) {
    out_results[i] = calloc(global_bytes(mr_executable_result(executable, i)) + 1, 1);
    status = out_results[i] ? join(r, i, out_results[i]) : MR_NO_MEMORY();
  }
  for (uint32_t d = 0; d < devices; d++) {
    for (size_t i = 0; i < r->num_params; i++) {
      mr_buffer_release(r->arguments[d][i]);
    }
    for (size_t i = 0; i < r->num_results; i++) {
      mr_buffer_release(r->results[d][i]);
    }
  }
  free(r);
  return status;
}

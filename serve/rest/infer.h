// Inside rest/: an inference that came over HTTP, from its body to its answer. infer.c makes, submits and ends it; infer_read.c and predict.c
// read bodies into it; infer_inputs.c puts tensors in memory; infer_write.c and predict.c write answers.
#ifndef SV_REST_INFER_H
#define SV_REST_INFER_H

#include "serve/json/json.h"
#include "serve/rest/doors.h"
#include "serve/service/regions.h"

typedef enum sv_infer_place {
  SV_INFER_NOWHERE,  // not given yet
  SV_INFER_BODY,     // in the request's body
  SV_INFER_BLOCK,    // in `block`
} sv_infer_place;

typedef struct sv_infer_input {
  sv_infer_place place;
  size_t offset;
} sv_infer_input;

typedef struct sv_infer_output {
  bool wanted, says_binary, binary;
  uint32_t classes;  // of the classification extension; 0: the tensor itself
  sv_region *region;
  uint64_t region_offset, region_size;
  // When the answer is made: what is sent, and its shape.
  size_t text_begin;  // of a classified output: in `classes`
  const void *data;
  size_t size;
  int64_t dims[2];  // of a classified output
  uint32_t rank;
} sv_infer_output;

// Belongs to one loop, and is used again for its next requests.
typedef struct sv_infer {
  struct sv_infer *next;
  sv_loop *loop;
  sv_service *service;
  sv_exchange *exchange;
  const sv_http_request *http;
  const sv_signature *signature;
  sv_request *request;
  uint64_t begin_ns;
  sv_text scratch;  // texts of the body that had escapes
  sv_block *block;  // inputs that do not lie in the body
  size_t block_used;
  sv_infer_input *inputs;    // by the signature
  sv_infer_output *outputs;  // likewise
  sv_piece *pieces;          // of the answer: one more than outputs
  uint32_t room_inputs, room_outputs;
  size_t binary_begin, binary_used;  // of the body: where raw bytes begin, and how many have been given to inputs
  sv_text classes;                   // texts of classified outputs
  sv_str id;
  bool lists_outputs;  // else all are wanted
  bool binary_outputs, has_binary_outputs;
  bool columns;  // of :predict: not rows
  uint64_t rows;
  sv_error *(*write)(struct sv_infer *infer, sv_answer *out);  // fills the answer's body
} sv_infer;

// Looks the version up and has `read` fill the request; `write` makes the answer. Answers the exchange, now or later.
void sv_infer_run(sv_service *service, sv_exchange *exchange, const sv_http_request *http, sv_str model, sv_str version,
                  sv_error *(*read)(sv_infer *infer), sv_error *(*write)(sv_infer *infer, sv_answer *out));

// -1 when there is none of this name.
int sv_infer_find(const sv_port *ports, uint32_t count, sv_str name);
sv_error *sv_infer_note(sv_error *take_error, const char *what, sv_str name);  // "input 'x': ..."

// ---- Inputs ---------------------------------------------------------------------------------------------------------

// Each takes an input whose request->inputs[i] has its shape, and sets its bytes and place.
sv_error *sv_infer_place_json(sv_infer *infer, uint32_t i, sv_json *json);
sv_error *sv_infer_place_binary(sv_infer *infer, uint32_t i, uint64_t size);
// Shared memory is served, and the client is on this machine.
sv_error *sv_infer_allow_regions(const sv_infer *infer);
sv_error *sv_infer_place_region(sv_infer *infer, uint32_t i, sv_str region, uint64_t offset, uint64_t size);
// Room of its bytes in the block, where the caller writes them before anything else is placed.
sv_error *sv_infer_place_block(sv_infer *infer, uint32_t i, void **out_to);
sv_error *sv_infer_shape_bytes(sv_infer *infer, uint32_t i);  // sets .bytes from the shape
// The whole body is the only input.
sv_error *sv_infer_place_raw(sv_infer *infer);
// Sets the data of all inputs, of which none may be missing.
sv_error *sv_infer_place_end(sv_infer *infer);

sv_error *sv_infer_read(sv_infer *infer);
sv_error *sv_infer_write(sv_infer *infer, sv_answer *out);

#endif

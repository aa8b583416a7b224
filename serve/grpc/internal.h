// Inside grpc/: calls of methods, and what one inference needs.
#ifndef SV_GRPC_INTERNAL_H
#define SV_GRPC_INTERNAL_H

#include "serve/grpc/grpc.h"
#include "serve/grpc/wire.h"
#include "serve/service/regions.h"

typedef struct sv_grpc_work sv_grpc_work;
typedef struct sv_grpc_method sv_grpc_method;
typedef struct sv_grpc_pool sv_grpc_pool;

struct sv_grpc_method {
  const char *path;
  sv_right right;
  // One of these. answer(): at once, a message into `out`. start(): now or later, by sv_grpc_work_answer() or _fail(). The message stays as long as
  // the work. open(): a method with several messages, which makes what is the call's user.
  sv_error *(*answer)(sv_grpc *grpc, sv_call *call, sv_str message, sv_text *out);
  void (*start)(sv_grpc_work *work, sv_str message);
  bool (*open)(sv_grpc *grpc, sv_call *call, const sv_grpc_method *method);
  // Of the methods with open().
  void (*message)(void *user, sv_call *call, sv_str message);
  void (*half_closed)(void *user, sv_call *call);
  // The client is gone: the call is finished as soon as may be. For start() too; NULL: what runs is waited for.
  void (*gone)(void *user, millrace_code why);
  void (*draining)(void *user);  // the call is to end soon; NULL: it does
};

// What every call's user begins with.
typedef struct sv_grpc_user {
  const sv_grpc_method *method;
} sv_grpc_user;

// An output that is answered.
typedef struct sv_grpc_output {
  uint32_t port;
  uint32_t classes;       // 0: no classification
  sv_region *region;      // NULL: in the answer
  uint64_t offset, size;  // in the region
} sv_grpc_output;

// An input as it was sent.
typedef struct sv_grpc_input {
  uint32_t port;
  bool has_contents;
  sv_str bytes;       // raw, or the contents' message
  sv_region *region;  // NULL: in the request
  uint64_t offset;
} sv_grpc_input;

// One unary call, or one request of a stream. Pooled by loop, with its memory. Counted: by whoever runs it, and by the answer until it is written.
struct sv_grpc_work {
  sv_grpc_user user;  // of a unary call
  sv_grpc *grpc;
  sv_grpc_pool *pool;
  sv_grpc_work *next;  // in the pool, or in its stream
  sv_grpc_work *previous;
  uint32_t references;
  sv_call *call;
  struct sv_grpc_stream *stream;  // NULL: unary
  bool has_message, running, cancelled;
  millrace_code gone;  // why nobody waits any more; MILLRACE_OK: somebody does
  sv_block *block;     // the message, retained
  size_t message_size;
  sv_task task;  // from other threads to the loop
  sv_error *error;

  sv_request *request;
  sv_version *version;  // borrowed from the request
  sv_str model, number, id;
  sv_text input_spans, output_spans, raw_spans;  // arrays of sv_str
  sv_text input_list, output_list;               // arrays of sv_grpc_input, sv_grpc_output
  sv_block *typed;                               // inputs that do not lie in the message
  sv_text head, classes, places, pieces;         // the answer
  char lead[16];
};

// ---- Works (grpc.c) -------------------------------------------------------------------------------------------------

sv_grpc_work *sv_grpc_work_create(sv_grpc *grpc, sv_call *call);  // NULL without memory
void sv_grpc_work_release(sv_grpc_work *work);
sv_service *sv_grpc_service_of(const sv_grpc_work *work);
// Of a unary call: the answer is in work->head. The work is let go.
void sv_grpc_work_answer(sv_grpc_work *work);
void sv_grpc_work_fail(sv_grpc_work *work, sv_error *take_error);
sv_service *sv_grpc_of(sv_grpc *grpc);

// ---- Inference ------------------------------------------------------------------------------------------------------

// Reads a ModelInferRequest into work->request, which is ready to be submitted then. infer_read.c
sv_error *sv_grpc_infer_read(sv_grpc_work *work, sv_str message);
// Lets go of regions. infer_read.c
void sv_grpc_infer_clear(sv_grpc_work *work);
// InferTensorContents into `to`: exactly `count` elements. contents.c
sv_error *sv_grpc_contents_read(sv_str contents, millrace_dtype dtype, sv_str name, size_t count, void *to);
// The response into work->pieces (sv_piece); in a ModelStreamInferResponse where the work is of a stream. infer_write.c
sv_error *sv_grpc_infer_write(sv_grpc_work *work);
// Reads and submits; when it is done, work->call or work->stream is told. infer.c
void sv_grpc_infer_start(sv_grpc_work *work, sv_str message);
void sv_grpc_infer_gone(void *work, millrace_code why);
// The request is answered, or failed with the error, which is taken. stream.c
void sv_grpc_stream_done(sv_grpc_work *work, sv_error *take_error);

typedef enum sv_param_kind {
  SV_PARAM_NONE,
  SV_PARAM_BOOL,
  SV_PARAM_INT,
  SV_PARAM_UINT,
  SV_PARAM_STRING,
  SV_PARAM_DOUBLE
} sv_param_kind;
typedef struct sv_param {  // InferParameter
  sv_param_kind kind;
  uint64_t number;  // bool, int64, uint64
  sv_str text;
} sv_param;

// ---- Methods --------------------------------------------------------------------------------------------------------

// The text of one string field, or of two; false where the message is not well formed. methods.c
sv_error *sv_grpc_read_texts(sv_str message, sv_str *out_first, sv_str *out_second);
// config.c, statistics.c, control.c
sv_error *sv_grpc_model_config(sv_grpc *grpc, sv_call *call, sv_str message, sv_text *out);
sv_error *sv_grpc_model_statistics(sv_grpc *grpc, sv_call *call, sv_str message, sv_text *out);
sv_error *sv_grpc_server_live(sv_grpc *grpc, sv_call *call, sv_str message, sv_text *out);
sv_error *sv_grpc_server_ready(sv_grpc *grpc, sv_call *call, sv_str message, sv_text *out);
sv_error *sv_grpc_model_ready(sv_grpc *grpc, sv_call *call, sv_str message, sv_text *out);
sv_error *sv_grpc_server_metadata(sv_grpc *grpc, sv_call *call, sv_str message, sv_text *out);
sv_error *sv_grpc_model_metadata(sv_grpc *grpc, sv_call *call, sv_str message, sv_text *out);
sv_error *sv_grpc_repository_index(sv_grpc *grpc, sv_call *call, sv_str message, sv_text *out);
sv_error *sv_grpc_memory_status(sv_grpc *grpc, sv_call *call, sv_str message, sv_text *out);
sv_error *sv_grpc_memory_register(sv_grpc *grpc, sv_call *call, sv_str message, sv_text *out);
sv_error *sv_grpc_memory_unregister(sv_grpc *grpc, sv_call *call, sv_str message, sv_text *out);
sv_error *sv_grpc_nothing(sv_grpc *grpc, sv_call *call, sv_str message, sv_text *out);
sv_error *sv_grpc_not_there(sv_grpc *grpc, sv_call *call, sv_str message, sv_text *out);
void sv_grpc_load(sv_grpc_work *work, sv_str message);
void sv_grpc_unload(sv_grpc_work *work, sv_str message);
// No shared memory here, or the client is not on this machine. control.c
sv_error *sv_grpc_memory_allowed(sv_service *service, sv_call *call);
// health.c
sv_error *sv_grpc_health_check(sv_grpc *grpc, sv_call *call, sv_str message, sv_text *out);
bool sv_grpc_watch_open(sv_grpc *grpc, sv_call *call, const sv_grpc_method *method);
void sv_grpc_watch_message(void *user, sv_call *call, sv_str message);
void sv_grpc_watch_half_closed(void *user, sv_call *call);
void sv_grpc_watch_gone(void *user, millrace_code why);
void sv_grpc_watch_draining(void *user);
// stream.c
bool sv_grpc_stream_open(sv_grpc *grpc, sv_call *call, const sv_grpc_method *method);
void sv_grpc_stream_message(void *user, sv_call *call, sv_str message);
void sv_grpc_stream_half_closed(void *user, sv_call *call);
void sv_grpc_stream_gone(void *user, millrace_code why);
void sv_grpc_stream_draining(void *user);

#endif

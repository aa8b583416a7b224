// hlo_put: the parts of the writer of HloModuleProto. write_module.c walks functions, write_body.c writes what a computation has,
// write_shape.c types and constants, write_op.c has the table of ops, write_struct.c the attributes of the larger ones,
// write_collective.c what devices do together, write_control.c what has regions or calls, write_custom.c custom calls and what
// becomes one, write_shardy.c Shardy's ops, write_host.c tokens and what goes to and from the host, write_words.c texts and shardings.
//
// An instruction is packed as soon as its op has said all of it, a computation when its block is at its end; a region's before the
// instruction that calls it, so that callees come first. Ids are unique in the module.
//
// Private to compiler/writer. One hlo_writer lives on the stack of mr_write_hlo, its memory in its arena.
// Threads: one writer, one thread. Errors: RESOURCE_EXHAUSTED.
#ifndef MR_COMPILER_WRITER_HLO_PUT_H
#define MR_COMPILER_WRITER_HLO_PUT_H

#include "compiler/ir/ir.h"
#include "compiler/proto/hlo.pb-c.h"

typedef Millrace__Hlo__Instruction hlo_instruction;

typedef struct hlo_list {
  ProtobufCBinaryData *items;
  size_t count, room;
} hlo_list;

typedef struct hlo_writer {
  const mr_module *module;
  mr_arena arena;
  bool is_local;               // of mr_hlo_form
  int64_t last_id;             // of instructions
  int64_t last_computation;    // of computations
  hlo_list computations;       // those that are written
  int64_t *callees;            // by mr_function.mark: the function's computation; 0: it has none
  hlo_list *body;              // instructions of the computation being written
  int64_t *ids;                // by mr_value.id, of the function being written: its instruction there
  uint32_t *seen, last_stamp;  // by mr_value.id: who looked at it last
} hlo_writer;

// An op on its way to an instruction: a handler fills in what is its own.
typedef struct hlo_put {
  hlo_writer *writer;
  mr_op *op;
  hlo_instruction proto;
} hlo_put;

// ---- write_body.c ----------------------------------------------------------------------------------------------------

mr_status mr_put_pack(hlo_writer *w, const ProtobufCMessage *message, ProtobufCBinaryData *out) MR_WARN_UNUSED;
// Adds an instruction whose opcode and operands are in `proto`.
mr_status mr_put_emit(hlo_writer *w, hlo_instruction *proto, const mr_type *type, int64_t *out_id) MR_WARN_UNUSED;
mr_status mr_put_emit_shaped(hlo_writer *w, hlo_instruction *proto, int64_t *out_id) MR_WARN_UNUSED;  // shape and all
// The same for one that has nothing but operands, and for elements of a tuple and the tuple of several.
mr_status mr_put_plain(hlo_writer *w, const char *opcode, const mr_type *type, size_t count, int64_t *operands,
                       int64_t *out_id) MR_WARN_UNUSED;
mr_status mr_put_element(hlo_writer *w, int64_t tuple, int64_t index, const mr_type *type,
                         int64_t *out_id) MR_WARN_UNUSED;
mr_status mr_put_tuple(hlo_writer *w, size_t count, const mr_type *types, int64_t *ids, int64_t *out_id) MR_WARN_UNUSED;
mr_type mr_put_tuple_type(size_t count, const mr_type *elements);
// One value stands for itself, any other number for a tuple of them.
mr_status mr_put_bundle(hlo_writer *w, size_t count, const mr_type *types, int64_t *ids,
                        int64_t *out_id) MR_WARN_UNUSED;
mr_type mr_put_bundle_type(size_t count, const mr_type *elements);
int64_t mr_put_id(const hlo_writer *w, const mr_value *value);
void mr_put_bind(hlo_writer *w, const mr_value *value, int64_t id);
// The types of an op's results, and of any values.
mr_status mr_put_result_types(hlo_writer *w, const mr_op *op, mr_type **out) MR_WARN_UNUSED;
mr_status mr_put_value_types(hlo_writer *w, mr_value *const *values, size_t count, mr_type **out) MR_WARN_UNUSED;
// Emits the op's instruction, of the type of its results, and lets them stand for it or its elements.
mr_status mr_put_finish(hlo_put *p) MR_WARN_UNUSED;
mr_status mr_put_results(hlo_writer *w, const mr_op *op, int64_t id) MR_WARN_UNUSED;
// Lets the op's results stand for the first elements of the tuple `id`.
mr_status mr_put_elements(hlo_writer *w, const mr_op *op, int64_t id) MR_WARN_UNUSED;

// What a region uses from outside.
typedef struct hlo_captures {
  mr_value **carried, **copied;
  uint32_t num_carried, num_copied;
} hlo_captures;
typedef enum hlo_carry {
  HLO_CARRY_LARGE,  // constants that are small are copied
  HLO_CARRY_NONE,   // all constants are
} hlo_carry;
// Of `count` blocks of one op together.
mr_status mr_put_captures(hlo_writer *w, mr_block *const *blocks, uint32_t count, hlo_carry carry,
                          hlo_captures *out) MR_WARN_UNUSED;

typedef struct hlo_region {
  mr_block *block;
  const hlo_captures *captures;  // NULL: none
  bool one_parameter;            // its arguments and what it captures come bundled
  bool hands_on;                 // what it captures comes out behind its results
  bool is_fusion;
} hlo_region;
// Writes a block as a computation of this name.
mr_status mr_put_region(hlo_writer *w, const hlo_region *region, mr_str name, int64_t *out_id) MR_WARN_UNUSED;
// The ops of a block but its terminator.
mr_status mr_put_ops(hlo_writer *w, mr_block *block) MR_WARN_UNUSED;
mr_status mr_put_computation(hlo_writer *w, mr_str name, const hlo_list *body, ProtobufCBinaryData program_shape,
                             int64_t root, bool is_fusion, int64_t *out_id) MR_WARN_UNUSED;
mr_status mr_put_parameter(hlo_writer *w, int64_t number, const mr_type *type, hlo_instruction *proto,
                           int64_t *out_id) MR_WARN_UNUSED;

// ---- write_shape.c ---------------------------------------------------------------------------------------------------

// HLO has no quantised elements and none of six bits: what stores them stands for them, which is bytes.
bool mr_put_is_foreign(const mr_type *type);
mr_status mr_put_shape(hlo_writer *w, const mr_type *type, ProtobufCBinaryData *out) MR_WARN_UNUSED;
// With its dimensions in the order that a list of layouts says, of number `index`; of a tuple's elements in those from 0 on.
mr_status mr_put_shape_in(hlo_writer *w, const mr_type *type, const mr_attr *layouts, size_t index,
                          ProtobufCBinaryData *out) MR_WARN_UNUSED;
mr_status mr_put_program_shape(hlo_writer *w, size_t count, const mr_type *params, const mr_type *result,
                               ProtobufCBinaryData *out) MR_WARN_UNUSED;
mr_status mr_put_constant(hlo_writer *w, const mr_dense *dense, hlo_instruction *proto, int64_t *out_id) MR_WARN_UNUSED;

// ---- write_words.c ---------------------------------------------------------------------------------------------------

// A copy that ends with NUL, in which what is no UTF-8 is '?'.
mr_status mr_put_text(hlo_writer *w, mr_str text, char **out) MR_WARN_UNUSED;
// "negate.7"; the second form takes any text and keeps what a name of HLO may have.
mr_status mr_put_numbered(hlo_writer *w, const char *word, int64_t number, char **out) MR_WARN_UNUSED;
mr_status mr_put_name(hlo_writer *w, mr_str text, int64_t number, char **out) MR_WARN_UNUSED;
mr_status mr_put_metadata(hlo_writer *w, const mr_op *op, hlo_instruction *proto) MR_WARN_UNUSED;
// Adds to a map of frontend attributes, which is NULL before its first.
mr_status mr_put_frontend(hlo_writer *w, Millrace__Hlo__FrontendAttributes **map, mr_str key,
                          mr_str value) MR_WARN_UNUSED;
// A serialized sharding becomes the instruction's; no bytes are none.
mr_status mr_put_said_sharding(hlo_writer *w, ProtobufCBinaryData bytes, hlo_instruction *proto) MR_WARN_UNUSED;
// What stands in a dictionary: the sharding, and as frontend attributes whatever has no field of its own.
mr_status mr_put_extra(hlo_writer *w, const mr_attr *dict, ProtobufCBinaryData *sharding,
                       Millrace__Hlo__FrontendAttributes **map) MR_WARN_UNUSED;
// Of a function's results, if any of them is said to lie somehow; else `out` stays empty.
mr_status mr_put_result_shardings(hlo_writer *w, const mr_function *f, ProtobufCBinaryData *out) MR_WARN_UNUSED;

// ---- write_op.c ------------------------------------------------------------------------------------------------------

mr_status mr_put_op(hlo_writer *w, mr_op *op) MR_WARN_UNUSED;
// Without what is spread over dimensions: HLO's broadcast wants sizes that are those of the result.
mr_status mr_put_broadcast(hlo_writer *w, int64_t operand, const mr_type *from, const mr_type *to, mr_ints dims,
                           int64_t *out_id) MR_WARN_UNUSED;

// ---- Handlers elsewhere ----------------------------------------------------------------------------------------------

mr_status mr_put_convolution(hlo_put *p) MR_WARN_UNUSED;
mr_status mr_put_dot_general(hlo_put *p) MR_WARN_UNUSED;
mr_status mr_put_dot(hlo_put *p) MR_WARN_UNUSED;
mr_status mr_put_ragged_dot(hlo_put *p) MR_WARN_UNUSED;
mr_status mr_put_gather(hlo_put *p) MR_WARN_UNUSED;
mr_status mr_put_slice(hlo_put *p) MR_WARN_UNUSED;
mr_status mr_put_pad(hlo_put *p) MR_WARN_UNUSED;
mr_status mr_put_dynamic_reshape(hlo_put *p) MR_WARN_UNUSED;
mr_status mr_put_reduce_window(hlo_put *p) MR_WARN_UNUSED;
mr_status mr_put_select_and_scatter(hlo_put *p) MR_WARN_UNUSED;
mr_status mr_put_scatter(hlo_put *p) MR_WARN_UNUSED;

mr_status mr_put_collective(hlo_put *p) MR_WARN_UNUSED;
mr_status mr_put_all_to_all(hlo_put *p) MR_WARN_UNUSED;
mr_status mr_put_pairs(hlo_put *p) MR_WARN_UNUSED;

// With the op's regions as called computations, in their order; a custom call when they need more than constants from outside.
mr_status mr_put_with_regions(hlo_put *p) MR_WARN_UNUSED;
mr_status mr_put_while(hlo_put *p) MR_WARN_UNUSED;
mr_status mr_put_conditional(hlo_put *p) MR_WARN_UNUSED;
mr_status mr_put_call(hlo_put *p) MR_WARN_UNUSED;
mr_status mr_put_composite(hlo_put *p) MR_WARN_UNUSED;
mr_status mr_put_scan(hlo_put *p) MR_WARN_UNUSED;
mr_status mr_put_fusion(hlo_put *p) MR_WARN_UNUSED;
mr_status mr_put_callee(hlo_put *p, mr_str name, bool *out_found) MR_WARN_UNUSED;  // as a called computation

mr_status mr_put_custom_call(hlo_put *p) MR_WARN_UNUSED;
mr_status mr_put_opaque(hlo_put *p) MR_WARN_UNUSED;  // the custom call that stands for what HLO has not

void mr_put_per_value(mr_text *text, mr_str sharding);
mr_status mr_put_constraint(hlo_put *p) MR_WARN_UNUSED;
mr_status mr_put_group(hlo_put *p) MR_WARN_UNUSED;
mr_status mr_put_manual(hlo_put *p) MR_WARN_UNUSED;

mr_status mr_put_infeed(hlo_put *p) MR_WARN_UNUSED;
mr_status mr_put_outfeed(hlo_put *p) MR_WARN_UNUSED;
mr_status mr_put_send(hlo_put *p) MR_WARN_UNUSED;
mr_status mr_put_recv(hlo_put *p) MR_WARN_UNUSED;
mr_status mr_put_async_start(hlo_put *p) MR_WARN_UNUSED;
mr_status mr_put_barrier(hlo_put *p) MR_WARN_UNUSED;

#endif

// hlo: the parts of the reader of HloModuleProto. hlo_module.c walks computations, hlo_shape.c reads types and constants,
// hlo_op.c has the table of opcodes, hlo_wire.c finds what is large where it lies, hlo_struct.c the attributes of the larger ones, hlo_control.c what calls other
// computations, hlo_custom.c custom calls and composites, hlo_sharding.c what is said of devices, hlo_random.c random numbers, hlo_async.c what has two halves and
// what goes to and from the host.
//
// Every computation becomes a function, and whatever calls one (a loop, a reduction) gets a region that calls that
// function: the IR grows with the file and not with how often its parts refer to one another. Tuples are taken apart: a
// value of HLO stands for its leaves. Layouts matter where they can be seen: constants, bitcast, custom calls.
//
// Private to compiler/reader. One hlo_reader lives on the stack of mr_read_hlo. Messages of protobuf-c lie in the arena of
// the computation and go with it; what is kept goes to the module's arena.
//
// Threads: one reader, one thread. Errors: INVALID_ARGUMENT and UNIMPLEMENTED with the names of the computation and the instruction.
#ifndef MR_COMPILER_READER_HLO_H
#define MR_COMPILER_READER_HLO_H

#include "compiler/proto/hlo.pb-c.h"
#include "compiler/reader/normalize.h"

typedef Millrace__Hlo__Instruction hlo_instruction;

// Tuples nest no deeper.
#define HLO_TUPLE_DEPTH 50

// What an instruction stands for.
typedef struct hlo_value {
  int64_t id;
  mr_type type;       // TUPLE for tuples
  mr_ints layout;     // minor to major; empty when the file says nothing or it is a tuple
  mr_value **leaves;  // of tuples in depth-first order
  uint32_t num_leaves;
  bool used;  // this slot of the table is taken
} hlo_value;

typedef struct hlo_computation {
  int64_t id;
  mr_function *function;
} hlo_computation;

typedef struct hlo_reader {
  mr_module *module;
  mr_arena *arena;                // the module's
  mr_arena scratch;               // until the file is read
  mr_arena locals;                // until the computation is read; holds its messages
  ProtobufCAllocator allocator;   // of `locals`
  bool out_of_memory;             // `allocator` refused
  hlo_computation *computations;  // in file order
  size_t num_computations;
  mr_function *function;  // being read
  mr_block *block;
  hlo_value *table;  // open addressing by id
  size_t table_size;
} hlo_reader;

// One instruction being read.
typedef struct hlo_context {
  hlo_reader *reader;
  const hlo_instruction *proto;
  mr_type type;    // declared
  mr_ints layout;  // as in hlo_value
  const hlo_value **operands;
  uint32_t num_operands;
  mr_value **leaves;  // what it stands for: set by the handler
  uint32_t num_leaves;
} hlo_context;

// ---- hlo_module.c ----------------------------------------------------------------------------------------------------

// Why unpacking a message failed: memory, or the bytes.
mr_status mr_hlo_not_a(const hlo_reader *r, const char *message, size_t size) MR_WARN_UNUSED;

// Behind those that a port has.
mr_status mr_hlo_add_attr(hlo_reader *r, mr_attr **slot, mr_attr attr) MR_WARN_UNUSED;

// ---- hlo_wire.c ------------------------------------------------------------------------------------------------------

// A message's fields of one number, of those that have a length, as they lie in its bytes; and the message without them, as protobuf-c
// may unpack it: the same bytes where there are none. What is no message is left to protobuf-c as it is.
typedef struct hlo_split {
  ProtobufCBinaryData *parts;
  size_t count;
  ProtobufCBinaryData rest;
} hlo_split;
mr_status mr_hlo_split(mr_arena *arena, ProtobufCBinaryData bytes, const ProtobufCFieldDescriptor *field,
                       hlo_split *out) MR_WARN_UNUSED;
// The field of a message, by the name that it has in hlo.proto.
#define HLO_FIELD(message, name) \
  protobuf_c_message_descriptor_get_field_by_name(&millrace__hlo__##message##__descriptor, name)

// ---- hlo_sharding.c --------------------------------------------------------------------------------------------------

// The instruction's, as attribute mhlo.sharding of its op, and of a parameter or the root as that of its arguments or results.
mr_status mr_hlo_say_sharding(hlo_context *c, mr_op *op) MR_WARN_UNUSED;
mr_status mr_hlo_say_ports(hlo_reader *r, const hlo_instruction *it, uint32_t count, mr_attr **slots) MR_WARN_UNUSED;

// ---- hlo_shape.c -----------------------------------------------------------------------------------------------------

// `layout` may be NULL.
mr_status mr_hlo_read_shape(hlo_reader *r, ProtobufCBinaryData bytes, mr_type *out_type,
                            mr_ints *out_layout) MR_WARN_UNUSED;
uint32_t mr_hlo_leaf_count(const mr_type *type);
void mr_hlo_leaf_types(const mr_type *type, mr_type *out_types);  // mr_hlo_leaf_count entries
// The first leaf that the element at `index` (a path into nested tuples) stands for; false when there is none.
bool mr_hlo_leaf_at(const mr_type *type, const int64_t *index, size_t depth, uint32_t *out_leaf);
mr_status mr_hlo_constant(hlo_context *c) MR_WARN_UNUSED;
bool mr_hlo_is_row_major(mr_ints layout);

// ---- hlo_op.c --------------------------------------------------------------------------------------------------------

mr_status mr_hlo_read_instruction(hlo_context *c) MR_WARN_UNUSED;
// A draft with all leaves of the operands, room for one more, and the leaves of the declared type as results.
mr_status mr_hlo_draft(hlo_context *c, mr_op_kind kind, mr_draft *out_draft) MR_WARN_UNUSED;
mr_status mr_hlo_operands(hlo_context *c, uint32_t first, uint32_t count, mr_draft *draft) MR_WARN_UNUSED;
// Builds the op and makes its results what the instruction stands for.
mr_status mr_hlo_finish(hlo_context *c, mr_draft *draft) MR_WARN_UNUSED;
mr_status mr_hlo_alias(hlo_context *c, const hlo_value *value) MR_WARN_UNUSED;  // the instruction stands for `value`
mr_status mr_hlo_single(hlo_context *c, mr_value *value) MR_WARN_UNUSED;        // .. for one leaf
// Lists for attributes: copied into the module's arena.
// By name; NULL: the instruction has none of it.
const Millrace__Hlo__FrontendAttribute *mr_hlo_frontend(const hlo_context *c, const char *key);
// All of them, under the name that StableHLO programs use.
mr_status mr_hlo_frontend_dict(hlo_reader *r, const Millrace__Hlo__FrontendAttributes *list,
                               mr_attr *out) MR_WARN_UNUSED;
mr_status mr_hlo_ints(hlo_context *c, mr_draft *draft, mr_attr_key key, const int64_t *values, size_t count,
                      int64_t rows) MR_WARN_UNUSED;
mr_builder mr_hlo_builder(const hlo_context *c);

// ---- hlo_struct.c ----------------------------------------------------------------------------------------------------

mr_status mr_hlo_convolution(hlo_context *c) MR_WARN_UNUSED;
mr_status mr_hlo_dot(hlo_context *c) MR_WARN_UNUSED;
mr_status mr_hlo_ragged_dot(hlo_context *c) MR_WARN_UNUSED;
mr_status mr_hlo_gather(hlo_context *c) MR_WARN_UNUSED;
mr_status mr_hlo_scatter_attrs(hlo_context *c, mr_draft *draft) MR_WARN_UNUSED;
mr_status mr_hlo_window_attrs(hlo_context *c, mr_draft *draft, bool with_dilations) MR_WARN_UNUSED;
mr_status mr_hlo_slice(hlo_context *c) MR_WARN_UNUSED;
mr_status mr_hlo_pad(hlo_context *c) MR_WARN_UNUSED;
mr_status mr_hlo_dynamic_slice(hlo_context *c) MR_WARN_UNUSED;
mr_status mr_hlo_dynamic_update_slice(hlo_context *c) MR_WARN_UNUSED;
mr_status mr_hlo_bitcast(hlo_context *c) MR_WARN_UNUSED;
mr_status mr_hlo_collective(hlo_context *c, mr_op_kind kind) MR_WARN_UNUSED;

// ---- hlo_control.c ---------------------------------------------------------------------------------------------------

mr_status mr_hlo_callee(hlo_context *c, size_t index, mr_function **out_function) MR_WARN_UNUSED;
mr_status mr_hlo_call(hlo_context *c) MR_WARN_UNUSED;
mr_status mr_hlo_while(hlo_context *c) MR_WARN_UNUSED;
mr_status mr_hlo_conditional(hlo_context *c) MR_WARN_UNUSED;
mr_status mr_hlo_scan_attrs(hlo_context *c, mr_draft *draft) MR_WARN_UNUSED;
mr_status mr_hlo_bottom_k(hlo_context *c) MR_WARN_UNUSED;  // the k smallest of each row and where they were
// reduce, reduce-window, scatter, select-and-scatter, sort, map, and all-reduce and its like.
mr_status mr_hlo_with_regions(hlo_context *c, mr_draft *draft, size_t count) MR_WARN_UNUSED;

// ---- hlo_async.c -----------------------------------------------------------------------------------------------------

mr_status mr_hlo_async_start(hlo_context *c, mr_op_kind kind) MR_WARN_UNUSED;
mr_status mr_hlo_collective_start(hlo_context *c, mr_op_kind kind) MR_WARN_UNUSED;
mr_status mr_hlo_copy_start(hlo_context *c, mr_op_kind kind) MR_WARN_UNUSED;
mr_status mr_hlo_done(hlo_context *c, mr_op_kind kind) MR_WARN_UNUSED;
mr_status mr_hlo_copy_done(hlo_context *c, mr_op_kind kind) MR_WARN_UNUSED;
mr_status mr_hlo_send(hlo_context *c, mr_op_kind kind) MR_WARN_UNUSED;
mr_status mr_hlo_send_done(hlo_context *c, mr_op_kind kind) MR_WARN_UNUSED;
mr_status mr_hlo_recv(hlo_context *c, mr_op_kind kind) MR_WARN_UNUSED;
mr_status mr_hlo_recv_done(hlo_context *c, mr_op_kind kind) MR_WARN_UNUSED;
mr_status mr_hlo_infeed(hlo_context *c, mr_op_kind kind) MR_WARN_UNUSED;
mr_status mr_hlo_outfeed(hlo_context *c, mr_op_kind kind) MR_WARN_UNUSED;

// ---- hlo_random.c ----------------------------------------------------------------------------------------------------

mr_status mr_hlo_rng(hlo_context *c, mr_op_kind kind) MR_WARN_UNUSED;
mr_status mr_hlo_rng_bit_generator(hlo_context *c, mr_op_kind kind) MR_WARN_UNUSED;
mr_status mr_hlo_rng_get_and_update_state(hlo_context *c, mr_op_kind kind) MR_WARN_UNUSED;
mr_status mr_hlo_stochastic_convert(hlo_context *c, mr_op_kind kind) MR_WARN_UNUSED;

// ---- hlo_custom.c ----------------------------------------------------------------------------------------------------

mr_status mr_hlo_custom_call(hlo_context *c) MR_WARN_UNUSED;
mr_status mr_hlo_composite(hlo_context *c) MR_WARN_UNUSED;
mr_status mr_hlo_tag(hlo_context *c) MR_WARN_UNUSED;  // after the instruction is read

#endif

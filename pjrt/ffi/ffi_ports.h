// Operands and results of a custom call as its handler wants them. Private to pjrt/ffi.
//
// Threads: made with a program, and not written after; the functions that run take what is one run's. Ownership: everything of a
// mr_ffi_ports is in its arena.
#ifndef MR_PJRT_FFI_FFI_PORTS_H
#define MR_PJRT_FFI_FFI_PORTS_H

#include "compiler/ir/ir.h"

// So many are on the stack of who runs a call.
enum { MR_FFI_STACK_PORTS = 64 };

// One operand or result.
typedef struct mr_ffi_port {
  int dtype;  // XLA's number
  size_t element_bytes, bytes;
  uint32_t rank;
  int64_t *dims;
  // Elements narrower than a byte: handlers take them packed, from the low bits up, where we give each its own byte.
  unsigned packed_bits;  // 0: not packed
  // Where the handler wants another order of dimensions than ours: its byte strides, and where its copy lies in scratch.
  int64_t *handler_strides, *our_strides;
  size_t scratch_offset;
  int32_t alias;  // of a result: the operand that shares its memory; -1: none
} mr_ffi_port;

typedef struct mr_ffi_ports {
  mr_arena arena;  // everything below
  char *target;
  uint32_t num_operands, num_results;
  mr_ffi_port *items;    // operands, then results
  size_t scratch_bytes;  // what a run wants for copies
} mr_ffi_ports;

// With the layouts and aliases that the op says. INVALID_ARGUMENT and UNIMPLEMENTED by what is wrong; the arena is the caller's to
// make before and to take apart after, also then.
mr_status mr_ffi_ports_fill(mr_ffi_ports *ports, const struct mr_op *op) MR_WARN_UNUSED;

// The memory that a handler sees for a port: ours, or its own copy in scratch.
void *mr_ffi_port_memory(const mr_ffi_port *port, void *ours, void *scratch);
void mr_ffi_port_copy_in(const mr_ffi_port *port, void *to, const void *ours);
// Of a result, when the handler is done.
void mr_ffi_port_copy_out(const mr_ffi_port *port, void *ours, const void *from);

#endif

// reader: bytes of a program to IR. Both forms, found by the first bytes: MLIR bytecode (4D 4C EF 52) of a StableHLO
// portable artifact, or MLIR text (pretty and generic).
//
// Bounded: no read outside the bytes, no unbounded recursion, memory at most a small multiple of the input.
// Errors: INVALID_ARGUMENT with the offset (bytecode) or line and column (text) and what was expected; UNIMPLEMENTED with
// the name of an op or attribute form that is legal and not supported.
#ifndef MR_COMPILER_READER_READER_H
#define MR_COMPILER_READER_READER_H

#include "compiler/ir/ir.h"

// The bytes are not kept.
mr_status mr_read_program(mr_span bytes, mr_module **out_module) MR_WARN_UNUSED;
mr_status mr_read_bytecode(mr_span bytes, mr_module **out_module) MR_WARN_UNUSED;
mr_status mr_read_text(mr_span bytes, mr_module **out_module) MR_WARN_UNUSED;

#endif

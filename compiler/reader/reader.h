// reader: bytes of a program to IR. MLIR comes in two forms, found by the first bytes: bytecode (4D 4C EF 52) of a StableHLO
// portable artifact, or text (pretty and generic; StableHLO, CHLO or the mhlo dialect's spelling of them). XLA's
// HloModuleProto is asked for by name, since nothing in its first bytes tells it from text.
//
// Bounded: no read outside the bytes, no unbounded recursion, memory at most a small multiple of the input.
// Errors: INVALID_ARGUMENT with the offset (bytecode) or line and column (text) and what was expected; UNIMPLEMENTED with
// the name of an op or attribute form that is legal and not supported.
//
// Threads: any; each call reads into a module of its own. Ownership: the module is the caller's, the bytes are borrowed until the call
// returns.
//
//   MR_TRY(mr_read_program(bytes, &module));
//   MR_TRY(mr_module_verify(module));
#ifndef MR_COMPILER_READER_READER_H
#define MR_COMPILER_READER_READER_H

#include "compiler/compiler.h"
#include "compiler/ir/ir.h"

// The bytes are not kept.
mr_status mr_read_program(mr_span bytes, mr_module **out_module) MR_WARN_UNUSED;
mr_status mr_read_bytecode(mr_span bytes, mr_module **out_module) MR_WARN_UNUSED;
mr_status mr_read_text(mr_span bytes, mr_module **out_module) MR_WARN_UNUSED;
// A serialized HloModuleProto; with_config: HloModuleProtoWithConfig, of which only the module is read.
mr_status mr_read_hlo(mr_span bytes, bool with_config, mr_module **out_module) MR_WARN_UNUSED;
// Whichever of them it is.
mr_status mr_read_as(mr_span bytes, mr_program_format format, mr_module **out_module) MR_WARN_UNUSED;
// The text of one dictionary attribute, `{..}`, for an op of `module`. What it holds lives in the module's arena.
mr_status mr_read_dict(mr_module *module, mr_str text, mr_attr *out) MR_WARN_UNUSED;

#endif

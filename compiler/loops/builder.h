// builder: what copies instructions from one loop program to another. Private to compiler/loops.
//
// Threads: as a program's that is being built. Errors are kept in the program, as those of all builders.
#ifndef MR_COMPILER_LOOPS_BUILDER_H
#define MR_COMPILER_LOOPS_BUILDER_H

#include "compiler/loops/loops.h"

// Appends `in`: its operands are values[...], its buffers buffers[...], and its share is [begin, end). What it makes is answered.
mr_lv mr_loop_copy_instr(mr_loop_program *to, const mr_loop_instr *in, const mr_lv *values, const mr_lbuf *buffers,
                         mr_lv begin, mr_lv end);

#endif

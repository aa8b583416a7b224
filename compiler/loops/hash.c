// The content hash of a loop program. Hashes packed records, not the structs, whose padding is not defined.
#include "compiler/loops/loops.h"

typedef struct record {
  uint64_t words[4];
} record;

static record instr_record(const mr_loop_instr *in) {
  return (record){{(uint64_t)in->code | (uint64_t)in->dtype << 8 | (uint64_t)in->kind << 16 | (uint64_t)in->flags << 32,
                   (uint64_t)in->a | (uint64_t)in->b << 32, (uint64_t)in->c | (uint64_t)in->buffer << 32,
                   in->imm ^ (uint64_t)in->buffer2 * 0x9E3779B97F4A7C15u}};
}

mr_hash128 mr_loop_hash(const mr_loop_program *program) {
  mr_hash128 hash = {program->num_params, 0};
  record block[64];
  size_t used = 0;
  for (uint32_t i = 0; i < program->num_buffers; i++) {
    const mr_loop_buffer *b = &program->buffers[i];
    block[used++] = (record){{b->dtype, b->flags, (uint64_t)b->count, i}};
    if (used == MR_ARRAY_SIZE(block)) {
      hash = mr_hash128_of(block, sizeof block, hash);
      used = 0;
    }
  }
  for (uint32_t i = 1; i < program->num_instrs; i++) {
    block[used++] = instr_record(&program->instrs[i]);
    if (used == MR_ARRAY_SIZE(block)) {
      hash = mr_hash128_of(block, sizeof block, hash);
      used = 0;
    }
  }
  return mr_hash128_of(block, used * sizeof *block, hash);
}

// The kernels of a plan as text, for devices whose drivers compile: equal programs have one entry, and many entries are one unit, since
// each unit that is built costs a driver tens of milliseconds. What the text cannot say, or the device not do, is left to the host where
// the target allows it.
#include <stdio.h>
#include <string.h>

#include "compiler/codegen/clc.h"
#include "compiler/plan/plan.h"
#include "compiler/plan/tuning.h"

// A program that has an entry.
typedef struct known_entry {
  mr_hash128 hash;
  uint32_t unit;
  const char *entry;  // NULL: the place is free
} known_entry;

typedef struct unit_maker {
  mr_executable *e;
  mr_clc_unit unit;  // being made
  known_entry *known;
  uint32_t mask;
} unit_maker;

// The place of a program's entry, or where it would be.
static known_entry *find_entry(const unit_maker *m, mr_hash128 hash) {
  uint32_t at = (uint32_t)hash.low & m->mask;
  while (m->known[at].entry && (m->known[at].hash.low != hash.low || m->known[at].hash.high != hash.high)) {
    at = (at + 1) & m->mask;
  }
  return &m->known[at];
}

// What is being made becomes a unit of the executable's.
static mr_status close_unit(unit_maker *m) {
  if (m->unit.num_kernels == 0) {
    return MR_OK;
  }
  mr_executable *e = m->e;
  mr_text text = {0};
  mr_status status = mr_clc_finish(&m->unit, &text);
  const char *source = status ? NULL : mr_arena_copy(&e->arena, text.data, text.size);
  if (!status && !source) {
    status = MR_NO_MEMORY();
  }
  if (!status) {
    mr_code_unit *unit = &e->units[e->num_units++];
    *unit = (mr_code_unit){.language = MR_CODE_OPENCL_C, .source = {source, text.size}};
    unit->key = mr_hash128_of(source, text.size, (mr_hash128){MR_CODE_OPENCL_C, 0});
    e->stats.code_bytes += text.size;
  }
  mr_text_deinit(&text);
  mr_clc_unit_deinit(&m->unit);
  m->unit = (mr_clc_unit){.target = &e->target};
  return status;
}

static mr_status add_entry(unit_maker *m, const mr_loop_program *program, known_entry *place) {
  char name[24];
  snprintf(name, sizeof name, "k%u", m->unit.num_kernels);
  const char *entry = mr_arena_copy(&m->e->arena, name, strlen(name) + 1);
  if (!entry) {
    return MR_NO_MEMORY();
  }
  MR_TRY(mr_clc_add(&m->unit, program, entry));
  *place = (known_entry){mr_loop_hash(program), m->e->num_units, entry};
  return MR_OK;
}

// Leaves the step without an entry when the host is to run it.
static mr_status give_entry(unit_maker *m, plan_step *step) {
  known_entry *place = find_entry(m, mr_loop_hash(step->launch.program));
  if (!place->entry) {
    bool full = m->unit.num_kernels >= MR_PLAN_UNIT_KERNELS || m->unit.kernels.size >= MR_PLAN_UNIT_BYTES;
    MR_TRY(full ? close_unit(m) : MR_OK);
    mr_status status = add_entry(m, step->launch.program, place);
    mr_code code = mr_status_code(status);
    if (m->e->target.host_steps && (code == MR_UNIMPLEMENTED || code == MR_RESOURCE_EXHAUSTED)) {
      mr_status_free(status);
      return MR_OK;
    }
    MR_TRY(mr_status_note(status, "%s", step->name));
  }
  step->entry = place->entry;
  step->unit = &m->e->units[place->unit];
  mr_loop_release(step->launch.program);
  step->launch.program = NULL;
  return MR_OK;
}

mr_status mr_planner_units(planner *p, plan_step *const *steps, uint32_t count) {
  mr_executable *e = p->executable;
  unit_maker m = {.e = e, .unit = {.target = &e->target}, .mask = 63};
  while (m.mask < 2 * count) {
    m.mask = 2 * m.mask + 1;
  }
  m.known = mr_arena_array(&p->module->arena, known_entry, m.mask + 1);
  e->units = mr_arena_array(&e->arena, mr_code_unit, count + 1);
  if (!m.known || !e->units) {
    return MR_NO_MEMORY();
  }
  uint64_t start = mr_trace_begin();
  mr_status status = MR_OK;
  for (uint32_t i = 0; !status && i < count; i++) {
    status = give_entry(&m, steps[i]);
  }
  status = status ? status : close_unit(&m);
  mr_clc_unit_deinit(&m.unit);
  mr_trace_end(MR_TRACE_COMPILE, "units", start);
  return status;
}

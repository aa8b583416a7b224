// The simulator's list scheduling, on plans whose times can be told by hand.
#include "tests/cmocka.h"

#include <math.h>

#include "tools/simulate/schedule.c"  // the tool is a program, not a library

static const sim_machine machine = {.units = 1,
                                    .per_package = 64,
                                    .wake_ns = 30000,
                                    .handover_ns = 1000,
                                    .spin_ns = 60000,
                                    .unit_bytes_per_ns = 10,
                                    .package_bytes_per_ns = 15};

static void close_to(double got, double wanted) {
  if (fabs(got - wanted) > 1e-6 * wanted + 1e-3) {
    fail_msg("%f, wanted %f", got, wanted);
  }
}

static sim_outcome run(const sim_plan *plan, uint32_t units) {
  sim_machine m = machine;
  m.units = units;
  sim_outcome out;
  assert_null(sim_run(plan, &m, &out));
  // Every unit does something at every moment.
  close_to(out.busy_ns + out.dependency_ns + out.imbalance_ns + out.handover_ns + out.bandwidth_ns,
           out.total_ns * units);
  assert_true(out.total_ns >= out.critical_ns - 1e-3);
  return out;
}

// One unit takes the sum, whatever depends on what.
static void test_one_unit(void **state) {
  (void)state;
  sim_section sections[] = {
      {.alone_ns = 100, .loop_ns = 900000, .estimate_ns = 900000, .pieces = 64}, {.alone_ns = 50}, {.alone_ns = 1000}};
  sim_step steps[] = {{.first = 0, .count = 2, .duration_ns = 900150}, {.first = 2, .count = 1, .duration_ns = 1000}};
  uint32_t input = 0;
  sim_strand strands[] = {{.first = 0, .count = 1}, {.first = 1, .count = 1, .inputs = &input, .num_inputs = 1}};
  sim_plan plan = {
      .sections = sections, .steps = steps, .strands = strands, .num_steps = 2, .num_strands = 2, .around_ns = 500};
  sim_outcome out = run(&plan, 1);
  close_to(out.total_ns, 500 + 900150 + 1000);
  close_to(out.busy_ns, out.total_ns);
}

// Strands that do not depend on one another run beside one another; what comes after both waits for the longer.
static void test_strands(void **state) {
  (void)state;
  sim_section sections[] = {{.alone_ns = 20000}, {.alone_ns = 30000}, {.alone_ns = 5000}};
  sim_step steps[] = {{.first = 0, .count = 1}, {.first = 1, .count = 1}, {.first = 2, .count = 1}};
  uint32_t inputs[] = {0, 1};
  sim_strand strands[] = {
      {.first = 0, .count = 1}, {.first = 1, .count = 1}, {.first = 2, .count = 1, .inputs = inputs, .num_inputs = 2}};
  sim_plan plan = {.sections = sections, .steps = steps, .strands = strands, .num_steps = 3, .num_strands = 3};
  // The longer one goes first, where it is; the other is handed over.
  sim_outcome out = run(&plan, 2);
  close_to(out.total_ns, 30000 + 5000);
  close_to(out.critical_ns, 35000);
  close_to(out.handover_ns, 1000);
  close_to(run(&plan, 1).total_ns, 55000);
  close_to(run(&plan, 8).total_ns, 35000);
}

static sim_plan one_loop(sim_section *section, sim_step *step, sim_strand *strand) {
  *step = (sim_step){.count = 1, .duration_ns = section->loop_ns};
  *strand = (sim_strand){.count = 1};
  return (sim_plan){.sections = section, .steps = step, .strands = strand, .num_steps = 1, .num_strands = 1};
}

// A loop is shared in pieces as the scheduler cuts them; a helper that looks around comes after the hand-over.
static void test_loop(void **state) {
  (void)state;
  sim_section section = {.loop_ns = 1600000, .estimate_ns = 1600000, .pieces = 1000};
  sim_step step;
  sim_strand strand;
  sim_plan plan = one_loop(&section, &step, &strand);
  sim_outcome out = run(&plan, 2);
  // 16 pieces of 100 us: the helper begins 1 us later and makes 8 of them.
  close_to(out.total_ns, 801000);
  close_to(out.imbalance_ns, 1000);
  section.pieces = 3;
  close_to(run(&plan, 8).total_ns, 1600000.0 / 3 + 1000);
}

// A helper's first piece takes longer by what it has to get out of another cache.
static void test_cold_helper(void **state) {
  (void)state;
  sim_section section = {.loop_ns = 1600000, .estimate_ns = 1600000, .pieces = 2};
  sim_step step;
  sim_strand strand;
  sim_plan plan = one_loop(&section, &step, &strand);
  step.touched = 1e6;
  sim_machine m = machine;
  m.units = 2;
  m.own_cache_bytes = 1e6;
  m.fetch_bytes_per_ns = 20;
  sim_outcome out;
  assert_null(sim_run(&plan, &m, &out));
  close_to(out.total_ns, 800000 + 1000 + 500000 / 20.0);
  m.own_cache_bytes = 1e5;
  assert_null(sim_run(&plan, &m, &out));
  close_to(out.total_ns, 800000 + 1000 + 100000 / 20.0);
}

// What is not worth a helper stays where it is.
static void test_small_loop(void **state) {
  (void)state;
  sim_section section = {.loop_ns = 10000, .estimate_ns = 10000, .pieces = 1000};
  sim_step step;
  sim_strand strand;
  sim_plan plan = one_loop(&section, &step, &strand);
  sim_outcome out = run(&plan, 4);
  close_to(out.total_ns, 10000);
  close_to(out.dependency_ns, 30000);
}

// Helpers that sleep are woken one by another.
static void test_sleepers(void **state) {
  (void)state;
  sim_section section = {.alone_ns = 1e6, .loop_ns = 8e6, .estimate_ns = 8e6, .pieces = 8000};
  sim_step step;
  sim_strand strand;
  sim_plan plan = one_loop(&section, &step, &strand);
  sim_outcome out = run(&plan, 2);
  // 16 pieces of 500 us, the helper 30 us late.
  close_to(out.total_ns, 1e6 + 8 * 500000 + 30000);
  assert_true(run(&plan, 16).handover_ns >= 15 * 30000);
}

// Two units that ask for 10 bytes each in a nanosecond get 15 together.
static void test_bandwidth(void **state) {
  (void)state;
  sim_section section = {.loop_ns = 1600000, .estimate_ns = 1600000, .pieces = 1000};
  sim_step step;
  sim_strand strand;
  sim_plan plan = one_loop(&section, &step, &strand);
  step.bytes = 16e6;
  sim_outcome two = run(&plan, 2), one = run(&plan, 1);
  close_to(one.total_ns, 1600000);
  close_to(one.memory_ns, 1600000);
  close_to(two.memory_ns, 16e6 / 15);
  assert_true(two.total_ns > 1.6e6 * 10 / 15 && two.total_ns < 1.15 * 1.6e6 * 10 / 15);
  assert_true(two.bandwidth_ns > 0.2 * two.busy_ns);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_unit),   cmocka_unit_test(test_strands),
                                     cmocka_unit_test(test_loop),       cmocka_unit_test(test_cold_helper),
                                     cmocka_unit_test(test_small_loop), cmocka_unit_test(test_sleepers),
                                     cmocka_unit_test(test_bandwidth)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

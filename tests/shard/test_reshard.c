// From any tiling to any other: each device has what it should, whatever way was taken.
#include <stdlib.h>

#include "compiler/shard/reshard.h"
#include "tests/compiler/pass_text.h"
#include "tests/shard/lockstep.h"

// Meshes whose axes all have their place in one grid.
static mr_mesh mesh_of(uint32_t count, mr_axis *axes, const int64_t *sizes) {
  static const char *const names[] = {"x", "y", "z"};
  for (uint32_t i = 0; i < count; i++) {
    axes[i] = (mr_axis){mr_str_of(names[i]), sizes[i]};
  }
  return (mr_mesh){.name = mr_str_of("mesh"), .num_axes = count, .axes = axes, .maximal = -1};
}

static mr_grid grid_of(uint32_t count, const int64_t *sizes) {
  mr_axis axes[3];
  mr_mesh mesh = mesh_of(count, axes, sizes);
  mr_grid grid;
  assert_ok(mr_grid_make(mr_mesh_devices(&mesh), (const mr_mesh *[]){&mesh}, 1, &grid));
  return grid;
}

// ---- What each device has -------------------------------------------------------------------------------------------------

// The device that has what this one would have if there were no order.
static int64_t in_order(const mr_tiling *tiling, int64_t device) {
  return tiling->order ? tiling->order[device] : device;
}

static int64_t index_along(const mr_grid *grid, int64_t device, uint8_t atom) {
  return device / grid->stride[atom] % grid->size[atom];
}

static int64_t shard_of(const mr_grid *grid, int64_t device, const mr_atoms *atoms) {
  int64_t shard = 0;
  for (uint32_t i = 0; i < atoms->count; i++) {
    shard = shard * grid->size[atoms->ids[i]] + index_along(grid, device, atoms->ids[i]);
  }
  return shard;
}

// The element of the whole that is at `index` of the device's part; -1: behind the end.
static int64_t global_index(const mr_grid *grid, const mr_type *global, const mr_type *local, const mr_tiling *tiling,
                            int64_t device, int64_t index) {
  int64_t out = 0, scale = 1;
  for (uint32_t d = global->rank; d-- > 0;) {
    int64_t at = index % local->dims[d] + shard_of(grid, device, &tiling->dims[d]) * local->dims[d];
    index /= local->dims[d];
    if (at >= global->dims[d]) {
      return -1;
    }
    out += at * scale;
    scale *= global->dims[d];
  }
  return out;
}

// Of the element at `index` for the devices that are where this one is along `manual`, whose value is another one elsewhere.
static int64_t content(const mr_grid *grid, uint32_t manual, int64_t device, int64_t index) {
  int64_t place = 0;
  for (uint8_t a = 0; a < grid->num_atoms; a++) {
    place = manual >> a & 1 ? place * grid->size[a] + index_along(grid, device, a) : place;
  }
  return 1000 + 7 * index + 100000 * place;
}

// Parts of a sum: along unreduced atoms the summands add up to the content.
static int64_t summand(const mr_grid *grid, const mr_tiling *tiling, int64_t device, int64_t whole) {
  int64_t parts = 1, number = 0;
  for (uint8_t a = 0; a < grid->num_atoms; a++) {
    if (tiling->unreduced >> a & 1) {
      parts *= grid->size[a];
      number = number * grid->size[a] + index_along(grid, device, a);
    }
  }
  return number ? 3 * number : whole - 3 * parts * (parts - 1) / 2;
}

static int64_t *part_of(const mr_grid *grid, const mr_type *global, const mr_type *local, const mr_tiling *tiling,
                        uint32_t manual, int64_t device) {
  int64_t count = mr_type_count(local), *part = malloc((size_t)MR_MAX(count, 1) * sizeof *part);
  assert_non_null(part);
  for (int64_t i = 0; i < count; i++) {
    int64_t at = global_index(grid, global, local, tiling, device, i);
    part[i] = at < 0 ? -987654321 : summand(grid, tiling, device, content(grid, manual, device, at));
  }
  return part;
}

// The sum over the devices that differ along unreduced atoms only is the content.
static void check(const lockstep *machine, const mr_value *y, const mr_grid *grid, const mr_type *global,
                  const mr_type *local, const mr_tiling *to, uint32_t manual) {
  for (int64_t device = 0; device < grid->num_devices; device++) {
    for (int64_t i = 0; i < mr_type_count(local); i++) {
      int64_t at = global_index(grid, global, local, to, device, i), sum = 0;
      for (int64_t other = 0; at >= 0 && other < grid->num_devices; other++) {
        bool counts = true;
        for (uint8_t a = 0; a < grid->num_atoms; a++) {
          counts &= to->unreduced >> a & 1 || index_along(grid, other, a) == index_along(grid, device, a);
        }
        sum += counts ? lockstep_get(machine, y, in_order(to, other))[i] : 0;
      }
      int64_t wanted = content(grid, manual, device, at);
      if (at >= 0 && sum != wanted) {
        mr_text text = {0};
        mr_module_print(machine->function->module, &text);
        fail_msg("device %lld has %lld at %lld, wanted %lld\n%s", (long long)device, (long long)sum, (long long)i,
                 (long long)wanted, text.data);
      }
    }
  }
}

// Gives the bytes that were moved. The atoms of `manual` are no tiling's: the program itself spreads over them.
static uint64_t reshard(const mr_grid *grid, uint32_t rank, const int64_t *dims, const mr_tiling *from,
                        const mr_tiling *to, uint32_t manual) {
  mr_module *module;
  assert_ok(mr_module_create(0, &module));
  mr_type global = mr_type_tensor(module, MR_S64, rank, dims);
  mr_type local = mr_tiling_local(module, grid, &global, from), after = mr_tiling_local(module, grid, &global, to);
  mr_function *function = mr_module_add_function(module, mr_str_of("main"), true, 1, &local, 1, &after);
  mr_spread spread;
  mr_spread_init(&spread, module, grid, function);
  spread.manual = manual;
  mr_builder b = mr_builder_at_end(&function->body);
  mr_value *y = mr_reshard(&spread, &b, function->body.args[0], &global, from, to);
  assert_ok(mr_module_memory(module));
  assert_non_null(y);
  assert_true(mr_type_equal(&y->type, &after));
  mr_build_return(&b, 1, &y);
  assert_ok(mr_module_verify(module));
  lockstep_value *parts = malloc((size_t)grid->num_devices * sizeof *parts);
  assert_non_null(parts);
  for (int64_t device = 0; device < grid->num_devices; device++) {
    parts[in_order(from, device)] = part_of(grid, &global, &local, from, manual, device);
  }
  lockstep machine;
  lockstep_run(&machine, function, grid->num_devices, parts);
  check(&machine, y, grid, &global, &after, to, manual);
  lockstep_deinit(&machine);
  for (int64_t device = 0; device < grid->num_devices; device++) {
    free(parts[device]);
  }
  free(parts);
  mr_module_release(module);
  return spread.bytes_moved;
}

// ---- Random tilings -------------------------------------------------------------------------------------------------------

static uint64_t state_of_random = 88172645463325252u;
static uint32_t below(uint32_t limit) {
  state_of_random ^= state_of_random << 13;
  state_of_random ^= state_of_random >> 7;
  state_of_random ^= state_of_random << 17;
  return (uint32_t)(state_of_random >> 32) % limit;
}

static mr_tiling random_tiling(const mr_grid *grid, uint32_t rank, bool sums, uint32_t manual) {
  mr_tiling t = mr_tiling_replicated(rank);
  uint32_t left = ((UINT32_C(1) << grid->num_atoms) - 1) & ~manual;
  for (uint32_t tries = below(2 * grid->num_atoms + 1); rank && tries > 0; tries--) {
    uint8_t atom = (uint8_t)below(grid->num_atoms);
    if (left >> atom & 1) {
      left &= ~(UINT32_C(1) << atom);
      mr_atoms *list = &t.dims[below(rank)];
      list->ids[list->count++] = atom;
    }
  }
  t.unreduced = sums ? left & below(UINT32_C(1) << grid->num_atoms) : 0;
  return t;
}

static void test_any_to_any(void **state) {
  (void)state;
  static const int64_t order[12] = {3, 0, 2, 1, 5, 7, 6, 4, 9, 8, 11, 10};  // of 8 devices as well
  static const int64_t meshes[][3] = {{8, 1, 1}, {4, 2, 1}, {2, 2, 2}, {6, 2, 1}, {3, 3, 1}, {2, 3, 2}, {5, 2, 1}};
  enum { ROUNDS = MR_TEST_SANITIZED ? 400 : 3000 };
  for (uint32_t round = 0; round < ROUNDS; round++) {
    const int64_t *sizes = meshes[below(MR_ARRAY_SIZE(meshes))];
    mr_grid grid = grid_of(sizes[2] > 1 ? 3 : sizes[1] > 1 ? 2 : 1, sizes);
    uint32_t rank = below(4);
    int64_t dims[3];
    for (uint32_t d = 0; d < rank; d++) {
      dims[d] = below(10) == 0 ? 0 : 1 + below(round % 2 ? 9 : 4) * (round % 2 ? 1 : 4);
    }
    uint32_t manual = round % 4 == 0 ? below(UINT32_C(1) << grid.num_atoms) : 0;
    mr_tiling from = random_tiling(&grid, rank, round % 3 == 0, manual),
              to = random_tiling(&grid, rank, round % 5 == 0, manual);
    if (!manual && (grid.num_devices == 8 || grid.num_devices == 12)) {
      from.order = round % 7 == 0 ? order : NULL;
      to.order = round % 11 == 0 ? order : NULL;
    }
    (void)reshard(&grid, rank, dims, &from, &to, manual);
  }
}

// ---- The way that is taken ------------------------------------------------------------------------------------------------

static mr_tiling tiling(uint32_t rank, const char *const *dims) {
  mr_tiling t = mr_tiling_replicated(rank);
  for (uint32_t d = 0; d < rank; d++) {
    for (const char *c = dims[d]; *c; c++) {
      t.dims[d].ids[t.dims[d].count++] = (uint8_t)(*c - '0');
    }
  }
  return t;
}

// On a mesh of 4 by 2, atoms 0 and 1 are the first axis, 2 is the second. Bytes that a device receives of 64 x 64 elements of
// 8 bytes.
static void test_bytes(void **state) {
  (void)state;
  static const struct {
    const char *from[2], *to[2];
    uint64_t bytes;
  } rows[] = {
      {{"01", ""}, {"01", ""}, 0},
      {{"", ""}, {"01", "2"}, 0},
      {{"01", ""}, {"012", ""}, 0},
      {{"01", ""}, {"01", "2"}, 0},
      {{"01", ""}, {"", ""}, 3 * 8192},             // gathered
      {{"01", "2"}, {"01", ""}, 4096},              // along the second axis only
      {{"01", ""}, {"", "01"}, 8192 / 4 * 3},       // exchanged
      {{"012", ""}, {"201", ""}, 4096},             // permuted
      {{"01", ""}, {"2", ""}, 8192 + 8192},         // permuted, and gathered in pairs
      {{"01", "2"}, {"2", "01"}, 4096 + 4096 / 2},  // permuted and exchanged
  };
  mr_grid grid = grid_of(2, (const int64_t[]){4, 2});
  const int64_t dims[] = {64, 64};
  for (size_t i = 0; i < MR_ARRAY_SIZE(rows); i++) {
    mr_tiling from = tiling(2, rows[i].from), to = tiling(2, rows[i].to);
    assert_int_equal(reshard(&grid, 2, dims, &from, &to, 0), rows[i].bytes);
  }
}

// A sum whose parts are wanted on different devices is not made whole anywhere.
static void test_sums(void **state) {
  (void)state;
  mr_grid grid = grid_of(2, (const int64_t[]){4, 2});
  const int64_t dims[] = {64, 64};
  mr_tiling sum = mr_tiling_replicated(2), to = tiling(2, (const char *const[]){"01", ""});
  sum.unreduced = 3;
  assert_int_equal(reshard(&grid, 2, dims, &sum, &to, 0), 64 * 64 * 8 / 4 * 3);
  to = mr_tiling_replicated(2);
  assert_int_equal(reshard(&grid, 2, dims, &sum, &to, 0), 64 * 64 * 8);
}

// ---- Meshes ---------------------------------------------------------------------------------------------------------------

static void test_grids(void **state) {
  (void)state;
  mr_axis one[3], two[3];
  mr_mesh a = mesh_of(2, one, (const int64_t[]){4, 2}), b = mesh_of(2, two, (const int64_t[]){2, 4});
  mr_grid grid;
  assert_ok(mr_grid_make(8, (const mr_mesh *[]){&a, &b}, 2, &grid));
  assert_int_equal(grid.num_atoms, 3);
  mr_axis_ref part = {.axis = 1, .pre = 2, .size = 2};
  mr_axis_list list = {1, &part};
  mr_atoms atoms;
  assert_ok(mr_atoms_of(&grid, &b, &list, &atoms));
  assert_int_equal(atoms.count, 1);
  assert_int_equal(atoms.ids[0], 2);
  mr_mesh c = mesh_of(2, one, (const int64_t[]){2, 3}), d = mesh_of(2, two, (const int64_t[]){3, 2});
  mr_status status = mr_grid_make(6, (const mr_mesh *[]){&c, &d}, 2, &grid);
  assert_int_equal(mr_status_code(status), MR_UNIMPLEMENTED);
  mr_status_free(status);
  status = mr_grid_make(8, (const mr_mesh *[]){&c}, 1, &grid);
  assert_int_equal(mr_status_code(status), MR_INVALID_ARGUMENT);
  mr_status_free(status);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_any_to_any),
      cmocka_unit_test(test_bytes),
      cmocka_unit_test(test_sums),
      cmocka_unit_test(test_grids),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

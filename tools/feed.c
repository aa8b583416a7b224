// The program's file, and which of its parameters gets which array.
#include "tools/feed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/commands.h"
#include "tools/element.h"

// ---- The command line -----------------------------------------------------------------------------------------------

const char feed_input_wanted[] = "a .npy or .npz file, or NAME=FILE for the input of that name";

// NAME=FILE, unless there is a file whose name has a = in it.
bool feed_take_input(void *list, const char *value) {
  npy_list *inputs = list;
  const char *equals = strchr(value, '=');
  if (!equals || access(value, F_OK) == 0) {
    return npy_read_inputs(value, inputs);
  }
  size_t before = inputs->size, name_size = (size_t)(equals - value);
  if (name_size == 0 || name_size >= sizeof inputs->arrays->name) {
    return false;
  }
  if (!npy_read_inputs(equals + 1, inputs)) {
    return false;
  }
  if (inputs->size != before + 1) {
    fprintf(stderr, "millrace: %s has %zu arrays\n", equals + 1, inputs->size - before);
    return false;
  }
  npy_array *array = &inputs->arrays[before];
  memcpy(array->name, value, name_size);
  array->name[name_size] = '\0';
  array->by_name = true;
  return true;
}

// ---- Weights --------------------------------------------------------------------------------------------------------

// What lies beside the program under its own name with another ending.
static char *find_beside(const char *program_path) {
  static const char *const endings[] = {".safetensors", ".npz"};
  const char *slash = strrchr(program_path, '/'), *dot = strrchr(program_path, '.');
  size_t stem = dot && dot > (slash ? slash + 1 : program_path) ? (size_t)(dot - program_path) : strlen(program_path);
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    char *path = NULL;
    if (asprintf(&path, "%.*s%s", (int)stem, program_path, endings[i]) < 0) {
      return NULL;
    }
    if (strcmp(path, program_path) != 0 && access(path, F_OK) == 0) {
      return path;
    }
    free(path);
  }
  return NULL;
}

// What lies beside a program may be something else, as arrays to try it with: then it is left alone.
static bool open_weights(feed *f) {
  if (f->weights_path) {
    return !*f->weights_path || command_report(millrace_weights_open(f->weights_path, &f->weights));
  }
  f->beside = find_beside(f->program_path);
  millrace_error *error = f->beside ? millrace_weights_open(f->beside, &f->weights) : NULL;
  if (error && asprintf(&f->beside_note, "%s, beside the program, has no weights: %s", f->beside,
                        millrace_error_message(error)) < 0) {
    f->beside_note = NULL;
  }
  millrace_error_free(error);
  return true;
}

const char *feed_weights_path(const feed *f) {
  return !f->weights ? NULL : f->weights_path ? f->weights_path : f->beside;
}

static bool weights_fit(const feed *f, const feed_parameter *p, millrace_array array) {
  millrace_type type = p->port.type, got = {.dtype = array.dtype, .dims = array.dims, .rank = array.rank};
  bool fits = type.dtype == array.dtype && type.rank == array.rank;
  for (size_t d = 0; fits && d < type.rank; d++) {
    fits = type.dims[d] == array.dims[d] || type.dims[d] == MILLRACE_OPEN;
  }
  if (!fits) {
    char has[256], wanted[256];
    fprintf(stderr, "millrace: %s has %s as %s, the program as %s\n", feed_weights_path(f), p->port.name,
            element_type_text(got, NULL, has, sizeof has),
            element_type_text(type, p->port.symbols, wanted, sizeof wanted));
  }
  return fits;
}

static bool complain_of_weights(const feed *f) {
  size_t count = millrace_weights_count(f->weights);
  fprintf(stderr, "millrace: %s has no array of the name of a parameter; it has %zu%s%s, the program %zu%s%s\n",
          f->weights_path, count, count ? ", the first is " : "", count ? millrace_weights_name(f->weights, 0) : "",
          f->num_parameters, f->num_parameters ? ", the first is " : "",
          f->num_parameters ? f->parameters[0].port.name : "");
  return false;
}

// Whether there is an array for each parameter by position: who gives all of them means no weights that happen to lie there.
static bool all_are_given(const feed *f) {
  size_t arrays = 0, wanted = 0;
  for (size_t k = 0; k < f->inputs.size; k++) {
    arrays += !f->inputs.arrays[k].by_name;
  }
  for (size_t i = 0; i < f->num_parameters; i++) {
    wanted += f->parameters[i].source == FEED_NOTHING;
  }
  return arrays == wanted;
}

static bool assign_weights(feed *f) {
  size_t bound = 0;
  if (f->weights && !f->weights_path && all_are_given(f)) {
    millrace_weights_release(f->weights);
    f->weights = NULL;
  }
  for (size_t i = 0; f->weights && i < f->num_parameters; i++) {
    feed_parameter *p = &f->parameters[i];
    size_t index = millrace_weights_find(f->weights, p->port.name);
    if (index == SIZE_MAX || p->source != FEED_NOTHING) {
      continue;
    }
    if (!weights_fit(f, p, millrace_weights_array(f->weights, index))) {
      return false;
    }
    p->source = FEED_WEIGHTS;
    p->index = index;
    bound++;
  }
  if (f->weights && !bound && !f->weights_path) {
    millrace_weights_release(f->weights);  // arrays for something else
    f->weights = NULL;
  }
  return !f->weights || bound || complain_of_weights(f);
}

// ---- Arrays that were given -----------------------------------------------------------------------------------------

// Whether the program calls the parameter this; else its port has a name that was made up for it.
static bool is_named(const feed *f, size_t i) {
  char made_up[32];
  snprintf(made_up, sizeof made_up, "input%zu", i);
  return strcmp(f->parameters[i].port.name, made_up) != 0;
}

static bool array_fits(const npy_array *array, millrace_type type) {
  bool kind_fits = array->kind == element_numpy_kind(type.dtype) || array->kind == 'V';
  bool fits = kind_fits && array->item_bytes == millrace_dtype_bytes(type.dtype) && array->rank == type.rank;
  for (size_t d = 0; fits && d < type.rank; d++) {
    fits = type.dims[d] == array->dims[d] || type.dims[d] == MILLRACE_OPEN;
  }
  return fits;
}

// Also where it is a shape that is wrong: the last dimension tells which.
static bool assign(feed *f, size_t i, size_t index) {
  feed_parameter *p = &f->parameters[i];
  const npy_array *array = &f->inputs.arrays[index];
  if (!array_fits(array, p->port.type)) {
    char wanted[256];
    millrace_type got = {.dims = array->dims, .rank = array->rank};
    fprintf(stderr, "millrace: parameter %zu is a %s, the input a NumPy array of rank %zu and type %c%zu", i,
            element_type_text(p->port.type, p->port.symbols, wanted, sizeof wanted), array->rank, array->kind,
            array->item_bytes);
    for (size_t d = 0; d < got.rank; d++) {
      fprintf(stderr, "%s%lld", d ? "x" : ", of shape ", (long long)got.dims[d]);
    }
    fputs("\n", stderr);
    return false;
  }
  p->source = FEED_GIVEN;
  p->index = index;
  return true;
}

static bool complain_of_name(const feed *f, const char *name) {
  fprintf(stderr, "millrace: no input is called %s; the program's are", name);
  for (size_t i = 0; i < f->num_parameters; i++) {
    fprintf(stderr, "%s %s", i ? "," : "", f->parameters[i].port.name);
  }
  fputs(f->num_parameters ? "\n" : " none\n", stderr);
  return false;
}

// By name: what the command line says so of, and arrays of an archive that are called as an input is.
static bool assign_by_name(feed *f) {
  for (size_t k = 0; k < f->inputs.size; k++) {
    npy_array *array = &f->inputs.arrays[k];
    size_t i = array->name[0] ? millrace_model_find_input(f->model, array->name) : SIZE_MAX;
    if (i == SIZE_MAX) {
      if (array->by_name) {
        return complain_of_name(f, array->name);
      }
      continue;
    }
    if (f->parameters[i].source == FEED_GIVEN) {
      fprintf(stderr, "millrace: the input %s was given twice\n", array->name);
      return false;
    }
    array->by_name = true;
    if (!assign(f, i, k)) {
      return false;
    }
  }
  return true;
}

static void print_wanted(const feed *f, size_t i) {
  char text[256];
  millrace_port port = f->parameters[i].port;
  fprintf(stderr, "  in%zu: %s, a NumPy array of type %c%zu%s%s%s\n", i,
          element_type_text(port.type, port.symbols, text, sizeof text), element_numpy_kind(port.type.dtype),
          millrace_dtype_bytes(port.type.dtype), port.donated ? ", donated" : "", is_named(f, i) ? ", " : "",
          is_named(f, i) ? port.name : "");
}

static bool complain_of_count(const feed *f) {
  size_t weights = 0;
  for (size_t i = 0; i < f->num_parameters; i++) {
    weights += f->parameters[i].source == FEED_WEIGHTS;
  }
  fprintf(stderr, "millrace: the program has %zu parameters%s, the inputs are %zu arrays; wanted are\n",
          f->num_parameters - weights, weights ? " that are no weights" : "", f->inputs.size);
  for (size_t i = 0; i < f->num_parameters; i++) {
    if (f->parameters[i].source != FEED_WEIGHTS) {
      print_wanted(f, i);
    }
  }
  if (f->beside_note) {
    fprintf(stderr, "%s\n", f->beside_note);
  }
  return false;
}

static bool assign_by_position(feed *f) {
  size_t i = 0;
  for (size_t k = 0; k < f->inputs.size; k++) {
    if (f->inputs.arrays[k].by_name) {
      continue;
    }
    while (i < f->num_parameters && f->parameters[i].source != FEED_NOTHING) {
      i++;
    }
    if (i == f->num_parameters) {
      return complain_of_count(f);
    }
    if (!assign(f, i, k)) {
      return false;
    }
  }
  return true;
}

bool feed_is_complete(const feed *f) {
  for (size_t i = 0; i < f->num_parameters; i++) {
    if (f->parameters[i].source == FEED_NOTHING) {
      return complain_of_count(f);
    }
  }
  return true;
}

// ---- Opening --------------------------------------------------------------------------------------------------------

static bool list_parameters(feed *f) {
  f->num_parameters = millrace_model_input_count(f->model);
  f->parameters = calloc(f->num_parameters + 1, sizeof *f->parameters);
  for (size_t i = 0; f->parameters && i < f->num_parameters; i++) {
    f->parameters[i].port = millrace_model_input(f->model, i);
    if (f->parameters[i].port.type.rank > NPY_MAX_RANK) {
      fprintf(stderr, "millrace: %s: parameter %zu has %zu dimensions, the most are %d\n", f->program_path, i,
              f->parameters[i].port.type.rank, NPY_MAX_RANK);
      return false;
    }
  }
  return f->parameters != NULL;
}

bool feed_open(feed *f) {
  const millrace_context_options context = {.struct_size = sizeof context, .num_devices = (uint32_t)f->num_devices};
  const millrace_model_options model = {.struct_size = sizeof model, .weights_path = ""};
  if (!command_report(millrace_context_create(&context, &f->context))) {
    return false;
  }
  f->bytes = npy_slurp(f->program_path, &f->size);
  if (!f->bytes || !command_report(millrace_model_load(f->context, f->bytes, f->size, &model, &f->model))) {
    return false;
  }
  if (!list_parameters(f) || !open_weights(f) || !assign_by_name(f) || !assign_weights(f) || !assign_by_position(f)) {
    return false;
  }
  for (size_t i = 0; f->makes_up && i < f->num_parameters; i++) {
    f->parameters[i].source = f->parameters[i].source ? f->parameters[i].source : FEED_MADE_UP;
  }
  return true;
}

void feed_close(feed *f) {
  for (size_t i = 0; f->parameters && i < f->num_parameters; i++) {
    free(f->parameters[i].owned);
  }
  free(f->parameters);
  free(f->devices);
  free(f->sizes.list);
  free(f->shapes.list);
  free(f->beside);
  free(f->beside_note);
  free(f->bytes);
  npy_list_free(&f->inputs);
  millrace_weights_release(f->weights);
  millrace_model_release(f->model);
  millrace_context_release(f->context);
}

// Pictures in, classes out: decode, preprocess, model and postprocess as one frozen graph, with a model that JAX exported.
//
//   cc examples/classify.c $(pkg-config --cflags --libs millrace) -o classify
//   cat pictures/*.pgm pictures/*.ppm | ./classify model.mlirbc      one line for each: its number, its class and the class's score
//   cat pictures/*.pgm | ./classify model.mlirbc 20                  who takes the classes needs 20 ms for each
//
//   decode -> preprocess -> model -> postprocess
//
// The model has one input [n, height, width] of f32 in [0, 1], whose n may be open, and one output [n, classes] of f32. Its weights lie
// beside it (model.safetensors). Pictures are PGM or PPM files (P5 or P6, 8 bits) of any sizes, one after another on the standard input.
//
// This thread only reads bytes and prints classes, in the order of the pictures. A run of the graph is one picture; `model` takes no thread
// while the model runs, and ends when the result is there. There are places for 8 pictures: who prints may be slow, then reading waits
// for the oldest, and the memory holds 8 pictures however many come. A picture that is not well fails alone, and is named.
#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <millrace/engine.h>

enum { AT_ONCE = 8, MAX_SIZE = 16384 };

// A picture from its bytes to its class: the context of a run.
typedef struct picture {
  int number, width, height, greatest;
  int samples;            // of a pixel: 1 gray, 3 red, green and blue
  unsigned char *pixels;  // grows to the largest picture that this place has had
  size_t room;
  float *scores;  // by class
  int best;
  millrace_event *ended;  // NULL: nothing is under way here
} picture;

static millrace_model *model;
static int rows, columns, classes, slow_ms;
static uint32_t input_slot, scores_slot;

static void tell(millrace_error *error) {
  fprintf(stderr, "%s: %s\n", millrace_code_name(millrace_error_code(error)), millrace_error_message(error));
  millrace_error_free(error);
}

static void check(millrace_error *error) {
  if (error) {
    tell(error);
    exit(1);
  }
}

// ---- Nodes -----------------------------------------------------------------------------------------------------------------

static millrace_error *failed(const picture *p, millrace_code code, const char *format, ...) {
  char text[256];
  int length = snprintf(text, sizeof text, "picture %d: ", p->number);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text + length, sizeof text - (size_t)length, format, arguments);
  va_end(arguments);
  return millrace_error_create(code, text);
}

// Colours become gray, in place (ITU-R BT.601's weights). A decoder of JPEG or PNG would stand here.
static millrace_error *decode(millrace_step *step, void *unused) {
  (void)unused;
  picture *p = millrace_step_context(step);
  for (size_t i = 0, count = (size_t)p->width * (size_t)p->height; i < count; i++) {
    const unsigned char *from = p->pixels + i * (size_t)p->samples;
    int gray = p->samples == 1 ? from[0] : (299 * from[0] + 587 * from[1] + 114 * from[2] + 500) / 1000;
    if (gray > p->greatest) {
      return failed(p, MILLRACE_DATA_LOSS, "pixel %zu is %d, and the file says %d at most", i, gray, p->greatest);
    }
    p->pixels[i] = (unsigned char)gray;
  }
  return NULL;
}

// Where part `i` of `parts` equal ones begins in `size` pixels.
static int begin_of(int i, int parts, int size) { return (int)((long long)i * size / parts); }

// Each of the model's pixels is the mean of those that it covers, at least one.
static float mean(const picture *p, int row, int column) {
  int top = begin_of(row, rows, p->height), bottom = begin_of(row + 1, rows, p->height);
  int left = begin_of(column, columns, p->width), right = begin_of(column + 1, columns, p->width);
  bottom += bottom == top;
  right += right == left;
  long long sum = 0;
  for (int y = top; y < bottom; y++) {
    for (int x = left; x < right; x++) {
      sum += p->pixels[(size_t)y * (size_t)p->width + (size_t)x];
    }
  }
  return (float)sum / (float)((long long)(bottom - top) * (right - left)) / (float)p->greatest;
}

static void no_more_pixels(void *input) { free(input); }

static millrace_error *preprocess(millrace_step *step, void *unused) {
  (void)unused;
  picture *p = millrace_step_context(step);
  size_t bytes = (size_t)rows * (size_t)columns * sizeof(float);
  float *input = aligned_alloc(64, (bytes + 63) / 64 * 64);
  if (!input) {
    return failed(p, MILLRACE_RESOURCE_EXHAUSTED, "no memory for %zu bytes", bytes);
  }
  for (int y = 0; y < rows; y++) {
    for (int x = 0; x < columns; x++) {
      input[y * columns + x] = mean(p, y, x);
    }
  }
  const int64_t dims[] = {1, rows, columns};
  const millrace_array array = {.data = input, .dtype = MILLRACE_F32, .dims = dims, .rank = 3};
  millrace_buffer *buffer = NULL;
  // The array is used where it lies, and freed when the model has read it.
  millrace_error *error = millrace_buffer_wrap(millrace_model_device(model), &array, no_more_pixels, input, &buffer);
  if (error) {
    free(input);
    return error;
  }
  return millrace_step_put(step, input_slot, buffer);
}

static millrace_error *call(millrace_step *step, void *unused, millrace_event **out_event) {
  (void)unused;
  millrace_buffer *input = millrace_step_buffer(step, input_slot), *scores = NULL;
  const millrace_execute_options options = {.struct_size = sizeof options, .elsewhere = true};
  millrace_error *error = millrace_model_call(model, &input, 1, &options, &scores, 1, out_event);
  return error ? error : millrace_step_put(step, scores_slot, scores);
}

static millrace_error *postprocess(millrace_step *step, void *unused) {
  (void)unused;
  picture *p = millrace_step_context(step);
  millrace_error *error =
      millrace_buffer_read(millrace_step_buffer(step, scores_slot), p->scores, (size_t)classes * sizeof(float));
  if (error) {
    return error;
  }
  p->best = 0;
  for (int i = 1; i < classes; i++) {
    p->best = p->scores[i] > p->scores[p->best] ? i : p->best;
  }
  return NULL;
}

static const millrace_graph_work decode_work = {.name = "decode", .run = decode};
static const millrace_graph_work preprocess_work = {.name = "preprocess", .run = preprocess};
static const millrace_graph_work model_work = {.name = "model", .event = call};
static const millrace_graph_work postprocess_work = {.name = "postprocess", .run = postprocess};

static millrace_graph *build(millrace_engine *engine) {
  millrace_graph *graph = NULL;
  uint32_t decoded, prepared, called;
  check(millrace_graph_create(engine, &graph));
  check(millrace_graph_slot(graph, &input_slot));
  check(millrace_graph_slot(graph, &scores_slot));
  check(millrace_graph_node(graph, &decode_work, NULL, NULL, 0, &decoded));
  check(millrace_graph_node(graph, &preprocess_work, NULL, &decoded, 1, &prepared));
  check(millrace_graph_node(graph, &model_work, NULL, &prepared, 1, &called));
  check(millrace_graph_node(graph, &postprocess_work, NULL, &called, 1, NULL));
  check(millrace_graph_freeze(graph));
  return graph;
}

// ---- In and out ---------------------------------------------------------------------------------------------------------

// A number of a header, behind spaces and comments, and the one space behind it. -1: there is none, or it is out of its range.
static int read_number(int greatest) {
  int c = getchar(), number = 0;
  while (isspace(c) || c == '#') {
    while (c == '#' && (c = getchar()) != '\n' && c != EOF) {
      c = '#';
    }
    c = c == EOF ? EOF : getchar();
  }
  if (!isdigit(c)) {
    return -1;
  }
  for (; isdigit(c); c = getchar()) {
    number = 10 * number + c - '0';
    if (number > greatest) {
      return -1;
    }
  }
  return isspace(c) && number > 0 ? number : -1;
}

// *out_more: false at the end, and with an error, for there is no telling where the next picture would begin.
static millrace_error *read_picture(picture *p, bool *out_more) {
  int c = getchar(), kind;
  *out_more = false;
  if (c == EOF) {
    return NULL;
  }
  kind = getchar();
  p->samples = kind == '6' ? 3 : 1;
  if (c != 'P' || (kind != '5' && kind != '6') || (p->width = read_number(MAX_SIZE)) < 0 ||
      (p->height = read_number(MAX_SIZE)) < 0 || (p->greatest = read_number(255)) < 0) {
    return failed(p, MILLRACE_INVALID_ARGUMENT,
                  "no header of a PGM or PPM file with 8 bits and at most %d pixels a side", MAX_SIZE);
  }
  size_t bytes = (size_t)p->width * (size_t)p->height * (size_t)p->samples;
  if (bytes > p->room) {
    free(p->pixels);
    p->pixels = malloc(bytes);
    p->room = p->pixels ? bytes : 0;
    if (!p->pixels) {
      return failed(p, MILLRACE_RESOURCE_EXHAUSTED, "no memory for %zu bytes", bytes);
    }
  }
  size_t there = fread(p->pixels, 1, bytes, stdin);
  if (there != bytes) {
    return failed(p, MILLRACE_DATA_LOSS, "it ends after %zu bytes of pixels, wanted %zu", there, bytes);
  }
  *out_more = true;
  return NULL;
}

// The consumer. False: the picture failed.
static bool print_class(picture *p) {
  millrace_error *error = millrace_event_wait(p->ended);
  millrace_event_release(p->ended);
  p->ended = NULL;
  nanosleep(&(struct timespec){.tv_sec = slow_ms / 1000, .tv_nsec = slow_ms % 1000 * 1000000L}, NULL);
  if (error) {
    tell(error);
    return false;
  }
  printf("%d: class %d, %.4g\n", p->number, p->best, (double)p->scores[p->best]);
  return true;
}

static void open_model(millrace_context *context, const char *path) {
  check(millrace_model_open(context, path, NULL, &model));
  if (millrace_model_input_count(model) == 1 && millrace_model_output_count(model) == 1) {
    const millrace_type in = millrace_model_input(model, 0).type, out = millrace_model_output(model, 0).type;
    if (in.dtype == MILLRACE_F32 && in.rank == 3 && (in.dims[0] == MILLRACE_OPEN || in.dims[0] == 1) &&
        in.dims[1] > 0 && in.dims[1] <= MAX_SIZE && in.dims[2] > 0 && in.dims[2] <= MAX_SIZE &&
        out.dtype == MILLRACE_F32 && out.rank == 2 && out.dims[0] == in.dims[0] && out.dims[1] > 0 &&
        out.dims[1] <= MAX_SIZE) {
      rows = (int)in.dims[1];
      columns = (int)in.dims[2];
      classes = (int)out.dims[1];
      return;
    }
  }
  check(millrace_error_create(MILLRACE_INVALID_ARGUMENT,
                              "the model is to have one input f32[n, height, width] and one output f32[n, classes]"));
}

int main(int argc, char **argv) {
  slow_ms = argc > 2 ? atoi(argv[2]) : 0;
  if (argc < 2 || argc > 3 || slow_ms < 0) {
    fprintf(stderr, "usage: classify MODEL [MS] < PICTURES\n");
    return 2;
  }
  millrace_context *context = NULL;
  millrace_engine *engine = NULL;
  check(millrace_context_create(NULL, &context));
  check(millrace_engine_create(NULL, &engine));
  open_model(context, argv[1]);
  // Compiled before the first picture is there.
  const millrace_shape one = {.dims = (int64_t[]){1, rows, columns}, .rank = 3};
  millrace_program *program = NULL;
  check(millrace_model_program(model, &one, 1, &program));
  millrace_program_release(program);
  millrace_graph *graph = build(engine);

  picture places[AT_ONCE] = {0};
  int failures = 0, number = 0;
  for (int i = 0; i < AT_ONCE; i++) {
    places[i].scores = calloc((size_t)classes, sizeof(float));
    if (!places[i].scores) {
      fprintf(stderr, "no memory for the scores of %d classes\n", classes);
      return 1;
    }
  }
  millrace_error *wrong = NULL;
  for (bool more = true; more;) {
    picture *p = &places[number % AT_ONCE];
    failures += p->ended && !print_class(p);
    p->number = number;
    wrong = read_picture(p, &more);
    if (more) {
      check(millrace_graph_run(graph, p, NULL, 0, &p->ended));
      number++;
    }
  }
  for (int i = 0; i < AT_ONCE; i++) {
    picture *p = &places[(number + i) % AT_ONCE];
    failures += p->ended && !print_class(p);
    free(p->pixels);
    free(p->scores);
  }
  if (wrong) {  // after the classes of what came before it
    tell(wrong);
    failures++;
  }
  millrace_graph_release(graph);
  millrace_engine_release(engine);
  millrace_model_release(model);
  millrace_context_release(context);
  return failures > 0;
}

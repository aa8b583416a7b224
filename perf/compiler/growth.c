// How compile time and memory grow with the program: every form of growth_programs.h in several sizes, each in a process of
// its own, through the C API as a framework uses it. Seconds to compile; of these, seconds of processor time, and how many
// times those of the size before; seconds to serialise and load again, of the first call and of one that follows; megabytes
// that the process had at most, and of these kilobytes for each of the n. With several processes for a row, the least of each.
//
//   perf_compiler_growth                       all forms, 1000 10000 100000
//   perf_compiler_growth cases,whiles 500 5000
//   perf_compiler_growth --turns 3 --compile cases 10000 100000    three processes for each row, which only compile
//   perf_compiler_growth --devices 8 all 1000 10000    the forms of partitioned_programs.h over 8 devices, which are only compiled, with
//                                              processor time to cut them, a part of it; over 1: the same programs, whole
//   perf_compiler_growth --cut --devices 8 all 10000 100000    the same in processes that do nothing but read and cut
//   perf_compiler_growth --text cases 20       the program
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compiler/reader/reader.h"
#include "compiler/shard/shard.h"
#include "perf/compiler/partitioned_programs.h"
#include "pjrt/abi.h"

static const PJRT_Api *api;
static PJRT_Client *client;
static PJRT_Device *device;

static void check(PJRT_Error *error, const char *call) {
  if (error) {
    PJRT_Error_Message_Args message = {.struct_size = sizeof message, .error = error};
    api->PJRT_Error_Message(&message);
    printf("%s: %.*s\n", call, (int)MR_MIN(message.message_size, 200u), message.message);
    fflush(stdout);
    _exit(1);
  }
}
#define CALL(slot, args) check(api->PJRT_##slot(args), #slot)

static double seconds(void) { return (double)mr_now_ns() * 1e-9; }

static double processor_seconds(void) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
}

static double peak_mb(void) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  return (double)used.ru_maxrss / 1024;
}

static void open_client(void) {
  char count[16];
  snprintf(count, sizeof count, "%d", growth_devices);
  setenv("MILLRACE_NUM_DEVICES", count, 1);
  api = GetPjrtApi();
  PJRT_Client_Create_Args create = {.struct_size = sizeof create};
  CALL(Client_Create, &create);
  client = create.client;
  PJRT_Client_AddressableDevices_Args devices = {.struct_size = sizeof devices, .client = client};
  CALL(Client_AddressableDevices, &devices);
  device = devices.addressable_devices[0];
}

// CompileOptionsProto{executable_build_options{num_replicas 1, num_partitions, use_spmd_partitioning}}.
static size_t compile_options(char options[16]) {
  const char bytes[] = {0x1A, 7, 0x20, 1, 0x30, 1, 0x28, (char)(growth_devices | 0x80), (char)(growth_devices >> 7)};
  memcpy(options, bytes, sizeof bytes);
  return sizeof bytes;
}

static void check_status(mr_status status) {
  if (status) {
    printf("%s\n", mr_status_message(status));
    fflush(stdout);
    _exit(1);
  }
}

// Seconds to cut the program for so many devices, a part of compiling it.
static double seconds_to_cut(mr_str code) {
  const mr_compile_options options = {.num_partitions = (uint32_t)growth_devices};
  mr_module *module;
  mr_shard_boundary boundary;
  check_status(mr_read_text((mr_span){code.data, code.size}, &module));
  module->num_partitions = options.num_partitions;
  check_status(mr_module_verify(module));
  double start = processor_seconds();
  check_status(mr_shard_run(module, &options, &boundary));
  double took = processor_seconds() - start;
  mr_module_release(module);
  return took;
}

static PJRT_LoadedExecutable *compile(mr_str code) {
  char options[16];
  PJRT_Program program = {.struct_size = sizeof program,
                          .code = (char *)code.data,
                          .code_size = code.size,
                          .format = "mlir",
                          .format_size = 4};
  PJRT_Client_Compile_Args args = {.struct_size = sizeof args,
                                   .client = client,
                                   .program = &program,
                                   .compile_options = options,
                                   .compile_options_size = compile_options(options)};
  CALL(Client_Compile, &args);
  return args.executable;
}

static PJRT_Executable *executable_of(PJRT_LoadedExecutable *loaded) {
  PJRT_LoadedExecutable_GetExecutable_Args args = {.struct_size = sizeof args, .loaded_executable = loaded};
  CALL(LoadedExecutable_GetExecutable, &args);
  return args.executable;
}

static void destroy(PJRT_LoadedExecutable *loaded) {
  PJRT_LoadedExecutable_Destroy_Args args = {.struct_size = sizeof args, .executable = loaded};
  CALL(LoadedExecutable_Destroy, &args);
}

// Everything that a framework asks an executable once it has it; into a file and back.
static void ask_and_reload(PJRT_LoadedExecutable *loaded) {
  PJRT_Executable *executable = executable_of(loaded);
  PJRT_Executable_GetCostAnalysis_Args cost = {.struct_size = sizeof cost, .executable = executable};
  CALL(Executable_GetCostAnalysis, &cost);
  PJRT_Executable_GetCompiledMemoryStats_Args memory = {.struct_size = sizeof memory, .executable = executable};
  CALL(Executable_GetCompiledMemoryStats, &memory);
  PJRT_Executable_OutputDimensions_Args dims = {.struct_size = sizeof dims, .executable = executable};
  CALL(Executable_OutputDimensions, &dims);
  PJRT_Executable_OutputMemoryKinds_Args kinds = {.struct_size = sizeof kinds, .executable = executable};
  CALL(Executable_OutputMemoryKinds, &kinds);
  PJRT_Executable_Serialize_Args bytes = {.struct_size = sizeof bytes, .executable = executable};
  CALL(Executable_Serialize, &bytes);
  PJRT_Executable_DeserializeAndLoad_Args load = {.struct_size = sizeof load,
                                                  .client = client,
                                                  .serialized_executable = bytes.serialized_bytes,
                                                  .serialized_executable_size = bytes.serialized_bytes_size};
  CALL(Executable_DeserializeAndLoad, &load);
  bytes.serialized_executable_deleter(bytes.serialized_executable);
  destroy(load.loaded_executable);
  PJRT_Executable_Destroy_Args gone = {.struct_size = sizeof gone, .executable = executable};
  CALL(Executable_Destroy, &gone);
}

static PJRT_Buffer *zeros(PJRT_Buffer_Type type, const int64_t *dims, size_t rank) {
  size_t count = 1;
  for (size_t i = 0; i < rank; i++) {
    count *= (size_t)dims[i];
  }
  void *data = calloc(count, 4);
  PJRT_Client_BufferFromHostBuffer_Args args = {.struct_size = sizeof args,
                                                .client = client,
                                                .data = data,
                                                .type = type,
                                                .dims = dims,
                                                .num_dims = rank,
                                                .host_buffer_semantics =
                                                    PJRT_HostBufferSemantics_kImmutableOnlyDuringCall,
                                                .device = device};
  CALL(Client_BufferFromHostBuffer, &args);
  PJRT_Event_Destroy_Args gone = {.struct_size = sizeof gone, .event = args.done_with_host_buffer};
  CALL(Event_Destroy, &gone);
  free(data);
  return args.buffer;
}

static void drop(PJRT_Buffer *buffer) {
  PJRT_Buffer_Destroy_Args args = {.struct_size = sizeof args, .buffer = buffer};
  CALL(Buffer_Destroy, &args);
}

// One call with new arguments; all arguments of these programs are of 4 bytes an element. Its time without making them.
static double call(PJRT_LoadedExecutable *loaded, mr_str code) {
  PJRT_Executable *executable = executable_of(loaded);
  PJRT_Executable_NumOutputs_Args outputs = {.struct_size = sizeof outputs, .executable = executable};
  CALL(Executable_NumOutputs, &outputs);
  size_t room = 0;
  const char *end = memchr(strstr(code.data, "@main("), '>', code.size);
  for (const char *at = strstr(code.data, "@main("); at && end && strncmp(at, ") ->", 4) != 0; at++) {
    room += *at == ':';
  }
  PJRT_Buffer **arguments = calloc(room + 1, sizeof *arguments),
              **results = calloc(outputs.num_outputs + 1, sizeof *results);
  size_t count = 0;
  for (const char *at = strstr(code.data, "@main("); strncmp(at, ") ->", 4) != 0; at++) {
    if (strncmp(at, ": tensor<", 9) != 0) {
      continue;
    }
    int64_t dims[4];
    size_t rank = 0;
    char *next = (char *)at + 9;
    for (; *next >= '0' && *next <= '9'; next++) {
      dims[rank++] = strtoll(next, &next, 10);
    }
    PJRT_Buffer_Type type = strncmp(next, "i1>", 3) == 0 ? PJRT_Buffer_Type_PRED
                            : *next == 'i'               ? PJRT_Buffer_Type_S32
                                                         : PJRT_Buffer_Type_F32;
    arguments[count++] = zeros(type, dims, rank);
  }
  double start = seconds();
  PJRT_ExecuteOptions options = {.struct_size = sizeof options};
  PJRT_LoadedExecutable_Execute_Args args = {.struct_size = sizeof args,
                                             .executable = loaded,
                                             .options = &options,
                                             .argument_lists = (PJRT_Buffer *const *[]){arguments},
                                             .num_devices = 1,
                                             .num_args = count,
                                             .output_lists = (PJRT_Buffer * *[]){results}};
  PJRT_Event *done = NULL;
  args.device_complete_events = &done;
  CALL(LoadedExecutable_Execute, &args);
  PJRT_Event_Await_Args wait = {.struct_size = sizeof wait, .event = done};
  CALL(Event_Await, &wait);
  PJRT_Event_Destroy_Args gone = {.struct_size = sizeof gone, .event = done};
  CALL(Event_Destroy, &gone);
  for (size_t i = 0; i < outputs.num_outputs; i++) {
    drop(results[i]);
  }
  double took = seconds() - start;
  for (size_t i = 0; i < count; i++) {
    drop(arguments[i]);
  }
  free(arguments);
  free(results);
  PJRT_Executable_Destroy_Args no = {.struct_size = sizeof no, .executable = executable};
  CALL(Executable_Destroy, &no);
  return took;
}

typedef struct figures {
  double compiled, processor, asked, first, second, mb, kb_each;
} figures;

typedef enum work_wanted { EVERYTHING, ONLY_COMPILE, ONLY_CUT } work_wanted;

// Of this process, which has done nothing else.
static figures measure(const growth_form *form, int n, work_wanted work) {
  figures f = {0};
  mr_text text = {0};
  growth_write(form, n, &text);
  mr_str code = {text.data, text.size};
  if (work == ONLY_CUT) {
    f.processor = f.asked = seconds_to_cut(code);
    f.mb = peak_mb();
    return f;
  }
  open_client();
  mr_text small = {0};
  growth_write(form, 3, &small);
  destroy(compile((mr_str){small.data, small.size}));  // what is made once for a process is there
  double mb = peak_mb(), start = seconds(), processor = processor_seconds();
  PJRT_LoadedExecutable *loaded = compile(code);
  f.compiled = seconds() - start;
  f.processor = processor_seconds() - processor;
  if (work == EVERYTHING) {
    start = seconds();
    ask_and_reload(loaded);
    f.asked = seconds() - start;
    f.first = call(loaded, code);
    f.second = call(loaded, code);
  }
  destroy(loaded);
  f.mb = peak_mb();
  f.kb_each = (f.mb - mb) * 1024 / n;
  if (growth_devices > 1) {
    f.asked = seconds_to_cut(code);
  }
  return f;
}

// False when the process ended otherwise than with figures, which has been said then.
static bool measure_apart(const growth_form *form, int n, work_wanted work, figures *out) {
  int ends[2];
  if (pipe(ends) != 0) {
    return false;
  }
  pid_t child = fork();
  if (child == 0) {
    figures f = measure(form, n, work);
    _exit(write(ends[1], &f, sizeof f) != sizeof f);
  }
  close(ends[1]);
  bool complete = child > 0 && read(ends[0], out, sizeof *out) == sizeof *out;
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) {
    printf("killed by signal %d\n", WTERMSIG(status));
  }
  return complete;
}

// The least of each over some processes: whatever else the machine does adds to them.
static bool least_of(const growth_form *form, int n, work_wanted work, int turns, figures *least) {
  for (int turn = 0; turn < turns; turn++) {
    figures f;
    if (!measure_apart(form, n, work, &f)) {
      return false;
    }
    if (turn == 0) {
      *least = f;
    }
    least->compiled = MR_MIN(least->compiled, f.compiled);
    least->processor = MR_MIN(least->processor, f.processor);
    least->asked = MR_MIN(least->asked, f.asked);
    least->first = MR_MIN(least->first, f.first);
    least->second = MR_MIN(least->second, f.second);
    least->mb = MR_MIN(least->mb, f.mb);
    least->kb_each = MR_MIN(least->kb_each, f.kb_each);
  }
  return true;
}

static bool wanted(const char *list, const char *name) {
  size_t length = strlen(name);
  for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
    if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0')) {
      return true;
    }
  }
  return strcmp(list, "all") == 0;
}

typedef struct settings {
  bool print;
  work_wanted work;
  int turns, sizes[16], count;
  const char *list;
  const growth_form *forms;
  size_t num_forms;
} settings;

static settings read_settings(int argc, char **argv) {
  settings s = {.turns = 1, .sizes = {1000, 10000, 100000}, .list = "all"};
  s.forms = growth_forms;
  s.num_forms = MR_ARRAY_SIZE(growth_forms);
  int at = 1;
  for (; at < argc && argv[at][0] == '-'; at++) {
    s.print |= strcmp(argv[at], "--text") == 0;
    s.work = strcmp(argv[at], "--compile") == 0 ? ONLY_COMPILE : strcmp(argv[at], "--cut") == 0 ? ONLY_CUT : s.work;
    if (strcmp(argv[at], "--turns") == 0 && at + 1 < argc) {
      int turns = atoi(argv[++at]);
      s.turns = MR_MAX(turns, 1);
    }
    if (strcmp(argv[at], "--devices") == 0 && at + 1 < argc) {
      int devices = atoi(argv[++at]);
      growth_devices = MR_MIN(MR_MAX(devices, 1), 2048);
      s.work = MR_MAX(s.work, ONLY_COMPILE);
      s.forms = partitioned_forms;
      s.num_forms = MR_ARRAY_SIZE(partitioned_forms);
    }
  }
  if (at < argc) {
    s.list = argv[at++];
  }
  for (; at < argc && s.count < 16; at++) {
    s.sizes[s.count++] = atoi(argv[at]);
  }
  s.count = s.count ? s.count : 3;
  return s;
}

static void print_text(const growth_form *form, int n) {
  mr_text text = {0};
  growth_write(form, n, &text);
  fwrite(text.data, 1, text.size, stdout);
  mr_text_deinit(&text);
}

static void print_rows(const growth_form *form, const settings *s) {
  double before = 0;
  for (int i = 0; i < s->count; i++) {
    if (form->most && s->sizes[i] > form->most) {
      continue;
    }
    printf("%-13s %7d ", form->name, s->sizes[i]);
    fflush(stdout);
    figures f;
    if (least_of(form, s->sizes[i], s->work, s->turns, &f)) {
      printf("%9.3f %9.3f %6.1f %9.3f %9.5f %9.5f %8.0f %8.2f\n", f.compiled, f.processor,
             before > 0 ? f.processor / before : 0, f.asked, f.first, f.second, f.mb, f.kb_each);
      before = f.processor;
    }
  }
}

int main(int argc, char **argv) {
  settings s = read_settings(argc, argv);
  if (!s.print) {
    printf("%-13s %7s %9s %9s %6s %9s %9s %9s %8s %8s\n", "form", "n", "compile", "cpu", "times",
           growth_devices > 1 ? "cut" : "reload", "call", "again", "MB", "KB each");
  }
  for (size_t k = 0; k < s.num_forms; k++) {
    const growth_form *form = &s.forms[k];
    if (!wanted(s.list, form->name)) {
      continue;
    }
    for (int i = 0; s.print && i < s.count; i++) {
      print_text(form, s.sizes[i]);
    }
    if (!s.print) {
      print_rows(form, &s);
    }
  }
  return 0;
}

// How compile time and memory grow with the program: every form of growth_programs.h in several sizes, each in a process of
// its own, through the C API as a framework uses it. Seconds to compile; of these, seconds of processor time; seconds to
// serialise and load again, of the first call and of one that follows; megabytes that the process had at most.
//
//   perf_compiler_growth                       all forms, 1000 10000 100000
//   perf_compiler_growth cases,whiles 500 5000
//   perf_compiler_growth --text cases 20       the program
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "perf/compiler/growth_programs.h"
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

static void open_client(void) {
  api = GetPjrtApi();
  PJRT_Client_Create_Args create = {.struct_size = sizeof create};
  CALL(Client_Create, &create);
  client = create.client;
  PJRT_Client_AddressableDevices_Args devices = {.struct_size = sizeof devices, .client = client};
  CALL(Client_AddressableDevices, &devices);
  device = devices.addressable_devices[0];
}

static PJRT_LoadedExecutable *compile(mr_str code) {
  PJRT_Program program = {.struct_size = sizeof program,
                          .code = (char *)code.data,
                          .code_size = code.size,
                          .format = "mlir",
                          .format_size = 4};
  PJRT_Client_Compile_Args args = {.struct_size = sizeof args, .client = client, .program = &program};
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

static void measure(const growth_form *form, int n) {
  mr_text text = {0};
  growth_write(form, n, &text);
  mr_str code = {text.data, text.size};
  open_client();
  mr_text small = {0};
  growth_write(form, 3, &small);
  destroy(compile((mr_str){small.data, small.size}));  // what is made once for a process is there
  double start = seconds(), processor = processor_seconds();
  PJRT_LoadedExecutable *loaded = compile(code);
  double compiled = seconds() - start;
  processor = processor_seconds() - processor;
  double asked = seconds();
  ask_and_reload(loaded);
  asked = seconds() - asked;
  double first = call(loaded, code), second = call(loaded, code);
  destroy(loaded);
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  printf("%9.3f %9.3f %9.3f %9.5f %9.5f %8.0f\n", compiled, processor, asked, first, second,
         (double)used.ru_maxrss / 1024);
  fflush(stdout);
}

static void measure_apart(const growth_form *form, int n) {
  printf("%-13s %7d ", form->name, n);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    measure(form, n);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) {
    printf("killed by signal %d\n", WTERMSIG(status));
  }
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

int main(int argc, char **argv) {
  bool print = argc > 3 && strcmp(argv[1], "--text") == 0;
  const char *list = print ? argv[2] : argc > 1 ? argv[1] : "all";
  int sizes[16] = {1000, 10000, 100000}, count = argc > 2 ? 0 : 3;
  for (int i = print ? 3 : 2; i < argc && count < 16; i++) {
    sizes[count++] = atoi(argv[i]);
  }
  if (!print) {
    printf("%-13s %7s %9s %9s %9s %9s %9s %8s\n", "form", "n", "compile", "cpu", "reload", "call", "again", "MB");
  }
  for (size_t k = 0; k < MR_ARRAY_SIZE(growth_forms); k++) {
    const growth_form *form = &growth_forms[k];
    for (int i = 0; i < count && wanted(list, form->name); i++) {
      mr_text text = {0};
      if (print) {
        growth_write(form, sizes[i], &text);
        fwrite(text.data, 1, text.size, stdout);
        mr_text_deinit(&text);
      } else if (!form->most || sizes[i] <= form->most) {
        measure_apart(form, sizes[i]);
      }
    }
  }
  return 0;
}

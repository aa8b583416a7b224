#include "pjrt/cross_host/nodes.h"

#include <stdio.h>
#include <string.h>

#include "pjrt/proto/topology.h"

enum { KEY_SIZE = MR_PJRT_NAME_SIZE + 40 };

static void print_key(const mr_pjrt_run *run, int32_t node, char *out) {
  snprintf(out, KEY_SIZE, "millrace/node/%s/%d", run->platform_name, (int)node);
}

// Different on each machine and after each start of it.
static void read_machine(char *out, size_t size) {
  FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
  if (file == NULL || fgets(out, (int)size, file) == NULL) {
    snprintf(out, size, "unknown");
  }
  if (file) {
    fclose(file);
  }
  out[strcspn(out, "\n")] = 0;
}

// A client that is created again in the same run finds its own message there.
static mr_status put_again(const mr_pjrt_run *run, const char *key, mr_str message, mr_status take_refusal) {
  char *text;
  size_t size;
  if (mr_status_code(take_refusal) != MR_ALREADY_EXISTS) {
    return take_refusal;
  }
  mr_status_free(take_refusal);
  MR_TRY(mr_pjrt_key_value_get(&run->store, key, run->timeout_ms, &text, &size));
  bool same = size == message.size && memcmp(text, message.data, size) == 0;
  mr_free(text);
  return same ? MR_OK
              : mr_error(MR_FAILED_PRECONDITION, "process %d of this run is there already, with other devices",
                         (int)run->node);
}

static mr_status tell(const mr_pjrt_run *run, int32_t devices) {
  char machine[64], key[KEY_SIZE], *bytes;
  read_machine(machine, sizeof machine);
  const mr_pjrt_node_message message = {.process = run->node,
                                        .nodes = run->nodes,
                                        .devices = devices,
                                        .slice = run->slice,
                                        .machine = machine,
                                        .version = run->version};
  size_t size;
  MR_TRY(mr_pjrt_node_serialize(&message, &bytes, &size));
  print_key(run, run->node, key);
  mr_status status = mr_pjrt_key_value_put(&run->store, key, (mr_str){bytes, size});
  status = status ? put_again(run, key, (mr_str){bytes, size}, status) : MR_OK;
  mr_free(bytes);
  return mr_status_note(status, "telling the other processes of this one's devices");
}

static mr_status check(const mr_pjrt_run *run, int32_t node, const mr_pjrt_node_message *message) {
  if (strcmp(run->version, message->version) != 0) {
    return mr_error(MR_FAILED_PRECONDITION, "process %d runs %s, this one %s", (int)node, message->version,
                    run->version);
  }
  if (message->process != node || message->nodes != run->nodes || message->devices < 1 ||
      message->devices > MR_PJRT_MAX_DEVICES) {
    return mr_error(MR_FAILED_PRECONDITION,
                    "process %d says that it is process %d of %d and has %d devices, wanted %d of %d and 1 to %d",
                    (int)node, (int)message->process, (int)message->nodes, (int)message->devices, (int)node,
                    (int)run->nodes, MR_PJRT_MAX_DEVICES);
  }
  return MR_OK;
}

// By `deadline_ns`, whatever the number of processes that are late.
static mr_status hear(const mr_pjrt_run *run, int32_t node, uint64_t deadline_ns, mr_arena *arena,
                      mr_pjrt_node_message *out) {
  char key[KEY_SIZE], *text;
  size_t size;
  uint64_t now = mr_now_ns();
  print_key(run, node, key);
  int left_ms = now < deadline_ns ? (int)((deadline_ns - now) / 1000000) : 0;
  mr_status status = mr_pjrt_key_value_get(&run->store, key, MR_MAX(left_ms, 1), &text, &size);
  if (status) {
    return mr_status_note(status, "process %d of %d did not tell its devices within %d ms", (int)node, (int)run->nodes,
                          (int)run->timeout_ms);
  }
  status = mr_pjrt_node_parse((mr_span){text, size}, arena, out);
  mr_free(text);
  return status ? mr_status_note(status, "process %d", (int)node) : check(run, node, out);
}

static int32_t machine_of(const mr_pjrt_node_message *all, int32_t node) {
  int32_t first = 0;
  while (strcmp(all[first].machine, all[node].machine) != 0) {
    first++;
  }
  return first;
}

mr_status mr_pjrt_nodes_exchange(const mr_pjrt_run *run, int32_t devices, mr_pjrt_node *out_nodes) {
  MR_TRY(tell(run, devices));
  uint64_t deadline_ns = mr_now_ns() + (uint64_t)run->timeout_ms * 1000000;
  mr_arena arena;
  mr_arena_init(&arena, 0);
  mr_pjrt_node_message *all = mr_arena_array(&arena, mr_pjrt_node_message, run->nodes);
  mr_status status = all ? MR_OK : MR_NO_MEMORY();
  for (int32_t i = 0; !status && i < run->nodes; i++) {
    status = hear(run, i, deadline_ns, &arena, &all[i]);
  }
  for (int32_t i = 0; !status && i < run->nodes; i++) {
    int32_t machine = machine_of(all, i);
    out_nodes[i] = (mr_pjrt_node){all[i].devices, all[i].slice < 0 ? machine : all[i].slice, machine};
  }
  mr_arena_deinit(&arena);
  return status;
}

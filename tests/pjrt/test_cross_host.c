// pjrt/cross_host/cross_host.c: a transfer whose other end, either of them, dies in the middle of it, or is a stranger's; and no descriptors left.
#include "pjrt/cross_host/cross_host.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/cmocka.h"

enum { CONTENT = 24, SENT = 10 };
static int to_sender[2];
static pid_t sender;

// Says that it sends 24 bytes, sends 10, and is killed.
static void die_sending(void) {
  char descriptor[MR_PJRT_DESCRIPTOR_SIZE] = "";
  struct sockaddr_un address;
  mr_pjrt_wire_header head = {.size = CONTENT};
  static const _Atomic(bool) never = false;
  if (read(to_sender[0], descriptor, sizeof descriptor) != sizeof descriptor ||
      mr_pjrt_descriptor_parse(mr_str_of(descriptor), &address, head.token)) {
    _exit(1);
  }
  mr_pjrt_wire wire;
  if (mr_pjrt_wire_connect(&address, &never, &wire)) {
    _exit(2);
  }
  if (mr_pjrt_wire_write_status(&wire, head, MR_OK) || mr_pjrt_wire_write(&wire, descriptor, SENT)) {
    _exit(3);
  }
  raise(SIGKILL);
}

// ---- One end, in this process ---------------------------------------------------------------------------------------

static mr_platform *platform;
static mr_memory *memory;
static const int64_t dims[] = {6};
static const mr_pjrt_receive_shape shape = {MR_F32, dims, 1};

static int setup(void **state) {
  (void)state;
  assert_null(mr_platform_create(&(mr_platform_options){.num_devices = 1}, &platform));
  memory = &mr_platform_device(platform, 0)->memories[MR_MEMORY_DEVICE];
  return 0;
}

static int teardown(void **state) {
  (void)state;
  mr_platform_release(platform);
  return 0;
}

// Six numbers, ready.
static mr_buffer *numbers(void) {
  mr_storage *storage;
  mr_buffer *buffer;
  assert_null(mr_storage_allocate(memory, CONTENT, &storage));
  for (int i = 0; i < 6; i++) {
    ((float *)storage->data)[i] = (float)i;
  }
  assert_null(mr_buffer_create(memory, MR_F32, dims, 1, storage, NULL, &buffer));
  return buffer;
}

typedef struct outcome {
  _Atomic(int) calls;
  mr_code code;
  bool sent;
  char message[200];
} outcome;

static void note(void *context, mr_status status, bool sent) {
  outcome *self = context;
  self->code = status ? mr_status_code(status) : 0;
  snprintf(self->message, sizeof self->message, "%s", status ? mr_status_message(status) : "");
  self->sent = sent;
  self->calls = 1;
}

static void wait_for(outcome *self) {
  for (int i = 0; self->calls == 0 && i < 20000; i++) {
    usleep(1000);
  }
  assert_int_equal(self->calls, 1);
}

// The descriptor stays the caller's until the outcome is there.
static void send_to(mr_pjrt_transfers *transfers, mr_buffer *buffer, char **descriptor, size_t *size, outcome *out) {
  const mr_pjrt_send_target target = {
      .process = MR_PJRT_ANY_PROCESS, .descriptor = descriptor, .descriptor_size = size};
  *size = strlen(*descriptor);
  assert_null(mr_pjrt_transfers_send(transfers, buffer, target, note, out));
}

// The receiver's buffer fails with the number of the process that died, at once.
static void test_sender_is_killed(void **state) {
  (void)state;
  mr_pjrt_transfers *transfers;
  mr_buffer *buffer;
  char descriptor[MR_PJRT_DESCRIPTOR_SIZE] = "", wanted[64];
  assert_null(mr_pjrt_transfers_create(&transfers));
  assert_null(mr_pjrt_transfers_receive(transfers, memory, &shape, MR_PJRT_ANY_PROCESS, descriptor, &buffer));
  assert_int_equal(write(to_sender[1], descriptor, sizeof descriptor), sizeof descriptor);

  mr_future *ready = mr_buffer_ready(buffer);
  assert_non_null(ready);
  mr_future_wait(ready);
  mr_status status = mr_future_status(ready);
  assert_int_equal(mr_status_code(status), MR_UNAVAILABLE);
  snprintf(wanted, sizeof wanted, "process %d is gone", (int)sender);
  assert_non_null(strstr(mr_status_message(status), wanted));
  assert_non_null(strstr(mr_status_message(status), "10 of 24 bytes"));
  int end;
  assert_int_equal(waitpid(sender, &end, 0), sender);
  assert_true(WIFSIGNALED(end) && WTERMSIG(end) == SIGKILL);
  mr_buffer_release(buffer);
  mr_pjrt_transfers_destroy(transfers);
}

// ---- The other end is a receiver that dies --------------------------------------------------------------------------------

enum { BEFORE_ACCEPTING, IN_THE_MIDDLE, BEFORE_ANSWERING, MOMENTS };

// Listens, says where, and waits until somebody is there. Ends the process, by a number below 4, where that fails.
static int listen_and_tell(int tell) {
  struct sockaddr_un address;
  uint8_t token[MR_PJRT_TOKEN_SIZE] = {0};
  char descriptor[MR_PJRT_DESCRIPTOR_SIZE] = "";
  int listener;
  if (mr_pjrt_wire_listen(&address, &listener)) {
    _exit(1);
  }
  mr_pjrt_descriptor_print(&address, token, descriptor);
  if (write(tell, descriptor, sizeof descriptor) != sizeof descriptor) {
    _exit(2);
  }
  struct pollfd poller = {.fd = listener, .events = POLLIN};
  if (poll(&poller, 1, 20000) != 1) {
    _exit(3);
  }
  return listener;
}

// Takes as much of a transfer as the moment says, and is killed.
static void die_receiving(int tell, int moment) {
  uint8_t content[CONTENT];
  int listener = listen_and_tell(tell);
  if (moment != BEFORE_ACCEPTING) {
    static const _Atomic(bool) never = false;
    mr_pjrt_wire wire = mr_pjrt_wire_over(accept(listener, NULL, NULL), &never);
    mr_pjrt_wire_header head;
    mr_status sent;
    if (wire.fd < 0 || mr_pjrt_wire_read_status(&wire, &head, &sent) || sent || head.size != CONTENT ||
        mr_pjrt_wire_read(&wire, content, moment == IN_THE_MIDDLE ? SENT : CONTENT)) {
      _exit(4);
    }
  }
  raise(SIGKILL);
}

// The sender hears at once that the receiver's process is gone, whenever it died; its buffer stays as it was.
static void test_receiver_is_killed(void **state) {
  (void)state;
  for (int moment = 0; moment < MOMENTS; moment++) {
    int channel[2], end;
    assert_int_equal(pipe(channel), 0);
    pid_t receiver = fork();
    if (receiver == 0) {
      die_receiving(channel[1], moment);
    }
    char text[MR_PJRT_DESCRIPTOR_SIZE], *descriptor = text, wanted[64];
    assert_int_equal(read(channel[0], text, sizeof text), sizeof text);
    mr_pjrt_transfers *transfers;
    assert_null(mr_pjrt_transfers_create(&transfers));
    mr_buffer *x = numbers();
    outcome out = {0};
    size_t size;
    send_to(transfers, x, &descriptor, &size, &out);
    wait_for(&out);
    assert_int_equal(out.code, MR_UNAVAILABLE);
    assert_false(out.sent);
    snprintf(wanted, sizeof wanted, "process %d is gone", (int)receiver);
    if (!strstr(out.message, wanted)) {
      fail_msg("killed at moment %d: %s", moment, out.message);
    }
    assert_int_equal(waitpid(receiver, &end, 0), receiver);
    assert_true(WIFSIGNALED(end) && WTERMSIG(end) == SIGKILL);
    close(channel[0]);
    close(channel[1]);
    mr_buffer_release(x);
    mr_pjrt_transfers_destroy(transfers);
  }
}

// ---- A stranger at the other end ----------------------------------------------------------------------------------------

// Listens as another user, and tells by its exit whether anything was sent to it.
static void listen_as_stranger(int tell) {
  char got;
  if (setgid(65534) != 0 || setuid(65534) != 0) {
    _exit(1);
  }
  int listener = listen_and_tell(tell);
  int fd = accept(listener, NULL, NULL);
  _exit(fd >= 0 && read(fd, &got, 1) == 0 ? 0 : 4);
}

// Nothing goes to a process of another user, whatever the descriptor says: the name may have changed hands.
static void test_stranger_gets_nothing(void **state) {
  (void)state;
  if (geteuid() != 0) {
    skip();  // only root can become somebody else
  }
  int channel[2];
  assert_int_equal(pipe(channel), 0);
  pid_t stranger = fork();
  if (stranger == 0) {
    listen_as_stranger(channel[1]);
  }
  char text[MR_PJRT_DESCRIPTOR_SIZE], *descriptor = text;
  assert_int_equal(read(channel[0], text, sizeof text), sizeof text);
  mr_pjrt_transfers *transfers;
  assert_null(mr_pjrt_transfers_create(&transfers));
  mr_buffer *x = numbers();
  outcome out = {0};
  size_t size;
  send_to(transfers, x, &descriptor, &size, &out);
  wait_for(&out);
  assert_int_equal(out.code, MR_PERMISSION_DENIED);
  assert_non_null(strstr(out.message, "not this user's"));
  assert_false(out.sent);
  int end;
  assert_int_equal(waitpid(stranger, &end, 0), stranger);
  assert_true(WIFEXITED(end));
  assert_int_equal(WEXITSTATUS(end), 0);
  close(channel[0]);
  close(channel[1]);
  mr_buffer_release(x);
  mr_pjrt_transfers_destroy(transfers);
}

// Two sockets never have names of which one tells about the other, and a descriptor says all of a name.
static void test_names_are_long(void **state) {
  (void)state;
  struct sockaddr_un first, second, parsed;
  uint8_t token[MR_PJRT_TOKEN_SIZE] = {1, 2, 3}, read_back[MR_PJRT_TOKEN_SIZE];
  char descriptor[MR_PJRT_DESCRIPTOR_SIZE];
  int fds[2], same = 0;
  assert_null(mr_pjrt_wire_listen(&first, &fds[0]));
  assert_null(mr_pjrt_wire_listen(&second, &fds[1]));
  assert_int_equal(strlen(first.sun_path + 1), 32);
  for (int i = 1; i <= 32; i++) {
    same += first.sun_path[i] == second.sun_path[i];
  }
  assert_true(same < 20);
  mr_pjrt_descriptor_print(&first, token, descriptor);
  assert_null(mr_pjrt_descriptor_parse(mr_str_of(descriptor), &parsed, read_back));
  assert_memory_equal(&parsed, &first, sizeof first);
  assert_memory_equal(read_back, token, sizeof token);
  close(fds[0]);
  close(fds[1]);
}

// ---- No descriptors left ------------------------------------------------------------------------------------------------

static int highest_fd(void) {
  int highest = 0;
  DIR *folder = opendir("/proc/self/fd");
  for (struct dirent *e = readdir(folder); e; e = readdir(folder)) {
    highest = MR_MAX(highest, atoi(e->d_name));
  }
  closedir(folder);
  return highest;
}

// Takes all that are below `limit`.
static int take_all(int limit, int *out_fds) {
  int count = 0, fd;
  while ((fd = open("/dev/null", O_RDONLY)) >= 0) {
    assert_true(fd < limit);
    out_fds[count++] = fd;
  }
  return count;
}

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

// A connection that cannot be taken for want of descriptors waits without taking a core, and arrives once there are some.
static void test_no_descriptors(void **state) {
  (void)state;
  struct rlimit limit, few;
  int fds[256];
  char text[MR_PJRT_DESCRIPTOR_SIZE], *descriptor = text;
  size_t size;
  mr_pjrt_transfers *transfers;
  mr_buffer *x = numbers(), *y;
  outcome out = {0};
  assert_null(mr_pjrt_transfers_create(&transfers));
  assert_null(mr_pjrt_transfers_receive(transfers, memory, &shape, MR_PJRT_ANY_PROCESS, text, &y));
  assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
  few = (struct rlimit){(rlim_t)highest_fd() + 2, limit.rlim_max};
  assert_true(few.rlim_cur < MR_ARRAY_SIZE(fds));
  assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
  int count = take_all((int)few.rlim_cur, fds);
  assert_true(count > 0);
  close(fds[--count]);  // for the sender
  send_to(transfers, x, &descriptor, &size, &out);
  usleep(100000);
  double before = cpu_seconds();
  usleep(400000);
  double took = cpu_seconds() - before;
  assert_int_equal(out.calls, 0);
  assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
  wait_for(&out);
  for (int i = 0; i < count; i++) {
    close(fds[i]);
  }
  assert_true(out.sent);
  assert_int_equal(out.code, 0);
  if (took > 0.05) {
    fail_msg("%.3f s of processor time while nothing could be done, wanted next to none", took);
  }
  mr_buffer_release(x);
  mr_buffer_release(y);
  mr_pjrt_transfers_destroy(transfers);
}

int main(void) {
  if (pipe(to_sender) != 0) {
    perror("pipe");
    return 1;
  }
  sender = fork();  // before there are threads
  if (sender == 0) {
    die_sending();
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sender_is_killed),      cmocka_unit_test(test_receiver_is_killed),
      cmocka_unit_test(test_stranger_gets_nothing), cmocka_unit_test(test_names_are_long),
      cmocka_unit_test(test_no_descriptors),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}

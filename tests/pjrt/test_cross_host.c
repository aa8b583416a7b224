// pjrt/cross_host.c: a transfer whose other end dies in the middle of it.
#include "pjrt/cross_host.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
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
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (connect(fd, (const struct sockaddr *)&address, mr_pjrt_descriptor_address_size()) != 0) {
    _exit(2);
  }
  const mr_pjrt_wire wire = mr_pjrt_wire_over(fd, &never);
  if (mr_pjrt_wire_write_status(&wire, head, MR_OK) || mr_pjrt_wire_write(&wire, descriptor, SENT)) {
    _exit(3);
  }
  raise(SIGKILL);
}

// The receiver's buffer fails with the number of the process that died, at once.
static void test_sender_is_killed(void **state) {
  (void)state;
  mr_platform *platform;
  mr_pjrt_transfers *transfers;
  mr_buffer *buffer;
  char descriptor[MR_PJRT_DESCRIPTOR_SIZE] = "", wanted[64];
  static const int64_t dims[] = {6};
  const mr_pjrt_receive_shape shape = {MR_F32, dims, 1};
  assert_null(mr_platform_create(&(mr_platform_options){.num_devices = 1}, &platform));
  assert_null(mr_pjrt_transfers_create(&transfers));
  mr_memory *memory = &mr_platform_device(platform, 0)->memories[MR_MEMORY_DEVICE];
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
  mr_platform_release(platform);
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_sender_is_killed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

// Loops and listeners: posted tasks, the ends of rounds, places to listen at.
#include "tests/serve/check.h"

#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <arpa/inet.h>

#include "serve/net/listener.h"

// ---- Loops ----------------------------------------------------------------------------------------------------------

enum { POSTERS = 4, POSTS = 20000 };

typedef struct post {
  sv_task task;
  int poster, number;
} post;

static sv_loop *loop;
static int last[POSTERS];  // on the loop
static _Atomic(int) ran, misplaced;

static void run_post(sv_task *task) {
  post *p = (post *)task;
  if (last[p->poster] + 1 != p->number || !sv_loop_is_here(loop)) {
    atomic_fetch_add(&misplaced, 1);
  }
  last[p->poster] = p->number;
  atomic_fetch_add(&ran, 1);
  free(p);
}

static void *poster(void *argument) {
  for (int i = 1; i <= POSTS; i++) {
    post *p = malloc(sizeof *p);
    *p = (post){{NULL, run_post}, *(int *)argument, i};
    sv_loop_post(loop, &p->task);
  }
  return NULL;
}

// Every task runs once, in its poster's order, on the loop's thread; the release waits for all.
static void test_post(void **state) {
  (void)state;
  check_ok(sv_loop_create("test-loop", &loop));
  assert_false(sv_loop_is_here(loop));
  pthread_t threads[POSTERS];
  int numbers[POSTERS];
  for (int i = 0; i < POSTERS; i++) {
    numbers[i] = i;
    last[i] = 0;
    pthread_create(&threads[i], NULL, poster, &numbers[i]);
  }
  for (int i = 0; i < POSTERS; i++) {
    pthread_join(threads[i], NULL);
  }
  sv_loop_release(loop);
  assert_int_equal(atomic_load(&ran), POSTERS * POSTS);
  assert_int_equal(atomic_load(&misplaced), 0);
}

typedef struct ordered {
  sv_task task;
  char letter;
} ordered;

static char order[16];
static ordered posted_a = {.letter = 'a'}, posted_b = {.letter = 'b'}, end_c = {.letter = 'c'}, end_d = {.letter = 'd'},
               posted_e = {.letter = 'e'};
static sem_t done;

static void run_ordered(sv_task *task) {
  ordered *o = (ordered *)task;
  order[strlen(order)] = o->letter;
  if (o == &posted_a) {
    sv_loop_at_round_end(loop, &end_c.task);
    sv_loop_post(loop, &posted_b.task);  // from the loop itself
  } else if (o == &end_c) {
    sv_loop_at_round_end(loop, &end_d.task);
    sv_loop_post(loop, &posted_e.task);
  } else if (o == &posted_e) {
    sem_post(&done);
  }
}

// What is given for the end of the round runs behind what was posted, and its own in the same round.
static void test_round_end(void **state) {
  (void)state;
  sem_init(&done, 0, 0);
  check_ok(sv_loop_create("test-loop", &loop));
  ordered *all[] = {&posted_a, &posted_b, &end_c, &end_d, &posted_e};
  for (size_t i = 0; i < 5; i++) {
    all[i]->task.run = run_ordered;
  }
  sv_loop_post(loop, &posted_a.task);
  sem_wait(&done);
  sv_loop_release(loop);
  sem_destroy(&done);
  // b was posted after its round's tasks were taken: it is of the next round.
  assert_string_equal(order, "acdbe");
}

// ---- Listeners ------------------------------------------------------------------------------------------------------

typedef struct call {
  sv_task task;
  void (*run)(void *argument);
  void *argument;
  sem_t over;
} call;

static void run_call(sv_task *task) {
  call *c = (call *)task;
  c->run(c->argument);
  sem_post(&c->over);
}

static void on_loop(void (*run)(void *argument), void *argument) {
  call c = {.task.run = run_call, .run = run, .argument = argument};
  sem_init(&c.over, 0, 0);
  sv_loop_post(loop, &c.task);
  sem_wait(&c.over);
  sem_destroy(&c.over);
}

static void release(void *argument) { sv_listener_release(argument); }

static _Atomic(int) accepted_count;

static void accepted(void *argument, int descriptor) {
  (void)argument;
  assert(fcntl(descriptor, F_GETFL) & O_NONBLOCK);
  ssize_t sent = send(descriptor, "hello", 5, 0);
  (void)sent;
  close(descriptor);
  atomic_fetch_add(&accepted_count, 1);
}

static int connect_tcp(const char *place) {
  bool six = place[0] == '[';
  int c = socket(six ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  unsigned short port = htons((unsigned short)atoi(strrchr(place, ':') + 1));
  struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = port, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = port, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
  int failed = six ? connect(c, (struct sockaddr *)&v6, sizeof v6) : connect(c, (struct sockaddr *)&v4, sizeof v4);
  assert_int_equal(failed, 0);
  return c;
}

static int connect_unix(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%.100s", path);
  int c = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  assert_int_equal(connect(c, (struct sockaddr *)&address, sizeof address), 0);
  return c;
}

static void check_greeted(int c) {
  char bytes[5];
  assert_int_equal(recv(c, bytes, sizeof bytes, MSG_WAITALL), 5);
  assert_memory_equal(bytes, "hello", 5);
  close(c);
}

static int setup(void **state) {
  (void)state;
  check_ok(sv_loop_create("test-loop", &loop));
  return 0;
}

static int teardown(void **state) {
  (void)state;
  sv_loop_release(loop);
  return 0;
}

// Each kind of TCP place accepts, and says which port it got.
static void test_tcp(void **state) {
  (void)state;
  static const char *const places[] = {"127.0.0.1:0", "localhost:0", "[::1]:0", "0.0.0.0:0"};
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
    sv_listener *listener = NULL;
    sv_error *error = sv_listener_create(loop, places[i], accepted, NULL, &listener);
    if (error && places[i][0] == '[') {
      printf("no IPv6 here: %s\n", sv_error_message(error));
      sv_error_free(error);
      continue;
    }
    check_ok(error);
    assert_null(strstr(sv_listener_place(listener), ":0\0"));
    check_greeted(connect_tcp(sv_listener_place(listener)));
    on_loop(release, listener);
  }
}

// What is no place to listen at is named.
static void test_bad_places(void **state) {
  (void)state;
  sv_listener *listener = NULL;
  static const char *const bad[] = {
      "", "8000", ":8000", "host", "host:", "host:x", "1.2.3.4:65536", "::1:80", "[::1]", "[]:1"};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    check_fails(sv_listener_create(loop, bad[i], accepted, NULL, &listener), MILLRACE_INVALID_ARGUMENT,
                "wanted HOST:PORT");
    assert_null(listener);
  }
  check_fails(sv_listener_create(loop, "fd:x", accepted, NULL, &listener), MILLRACE_INVALID_ARGUMENT, "fd:NUMBER");
  check_fails(sv_listener_create(loop, "fd:1000000", accepted, NULL, &listener), MILLRACE_INVALID_ARGUMENT, "socket");
  check_fails(sv_listener_create(loop, "unix:", accepted, NULL, &listener), MILLRACE_INVALID_ARGUMENT, "path");
  check_fails(sv_listener_create(loop, "unix:/no/such/folder/s", accepted, NULL, &listener), MILLRACE_INVALID_ARGUMENT,
              "No such file");
  sv_listener *first = NULL;
  check_ok(sv_listener_create(loop, "127.0.0.1:0", accepted, NULL, &first));
  check_fails(sv_listener_create(loop, sv_listener_place(first), accepted, NULL, &listener), MILLRACE_ALREADY_EXISTS,
              sv_listener_place(first));
  on_loop(release, first);
}

// A unix socket that nobody listens at is replaced, one that somebody listens at is not, and no other file is.
static void test_unix(void **state) {
  (void)state;
  char folder[] = "/tmp/sv-net-XXXXXX", place[128], file[128];
  assert_non_null(mkdtemp(folder));
  snprintf(place, sizeof place, "unix:%s/s", folder);
  const char *path = place + 5;
  int left_over = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%.100s", path);
  assert_int_equal(bind(left_over, (struct sockaddr *)&address, sizeof address), 0);
  close(left_over);

  sv_listener *listener = NULL, *second = NULL;
  check_ok(sv_listener_create(loop, place, accepted, NULL, &listener));
  check_greeted(connect_unix(path));
  check_fails(sv_listener_create(loop, place, accepted, NULL, &second), MILLRACE_ALREADY_EXISTS, place);
  check_greeted(connect_unix(path));
  on_loop(release, listener);
  assert_int_equal(access(path, F_OK), -1);

  snprintf(file, sizeof file, "unix:%s/file", folder);
  close(open(file + 5, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
  check_fails(sv_listener_create(loop, file, accepted, NULL, &second), MILLRACE_ALREADY_EXISTS, file);
  assert_int_equal(access(file + 5, F_OK), 0);
  unlink(file + 5);
  rmdir(folder);
}

// A socket that somebody else listens on is taken over.
static void test_given(void **state) {
  (void)state;
  int given = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), idle = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  char place[32];
  assert_int_equal(bind(given, (struct sockaddr *)&address, sizeof address), 0);
  assert_int_equal(listen(given, 8), 0);
  getsockname(given, (struct sockaddr *)&address, &size);
  sv_listener *listener = NULL;
  snprintf(place, sizeof place, "fd:%d", idle);
  check_fails(sv_listener_create(loop, place, accepted, NULL, &listener), MILLRACE_INVALID_ARGUMENT, "does not listen");
  close(idle);
  snprintf(place, sizeof place, "fd:%d", given);
  check_ok(sv_listener_create(loop, place, accepted, NULL, &listener));
  int c = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  assert_int_equal(connect(c, (struct sockaddr *)&address, sizeof address), 0);
  check_greeted(c);
  on_loop(release, listener);
}

static void nothing(void *argument) { (void)argument; }

// A paused listener leaves connections waiting, and takes them when it goes on; from any thread.
static void test_pause(void **state) {
  (void)state;
  sv_listener *listener = NULL;
  check_ok(sv_listener_create(loop, "127.0.0.1:0", accepted, NULL, &listener));
  for (int i = 0; i < 20; i++) {
    sv_listener_pause(listener, true);
    on_loop(nothing, NULL);
    int before = atomic_load(&accepted_count);
    int c = connect_tcp(sv_listener_place(listener));
    on_loop(nothing, NULL);
    on_loop(nothing, NULL);
    assert_int_equal(atomic_load(&accepted_count), before);
    sv_listener_pause(listener, false);
    check_greeted(c);
  }
  sv_listener_pause(listener, true);
  on_loop(release, listener);
}

static void accept_rest_and_release(void *argument) {
  sv_listener_accept_rest(argument);
  sv_listener_release(argument);
}

// Who has connected when the listener ends is taken, not reset.
static void test_accept_rest(void **state) {
  (void)state;
  sv_listener *listener = NULL;
  check_ok(sv_listener_create(loop, "127.0.0.1:0", accepted, NULL, &listener));
  sv_listener_pause(listener, true);
  on_loop(nothing, NULL);
  int clients[100];
  for (int i = 0; i < 100; i++) {
    clients[i] = connect_tcp(sv_listener_place(listener));
  }
  on_loop(accept_rest_and_release, listener);
  for (int i = 0; i < 100; i++) {
    check_greeted(clients[i]);
  }
}

// Without descriptors a connection is taken and closed, so that its client does not wait for ever.
static void test_no_descriptors(void **state) {
  (void)state;
  sv_listener *listener = NULL;
  check_ok(sv_listener_create(loop, "127.0.0.1:0", accepted, NULL, &listener));
  int before = atomic_load(&accepted_count);
  int clients[3];
  for (int i = 0; i < 3; i++) {
    clients[i] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  }
  struct rlimit limit, none;
  getrlimit(RLIMIT_NOFILE, &limit);
  int lowest = dup(0);
  close(lowest);
  none = limit;
  none.rlim_cur = (rlim_t)lowest;
  assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
  struct sockaddr_in address = {.sin_family = AF_INET,
                                .sin_port = htons((unsigned short)atoi(strrchr(sv_listener_place(listener), ':') + 1)),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  bool closed = true;
  for (int i = 0; i < 3; i++) {
    char byte;
    closed &= connect(clients[i], (struct sockaddr *)&address, sizeof address) == 0;
    closed &= recv(clients[i], &byte, 1, 0) <= 0;
  }
  setrlimit(RLIMIT_NOFILE, &limit);
  assert_true(closed);
  assert_int_equal(atomic_load(&accepted_count), before);
  for (int i = 0; i < 3; i++) {
    close(clients[i]);
  }
  check_greeted(connect_tcp(sv_listener_place(listener)));
  on_loop(release, listener);
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, setup, teardown)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_post),
      cmocka_unit_test(test_round_end),
      TEST(tcp),
      TEST(bad_places),
      TEST(unix),
      TEST(given),
      TEST(pause),
      TEST(accept_rest),
      TEST(no_descriptors),
  };
  return check_run(tests);
}

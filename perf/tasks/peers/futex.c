// Not a runtime: the hand-over alone, one word and futex. Spinning: the other thread never sleeps.
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "harness.h"

static uint32_t word, sleeping;
static uint64_t stamp;
static bool may_sleep;
static int wanted;

static void *wait_for_words(void *unused) {
  (void)unused;
  for (int i = 0; i < wanted; i++) {
    while (!__atomic_load_n(&word, __ATOMIC_ACQUIRE)) {
      if (!may_sleep) {
        cpu_pause();
        continue;
      }
      __atomic_store_n(&sleeping, 1, __ATOMIC_SEQ_CST);
      syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    }
    __atomic_store_n(&word, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&sleeping, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&stamp, now_ns(), __ATOMIC_RELEASE);
  }
  return NULL;
}

static void hand_over(int samples, int idle_us, uint64_t *out_ns) {
  pthread_t thread;
  wanted = samples;
  may_sleep = idle_us != 0;
  pthread_create(&thread, NULL, wait_for_words, NULL);
  spin_for_us(200);
  for (int i = 0; i < samples; i++) {
    __atomic_store_n(&stamp, 0, __ATOMIC_RELAXED);
    if (idle_us) {
      spin_for_us(idle_us);
    }
    uint64_t begun = now_ns(), there;
    __atomic_store_n(&word, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&sleeping, __ATOMIC_SEQ_CST)) {
      syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    }
    while (!(there = __atomic_load_n(&stamp, __ATOMIC_ACQUIRE))) {
      cpu_pause();
    }
    out_ns[i] = there - begun;
  }
  pthread_join(thread, NULL);
}

const peer PEER = {.name = "bare futex", .hand_over = hand_over};

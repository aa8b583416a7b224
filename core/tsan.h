// tsan: order that ThreadSanitizer cannot see, since a library makes it that is built without. Nothing in other builds.
//
//   MR_TSAN_RELEASE(thing);  // before the library's function publishes what this thread wrote
//   MR_TSAN_ACQUIRE(thing);  // after the library's function by which another thread finds it
#ifndef MR_CORE_TSAN_H
#define MR_CORE_TSAN_H

#if defined(__SANITIZE_THREAD__)
#define MR_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define MR_TSAN 1
#endif
#endif

#ifdef MR_TSAN
void __tsan_acquire(void *address);
void __tsan_release(void *address);
#define MR_TSAN_ACQUIRE(address) __tsan_acquire(address)
#define MR_TSAN_RELEASE(address) __tsan_release(address)
#else
#define MR_TSAN_ACQUIRE(address) ((void)(address))
#define MR_TSAN_RELEASE(address) ((void)(address))
#endif

#endif

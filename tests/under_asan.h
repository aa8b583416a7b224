// Whether AddressSanitizer looks on: then every block is an allocation of its own.
#ifndef MR_TESTS_UNDER_ASAN_H
#define MR_TESTS_UNDER_ASAN_H

#if defined(__SANITIZE_ADDRESS__)
#define UNDER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define UNDER_ASAN 1
#endif
#endif
#ifndef UNDER_ASAN
#define UNDER_ASAN 0
#endif

#endif

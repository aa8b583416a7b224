// gone: at the end of every test, and of every program of tests, as much is alive as there was before. tests/cmocka.h puts it
// around each group of tests; a test does nothing for it.
#ifndef MR_TESTS_GONE_H
#define MR_TESTS_GONE_H

#include <stddef.h>
#include <stdint.h>

struct CMUnitTest;

int gone_run_group_tests(const char *name, const struct CMUnitTest *tests, size_t count, int (*setup)(void **state),
                         int (*teardown)(void **state));

// The census of a plugin that was opened besides, which counts for itself.
void gone_watch_plugin(const char *(*name)(size_t kind), size_t (*count)(int64_t *out_counts, size_t room));

#endif

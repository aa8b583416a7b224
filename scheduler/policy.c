#include "scheduler/policy.h"

const mr_policy mr_policy_table[] = {
    [MR_POLICY_LOCALITY] = {.name = "locality"},
    [MR_POLICY_FIFO] = {.name = "fifo", .inbox_first = true, .oldest_first = true},
};

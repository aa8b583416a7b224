#ifndef MR_TESTS_OPS_DNNL_FAKE_DNNL_H
#define MR_TESTS_OPS_DNNL_FAKE_DNNL_H

// The status of a process that called one of the private functions of tests/ops/dnnl/fake_dnnl.c.
enum { FAKE_DNNL_WAS_PRIVATE = 77 };

#endif

// Every element function in one translation unit, so loops inline them the way generated code does and need no
// library. The pragma matches the -ffp-contract=off of the bitcode build.
#ifndef MR_PERF_OPS_ELEMENT_ALL_H
#define MR_PERF_OPS_ELEMENT_ALL_H

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#else
#pragma GCC optimize("fp-contract=off")
#endif

#include "ops/element/bessel.c"
#include "ops/element/erf.c"
#include "ops/element/exp.c"
#include "ops/element/gamma.c"
#include "ops/element/hyperbolic.c"
#include "ops/element/integer.c"
#include "ops/element/inverse_hyperbolic.c"
#include "ops/element/inverse_trig.c"
#include "ops/element/log.c"
#include "ops/element/pow.c"
#include "ops/element/remainder.c"
#include "ops/element/roots.c"
#include "ops/element/rounding.c"
#include "ops/element/trig.c"

#endif

// ports: what an executable's parameters and results are. Private to compiler/plan.
#ifndef MR_COMPILER_PLAN_PORTS_H
#define MR_COMPILER_PLAN_PORTS_H

#include "compiler/plan/plan.h"

// Fills params, results and their byte counts.
mr_status mr_planner_ports(mr_executable *executable, const mr_function *function) MR_WARN_UNUSED;

#endif

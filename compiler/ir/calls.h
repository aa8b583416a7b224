// calls: the targets of custom calls that the compiler makes itself, for the reader, the passes and whoever finds a function
// for them.
#ifndef MR_COMPILER_IR_CALLS_H
#define MR_COMPILER_IR_CALLS_H

// Gives `rng` its state: two words of ui64, others each time. `index` tells one op from another.
#define MR_RNG_STATE "millrace.rng_state"
// Behind HLO's rng-get-and-update-state: two words of a counter that grows by `delta` of its configuration each time.
#define MR_RNG_COUNTER "millrace.rng_counter"
// Shows its operands to the host, under the number `tag` of its configuration.
#define MR_HLO_OUTPUT "millrace.hlo_output"
// An attribute of a custom call that gave a tuple before its parts became its results.
#define MR_CALL_GAVE_TUPLE "millrace.gave_tuple"

#endif

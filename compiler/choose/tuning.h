// When an op goes to a library, each number with where it comes from. None of them is a figure of the device: the library adds up in
// another order than a generated loop.
#ifndef MR_COMPILER_CHOOSE_TUNING_H
#define MR_COMPILER_CHOOSE_TUNING_H

// Below these sizes a generated loop costs less than a library call (perf/ops: 200 to 400 ns of set-up a call).
#define MR_CHOOSE_DOT_MULTIPLIES 4096
#define MR_CHOOSE_CONV_MULTIPLIES 32768
// The same for each product of a batch, where a call takes half a microsecond: sums up to the third length are unrolled and
// their products vectors (256 of 16x16: 41 us, as calls 114), longer ones are not (12x20x12: 138 us and 38).
#define MR_CHOOSE_ENTRY_MULTIPLIES 4096
#define MR_CHOOSE_ENTRY_LONG_MULTIPLIES 1536
#define MR_CHOOSE_SHORT_SUM 16
// Rows of a matrix that are added up in less time than a function of the sum takes by itself, when it is computed for one sum
// at a time (100 steps of tanh(w @ c) for 64: 76 us, as a call 46); the function is looked for so many ops behind the product.
#define MR_CHOOSE_SHORT_ROW 256
#define MR_CHOOSE_FUNCTION_STEPS 4
// Results of a program beyond which no convolution's weights count as staying the same: a thousand comparisons of types are some
// microseconds, a convolution's call takes a millisecond to make.
#define MR_CHOOSE_STABLE_RESULTS 1000
// What looking at an assertion's condition takes.
#define MR_CHOOSE_ASSERTION_NS 110

#endif

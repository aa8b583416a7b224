// Estimates that lowering plans with. Measured on two cores of a Zen 5 at about 4 GHz, one core busy.
#ifndef MR_COMPILER_LOWER_TUNING_H
#define MR_COMPILER_LOWER_TUNING_H

#define MR_LOWER_NS_PER_BYTE 0.035         // memory traffic, 28 GB/s of one core
#define MR_LOWER_NS_PER_CACHED_BYTE 0.015  // of kernels whose data fit into a core's cache, which they mostly come from
#define MR_LOWER_CACHED_BYTES ((double)(2 << 20) + 4096)
#define MR_LOWER_NS_PER_LOADED_BYTE 0.01  // loads that hit a cache
// An element that is not beside the one before: a transposed i8 takes 0.24 ns, every other f32 of a row 0.5.
#define MR_LOWER_NS_PER_SCATTERED 0.25
#define MR_LOWER_NS_PER_FLOP 0.03  // vectorised, some scalar
#define MR_LOWER_NS_PER_TRANSCENDENTAL 0.3
#define MR_LOWER_SHARE_NS 20000.0  // a share of less is not worth handing to another thread

// Results from these sizes on are stored past the caches.
#define MR_LOWER_STREAM_BYTES ((size_t)32 << 20)
#define MR_LOWER_STREAM_TILED_BYTES ((size_t)4 << 20)

#endif

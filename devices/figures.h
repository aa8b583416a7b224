// figures: what a device can do in a nanosecond, and how much it takes: what the compiler asks when it weighs one way to compute
// something against another. They decide speed only: never an algorithm with another rounding, nor the order of a sum.
//
// A machine is measured once, in the background, by a probe of some 50 ms (devices/host/probe.c), and the figures are kept in the
// cache folder (core/kept.h) for this processor, these caches and this many units; until then, where there is no such folder, and
// for what was measured and cannot be believed, the defaults of figures.def hold.
// MILLRACE_FIGURES: `default`, no file is read and nothing is measured; `measure`, what the file says is not believed; and
// `name=value` for a figure that is to be this one; several of them with commas between.
//
// Threads: any. Figures that were given out stay as they are, for as long as the process lives.
//
//   const mr_figures *figures = mr_device_figures(device);
//   double ns = bytes / mr_figures_read_rate(figures, bytes);
//   mr_figures_each(figures, print, NULL);      // "memory_read_bytes_per_ns", 14.2, "read from memory by one core"
#ifndef MR_DEVICES_FIGURES_H
#define MR_DEVICES_FIGURES_H

#include "core/core.h"

struct mr_device;

// Raised whenever figures.def or how they are measured changes.
#define MR_FIGURES_VERSION 1

typedef enum mr_figures_origin {
  MR_FIGURES_DEFAULT,
  MR_FIGURES_MEASURED,  // by this process
  MR_FIGURES_KEPT,      // by an earlier one
  MR_FIGURES_GIVEN,     // some of them by MILLRACE_FIGURES
} mr_figures_origin;
const char *mr_figures_origin_name(mr_figures_origin origin);  // "default", "measured", "kept", "given"

enum { MR_FIGURES_CACHES = 4 };

// All are doubles, in figures.def's words and order; what is not in a nanosecond or in nanoseconds says so.
typedef struct mr_cache_figures {
  double bytes, units;  // bytes 0: there is no such level
  double read_bytes_per_ns, write_bytes_per_ns;
} mr_cache_figures;

typedef struct mr_figures {
  double units;
  mr_cache_figures caches[MR_FIGURES_CACHES];                                              // from the core outward
  double memory_read_bytes_per_ns, memory_write_bytes_per_ns, memory_stream_bytes_per_ns;  // one core
  double memory_all_read_bytes_per_ns, memory_all_write_bytes_per_ns, memory_all_stream_bytes_per_ns;
  double copy_bytes_per_ns;
  double f32_flops_per_ns, f64_flops_per_ns, bf16_flops_per_ns, f16_flops_per_ns, s8_flops_per_ns;  // one core
  double wake_ns, handover_ns, launch_ns;
  double largest_block_bytes, alignment_bytes, atomic_bytes;
  mr_figures_origin origin;
} mr_figures;
enum { MR_FIGURES_COUNT = offsetof(mr_figures, origin) / sizeof(double) };

extern const mr_figures mr_figures_default;
// What is known at this moment; never waits for a measurement.
const mr_figures *mr_device_figures(struct mr_device *device);
// Measures on the calling thread, and keeps, what is not known yet. `stop` (may be NULL) is asked every few milliseconds.
const mr_figures *mr_device_measure(struct mr_device *device, bool (*stop)(void *context), void *context);

// One figure after the other, in figures.def's order.
void mr_figures_each(const mr_figures *figures,
                     void (*visit)(void *context, const char *name, double value, const char *words), void *context);
// Sets a figure by its name; false when there is none of this name or the value is not one it may have.
bool mr_figures_set(mr_figures *figures, mr_str name, double value);
// Whether each is one that it may have, and no outer level is smaller than an inner one.
bool mr_figures_plausible(const mr_figures *figures);
// Each that is not as it may be becomes the other's.
void mr_figures_mend(mr_figures *figures, const mr_figures *otherwise);

// ---- What they come to ------------------------------------------------------------------------------------------------

// What of the outermost cache a program may count on: all of it, but no more for each unit than processors give one. A
// machine that is a part of another one is told the size of a cache whose most part others use.
double mr_figures_cache_share(const mr_figures *figures);
// Bytes that one core reads, or writes, in a nanosecond, of a block of this size that it goes over again and again.
double mr_figures_read_rate(const mr_figures *figures, double bytes);
double mr_figures_write_rate(const mr_figures *figures, double bytes);

#endif

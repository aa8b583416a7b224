// Thresholds of devices/opencl/, each with where it comes from.
#ifndef MR_DEVICES_OPENCL_TUNING_H
#define MR_DEVICES_OPENCL_TUNING_H

// Items of a loop in shares for each unit: the slowest of so many makes the end late by a quarter of one unit's part.
#define MR_OCL_ITEMS_PER_UNIT 4
// What an item should take at least: PoCL hands one out in 2 us.
#define MR_OCL_ITEM_NS 20000
// Items of a group where there is one for each tile: what makers recommend lies between 64 and 256.
#define MR_OCL_GROUP 256
// Local memory that a kernel is written for: what every maker's units have for each of two groups.
#define MR_OCL_LOCAL_BYTES (32 << 10)
// Who exits while runtimes are looked for waits so long for the dynamic linker: opening PoCL, which is nowhere in memory, takes 0.2 s.
#define MR_OCL_LINK_NS ((uint64_t)3 * 1000000000)
// Of the device's memory, for its driver and for others.
#define MR_OCL_RESERVE_PART 16

#endif

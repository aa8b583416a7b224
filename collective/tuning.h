// Sizes of the pieces that meetings are cut into, each with where it comes from.
#ifndef MR_COLLECTIVE_TUNING_H
#define MR_COLLECTIVE_TUNING_H

// Elements are folded in pieces that a core's first cache holds until all have got them. What all give is read side by side: two cores
// fold 4 MiB of eight devices, 32 MiB in all, in 0.9 to 1.1 ms so and in 2.2 in pieces of two devices at a time.
#define MR_FOLD_BYTES 4096
// Whoever takes a share of a meeting takes at least so much: less is over before it is there.
#define MR_COLLECTIVE_SHARE_BYTES (64 << 10)
// Blocks that several get are copied to each of them in pieces that stay in a core's cache between two.
#define MR_COLLECTIVE_COPY_BYTES (32 << 10)
// Rows shorter than this are copied by stride, several at once.
#define MR_COLLECTIVE_SHORT_ROW 256
// Estimates for one core: bytes read and written in a nanosecond. A sum of 4 MiB over eight, 64 MiB in all, took one 3 to 5 ms.
#define MR_COLLECTIVE_BYTES_PER_NS 12
#define MR_COLLECTIVE_NS 50

#endif

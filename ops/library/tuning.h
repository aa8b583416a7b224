// Thresholds of ops/library, each with where it comes from.
#ifndef MR_OPS_LIBRARY_TUNING_H
#define MR_OPS_LIBRARY_TUNING_H

// What one core does, for estimates: half of the peak of an AVX-512 core. No figure of the device, since pieces are cut by them and
// a library orders its sums by the sizes of pieces; what a call takes on this device the plan works out (compiler/plan/assign.c:
// call_cost).
#define MR_F32_FLOPS_PER_NS 80
#define MR_F64_FLOPS_PER_NS 40
// What a core does of a product in f32 or f64, where that decides about nothing in the call: 128 x 128 x 128 in 23 us, 512 cubed in 1.47 ms;
// and of bytes of operands and results that a product goes through (1024 x 8 x 1024: 254 us).
#define MR_F32_PRODUCT_PER_NS 180
#define MR_F64_PRODUCT_PER_NS 90
#define MR_PRODUCT_BYTES_PER_NS 25
// What a call takes besides: of a product, of one in bf16, whose primitive is larger, of a convolution, of a factorisation by
// our own code and of a matrix by LAPACK's.
#define MR_MATMUL_CALL_NS 300
#define MR_MATMUL_BF16_CALL_NS 1000
#define MR_CONV_CALL_NS 3000
#define MR_LINALG_CALL_NS 100
#define MR_LAPACK_MATRIX_NS 1000
// A product is cut in p pieces when it costs p * p * p times this: two of 64 us early, since handing one to another core costs
// about 30, then 4 for f32 512, 8 for 1024, 16 for 2048. With twice as many 512 takes 6% longer on two cores, and 2048 in 64
// pieces 9%. bf16 packs more for what it computes: in 2 pieces 512 takes 7% less than in 4.
#define MR_MATMUL_CUT_NS 16000
#define MR_MATMUL_BF16_CUT_NS 32000
#define MR_MATMUL_MOST_PIECES 64
// Products of f32 in so many pieces or more have their right operand packed for all of them. Parts of at most so many columns, whole
// units of what a kernel computes at once, and so many terms of the sum; as many before they are used as fit so many bytes; bands of
// so many rows. 512 x 1024 x 1024 on one core takes 10.0 ms with bands of 64 and slices of 528 columns or all, 10.1 with slices of 288,
// 9.9 with bands of 32; whole by sgemm 10.2, in tiles of 512 x 288 10.6, of 256 x 288 11.0. 512 x 512 x 8192 on two cores takes 19.8
// with parts of 528 columns and 1024 terms and as long in tiles, 21 with two slices, 27 with few columns and the whole sum, which packs
// the left operand for each of the slices anew. Elements that a core packs in a nanosecond.
#define MR_PACKED_MIN_PIECES 8
#define MR_PACKED_UNIT 48
#define MR_PACKED_COLUMNS 528
#define MR_PACKED_DEPTH 1024
#define MR_PACKED_BYTES (8 << 20)
#define MR_PACKED_ROWS 32
#define MR_PACKED_MIN_SUM 64
#define MR_PACKED_PER_NS 3
// What one core does of a convolution when all lanes of its vectors have features to compute (oneDNN's kernels do 145 to 185
// from 16 features on, 30 for 3 and 10 for 1), and the bytes it reads and writes (depthwise by 3x3: 3.2 MB in 80 to 120 us).
#define MR_CONV_FLOPS_PER_NS 160
#define MR_CONV_LANES 16
#define MR_CONV_BYTES_PER_NS 40
// What a piece of a convolution costs at least, when they are few and when they are many.
#define MR_CONV_PIECE_NS 40000
#define MR_CONV_FEW_PIECES 4
#define MR_CONV_LARGE_PIECE_NS 120000
#define MR_WINOGRAD_PIECE_NS 250000
// The same for gradients of weights: each piece makes one, which is brought to the program's layout and added.
#define MR_CONV_GRADIENT_PIECE_NS 60000
#define MR_CONV_GRADIENT_FEW_PIECES 4
#define MR_CONV_GRADIENT_LARGE_PIECE_NS 1000000
// Elements of partial weight gradients that a core adds up in a nanosecond, and how many times that a piece costs at least.
#define MR_ADD_PER_NS 2
#define MR_CONV_GRADIENT_SHARE 20
// How many times faster a convolution is by Winograd's algorithm; what the transformation of a filter counts in the choice, and
// what of transformed ones a core reads in a nanosecond: a piece is worth reading them. A transformation takes 10 ns when all
// filters stay in a cache (128 x 128 of them) and 30 when they do not. The choice counts 10 for all, so it is laxer than "pays
// in every call": between the two a convolution whose weights stay the same from call to call gains, one whose weights change
// in every call loses (14x14x256 of f32 on two cores: 1.3 ms with weights that stay, directly 1.6; 3.6 and 2.2 with others). The
// choice may not depend on which of them it is, or results would; so many filters with so little to convolve are one image at
// a time, which is seldom trained with.
#define MR_WINOGRAD_GAIN 2
#define MR_WINOGRAD_PAIR_NS 10
#define MR_WINOGRAD_READ_PER_NS 10
// More bytes of transformed filters are written past the caches.
#define MR_WINOGRAD_STREAM_BYTES (4 << 20)
// Features that fill vectors, which oneDNN's kernel wants on both sides, and how many have to come in.
#define MR_WINOGRAD_FEATURES 16
#define MR_WINOGRAD_MIN_FEATURES 32
// Smaller convolutions are not worth three calls of the library for each piece.
#define MR_WINOGRAD_MIN_NS 100000
// Products of doubles from this size on are ours. Their blocks: columns of a piece at most (1.5 MB of the second level cache);
// rows of k that a tile goes over, whose panel is 48 KB (a product of 512: 1.70 ms so, 1.78 with 192, 1.85 with 128); rows of
// a band (32 to 128 are alike within 3%).
#define MR_DGEMM_MIN_MULTIPLIES (128.0 * 128 * 128)
#define MR_DGEMM_MIN_COLUMNS 96
#define MR_DGEMM_COLUMNS 768
#define MR_DGEMM_DEPTH 256
#define MR_DGEMM_BAND 32
// oneDNN's bf16 matmul over plain matrices is slow for skinny ones.
#define MR_BF16_MIN_ROWS 64
// Elements a core converts between f32 and the 16-bit types in a nanosecond.
#define MR_WIDEN_PER_NS 4
// What one core's transforms do in a nanosecond, by the usual count of 5 n log2(n).
#define MR_FFT_F32_PER_NS 28
#define MR_FFT_F64_PER_NS 12
// Lines whose working memory is larger are transformed in two steps: 100 lines of 4096 take 630 us so and 870 whole, but
// 1000 of 1024 take 2480 and 1850 (one core, AVX-512, c64).
#define MR_FFT_CACHE_BYTES 1000000
// Lines too few to fill the lanes are cut in two steps from this length on.
#define MR_FFT_CUT_LENGTH 128

// Factorisations and solvers: what a core does in a nanosecond at most, for estimates, and of how many rows half of that (a triangle
// of 64 solved for 64 columns takes 4.9 us, of 256 155, of 1000 7100).
#define MR_LINALG_F32_MOST_PER_NS 140.0
#define MR_LINALG_F64_MOST_PER_NS 70.0
#define MR_LINALG_HALF_ROWS 80.0
// LAPACK's routines do less: much of their work is on columns, and the shorter these are the less. So many operations a nanosecond for
// each so many rows (eigenvalues of 8 x 8: 1, of 64: 7, of 256: 24 to 35), and what they come to at most; doubles half of that.
#define MR_LAPACK_ROWS_PER_NS 8.0
#define MR_LAPACK_MOST_PER_NS 36.0
// Our own factorisations: operations a nanosecond in the products that they mostly are, in f32 (Cholesky of 1000: 4.7 ms, LU 6); what each
// element takes besides, in nanoseconds; and a matrix that LAPACK factors the last block of, or all.
#define MR_FACTOR_PER_NS 100.0
#define MR_FACTOR_ELEMENT_NS 1.2
#define MR_FACTOR_SMALL_NS 50
#define MR_FACTOR_MATRIX_NS 4000
// Real matrices up to this size are the work of plain loops: a call of BLAS alone costs about a microsecond.
#define MR_LINALG_SMALL 16
// Triangles up to this size, and systems of fewer right-hand sides, are trsm's; larger ones are cut so that most of the work
// is products (f32 on one core: trsm 14 to 28 GFLOP/s at 64 and 73 at 500, products 170).
#define MR_SOLVE_LEAF 64
#define MR_SOLVE_MIN_RHS 16
// Blocks on the diagonal that LAPACK factors on one core: potrf of 64 takes 11 us, of 128 42 (f32); getrf of 1000 x 32 takes
// 30 us, of 1000 x 64 78.
#define MR_CHOLESKY_LEAF 64
#define MR_LU_LEAF 32
#define MR_LU_WHOLE 96
// Rows, columns or right-hand sides that a core takes at least.
#define MR_FACTOR_MIN_PIECE 64
// Strips that a triangle is updated in at most: each core gets long and short ones.
#define MR_FACTOR_STRIPS 16
// They are cut as products are: inverting 8 matrices of 200, each on one core, takes 12% longer in pieces of 64.
#define MR_FACTOR_CUT_NS 16000

#endif

# Packages from the distribution. LLVM, oneDNN and OpenBLAS are opened with dlopen by the one file that uses them, so only
# their headers are wanted here.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
foreach(package hwloc libevent_core libevent_pthreads liburcu-bp liburcu-cds libprotobuf-c)
  pkg_check_modules(${package} REQUIRED IMPORTED_TARGET ${package})
endforeach()
pkg_check_modules(cmocka IMPORTED_TARGET cmocka)

find_path(MR_LLVM_INCLUDE_DIR llvm-c/Core.h HINTS /usr/lib/llvm-19/include REQUIRED)
find_program(MR_CLANG NAMES clang-19 HINTS /usr/lib/llvm-19/bin REQUIRED)
find_program(MR_LLVM_LINK NAMES llvm-link-19 llvm-link HINTS /usr/lib/llvm-19/bin REQUIRED)
find_program(MR_PROTOC_C NAMES protoc-c REQUIRED)
# OpenCL's loader is opened with dlopen as well.
find_path(MR_OPENCL_INCLUDE_DIR CL/cl_icd.h REQUIRED)

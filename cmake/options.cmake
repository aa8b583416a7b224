# What every target of ours is compiled with.
option(MILLRACE_LTO "Link-time optimisation of the shared libraries" OFF)
set(MILLRACE_SANITIZE "" CACHE STRING "Value for -fsanitize=, empty for none")
option(MILLRACE_CHAOS "Delays before atomic operations of the engine, core/chaos.h" OFF)
option(MILLRACE_COVERAGE "Count which branches run, for tools/error_coverage.py" OFF)
option(MILLRACE_BUNDLE "Shared libraries that need nothing of the machine but glibc, cmake/bundle.cmake" OFF)
option(MILLRACE_FUZZ "Build tests/fuzz/fuzz_*.c with libFuzzer" OFF)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug or Release" FORCE)
endif()
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_EXTENSIONS ON)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# A static library needs no other one to be compiled, so a folder that does not compile stops nobody else's.
set(CMAKE_OPTIMIZE_DEPENDENCIES ON)
set(CMAKE_C_FLAGS_DEBUG "-Og -g")
set(CMAKE_C_FLAGS_RELEASE "-O3 -g -DNDEBUG")

set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(MR_GENERATED_DIR ${CMAKE_BINARY_DIR}/generated)
file(MAKE_DIRECTORY ${MR_GENERATED_DIR})

# Every target that compiles our sources links mr_flags.
add_library(mr_flags INTERFACE)
target_include_directories(mr_flags INTERFACE ${CMAKE_SOURCE_DIR} ${MR_GENERATED_DIR})
target_compile_definitions(mr_flags INTERFACE _GNU_SOURCE)
target_compile_options(mr_flags INTERFACE $<$<COMPILE_LANGUAGE:C>:-Wall;-Wextra;-Wshadow;-Wstrict-prototypes;-Wmissing-prototypes;-Werror;-fno-math-errno;-ffp-contract=off>)
# gcc's guess across functions that return a status is wrong too often; clang looks at every path without guessing.
if(CMAKE_C_COMPILER_ID STREQUAL GNU)
  target_compile_options(mr_flags INTERFACE -Wno-maybe-uninitialized)
else()
  # We write GNU C; what gcc knows and clang does not (prefer-vector-width) may be ignored.
  target_compile_options(mr_flags INTERFACE -Wno-gnu-variable-sized-type-not-at-end -Wno-ignored-attributes)
endif()
target_compile_options(mr_flags INTERFACE -ffunction-sections -fdata-sections)
# The build ID is part of the keys of the kernel cache.
target_link_options(mr_flags INTERFACE -Wl,--gc-sections -Wl,--as-needed -Wl,--build-id)
if(MILLRACE_SANITIZE)
  target_compile_options(mr_flags INTERFACE
    -fsanitize=${MILLRACE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(mr_flags INTERFACE -fsanitize=${MILLRACE_SANITIZE})
endif()
# Without optimisation, which merges the branches that end alike. The counts are plain increments of many threads: a lost one
# never turns some into none.
if(MILLRACE_COVERAGE)
  target_compile_options(mr_flags INTERFACE $<$<COMPILE_LANGUAGE:C>:--coverage;-O0>)
  target_link_options(mr_flags INTERFACE --coverage)
endif()
if(MILLRACE_FUZZ)
  target_compile_options(mr_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
# Objects carry both forms: the shared libraries link the intermediate one, each test the machine code, which is quick.
if(MILLRACE_LTO)
  target_compile_options(mr_flags INTERFACE $<$<COMPILE_LANGUAGE:C>:-flto=auto;-ffat-lto-objects>)
endif()

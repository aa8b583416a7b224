# MILLRACE_BUNDLE: libraries that need nothing of the machine but glibc, from 2.28 on (cmake --preset dist, ./dev wheel).
#
# What has an archive of position-independent code is linked in: protobuf-c into ours, nghttp2, OpenSSL and zlib into the server, and LLVM into libmillrace-llvm.so,
# just the functions of llvm_functions.def with what they need and the x86 target, opened when the first kernel is
# compiled (and OpenBLAS, openblas.cmake). The others are copied beside them by bundle.py, under a name of our own. MR_BUNDLE_LIBRARIES are all those
# files, MR_BUNDLE_LICENCES is the folder of their licences.
set(MR_BUNDLE_LICENCES ${CMAKE_BINARY_DIR}/licences)
include(cmake/glibc.cmake)

find_program(MR_PATCHELF NAMES patchelf REQUIRED)
find_program(MR_CLANGXX NAMES clang++-19 HINTS /usr/lib/llvm-19/bin REQUIRED)
find_program(MR_LLVM_CONFIG NAMES llvm-config-19 llvm-config HINTS /usr/lib/llvm-19/bin REQUIRED)
find_library(MR_DNNL dnnl REQUIRED)
find_library(MR_OPENBLAS libopenblas.a REQUIRED)
find_library(MR_PROTOBUF_C libprotobuf-c.a REQUIRED)
find_library(MR_LIBZ libz.a REQUIRED)
find_library(MR_LIBZSTD libzstd.a REQUIRED)
find_library(MR_LIBNGHTTP2 libnghttp2.a REQUIRED)
find_library(MR_LIBSSL libssl.a REQUIRED)
find_library(MR_LIBCRYPTO libcrypto.a REQUIRED)
execute_process(COMMAND ${MR_CLANGXX} -print-file-name=libstdc++.a OUTPUT_VARIABLE libstdcxx
  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${MR_LLVM_CONFIG} --link-static --libfiles x86codegen x86asmparser passes irreader
  OUTPUT_VARIABLE llvm_archives OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(llvm_archives)
list(GET llvm_archives 0 some_llvm_archive)

# Ours are linked to copies of these. liburcu's licence (LGPL 2.1) wants it to stay a library that can be exchanged.
set(linked hwloc libevent_core libevent_pthreads liburcu-bp liburcu-cds)
set(originals)
foreach(package ${linked})
  string(REGEX REPLACE "^lib" "" name ${package})
  find_library(MR_SHARED_${package} ${name} REQUIRED)
  list(APPEND originals ${MR_SHARED_${package}})
endforeach()
set(archives ${some_llvm_archive} ${libstdcxx} ${MR_LIBZ} ${MR_LIBZSTD} ${MR_PROTOBUF_C} ${MR_OPENBLAS} ${MR_LIBNGHTTP2}
  ${MR_LIBSSL} ${MR_LIBCRYPTO})
list(TRANSFORM archives PREPEND --archive=)
message(STATUS "Copying libraries to ${CMAKE_BINARY_DIR}/lib")
execute_process(COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/cmake/bundle.py --out ${CMAKE_BINARY_DIR}/lib
  --licences ${MR_BUNDLE_LICENCES} --glibc ${MR_GLIBC} --added ${MR_GLIBC_ADDED} ${archives} ${originals} ${MR_DNNL}
  OUTPUT_VARIABLE MR_BUNDLE_LIBRARIES COMMAND_ERROR_IS_FATAL ANY)
set(ZLIB_LIBRARY ${MR_LIBZ} CACHE FILEPATH "The command's" FORCE)
set_target_properties(PkgConfig::libprotobuf-c PROPERTIES INTERFACE_LINK_LIBRARIES ${MR_PROTOBUF_C})
foreach(package ${linked})
  string(REGEX REPLACE "^lib" "" name ${package})
  set(copy ${MR_BUNDLE_LIBRARIES})
  list(FILTER copy INCLUDE REGEX "/libmillrace-${name}[-.]")
  set_target_properties(PkgConfig::${package} PROPERTIES INTERFACE_LINK_LIBRARIES ${copy})
endforeach()

# Each function is wanted by name, and nothing else is seen from outside: not LLVM's C++, which jaxlib has too.
set(llvm_library ${CMAKE_BINARY_DIR}/lib/libmillrace-llvm.so)
set(functions_def ${CMAKE_SOURCE_DIR}/compiler/codegen/llvm_functions.def)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${functions_def})
file(STRINGS ${functions_def} lines REGEX "^FN\\(")
string(REGEX MATCHALL "FN\\([A-Za-z0-9_]+\\)" functions "${lines}")
list(TRANSFORM functions REPLACE "FN\\((.*)\\)" "LLVM\\1")
list(JOIN functions "; " exports)
set(llvm_map ${MR_GENERATED_DIR}/llvm.map)
file(CONFIGURE OUTPUT ${llvm_map} CONTENT "{\n  global: ${exports};\n  local: *;\n};\n")
list(TRANSFORM functions PREPEND -Wl,-u,)
# A file because there are two hundred options. Warnings are off because each archive member would have one: --icf=safe
# folds no code of theirs, for they lost what says whose address is taken, but it does fold constants.
set(llvm_options ${MR_GENERATED_DIR}/llvm.options)
list(JOIN functions "\n" wanted)
list(JOIN llvm_archives "\n" archive_lines)
file(CONFIGURE OUTPUT ${llvm_options} CONTENT "${wanted}\n${archive_lines}\n")
add_custom_command(OUTPUT ${llvm_library}
  COMMAND ${MR_CLANGXX} -shared -fuse-ld=lld -o ${llvm_library} @${llvm_options} ${MR_LIBZ} ${MR_LIBZSTD} ${MR_GLIBC_LINK}
    -static-libstdc++ -static-libgcc -Wl,-soname,libmillrace-llvm.so -Wl,--version-script=${llvm_map} -Wl,-z,defs
    -Wl,--gc-sections -Wl,--icf=safe -Wl,-O2 -Wl,-s -Wl,-w
  DEPENDS ${llvm_map} ${llvm_options} ${MR_GLIBC_STUBS}/libmillrace-glibc.a VERBATIM)
add_custom_target(bundle ALL DEPENDS ${llvm_library})
list(APPEND MR_BUNDLE_LIBRARIES ${MR_GLIBC_ADDED} ${llvm_library})

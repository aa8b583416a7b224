# lib/libmillrace-openblas.so.0: of the distribution's archive of OpenBLAS the functions that we call, with settings of ours
# (ops/openblas/settings.c). That is three quarters of it, and a fifth without the kernels that are left out below.
find_library(MR_OPENBLAS libopenblas.a REQUIRED)
set(openblas_library ${CMAKE_BINARY_DIR}/lib/libmillrace-openblas.so.0)
file(GLOB openblas_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/ops/openblas/*.c)

# Each is wanted by name, and nothing else is seen from outside.
set(openblas_functions cblas_dgemm openblas_set_num_threads openblas_get_corename)
foreach(letter s d c z)
  foreach(name gemm trsm potrf getrf geqrf gesdd geev)
    list(APPEND openblas_functions ${letter}${name}_)
  endforeach()
endforeach()
foreach(letter s d)
  list(APPEND openblas_functions ${letter}syrk_ ${letter}orgqr_ ${letter}syevd_)
endforeach()
foreach(letter c z)
  list(APPEND openblas_functions ${letter}herk_ ${letter}ungqr_ ${letter}heevd_)
endforeach()
list(JOIN openblas_functions "; " exports)
set(openblas_map ${MR_GENERATED_DIR}/openblas.map)
file(CONFIGURE OUTPUT ${openblas_map} CONTENT "{\n  global: ${exports};\n  local: *;\n};\n")
list(TRANSFORM openblas_functions PREPEND -Wl,-u,)

# OpenBLAS has its kernels once for each of twenty processors, 1.2 MB each and 0.3 MB in a wheel. A bundle has those of five, and
# the table of each other processor is that of the best of these whose instructions it has. The least is SSE3, which the first
# Opterons, up to 2004, do not have. settings.c asks for no other than these five; OpenBLAS itself may, without AVX2.
# openblas_get_corename() says the first name that a table has.
set(openblas_stand_ins)
if(MILLRACE_BUNDLE)
  foreach(processor ATOM BARCELONA BOBCAT CORE2 DUNNINGTON NANO OPTERON OPTERON_SSE3 PENRYN)
    list(APPEND openblas_stand_ins -Wl,--defsym=gotoblas_${processor}=gotoblas_PRESCOTT)
  endforeach()
  foreach(processor BULLDOZER PILEDRIVER STEAMROLLER)
    list(APPEND openblas_stand_ins -Wl,--defsym=gotoblas_${processor}=gotoblas_SANDYBRIDGE)
  endforeach()
  foreach(processor EXCAVATOR ZEN)
    list(APPEND openblas_stand_ins -Wl,--defsym=gotoblas_${processor}=gotoblas_HASWELL)
  endforeach()
  list(APPEND openblas_stand_ins -Wl,--defsym=gotoblas_COOPERLAKE=gotoblas_SKYLAKEX)
endif()

add_custom_command(OUTPUT ${openblas_library}
  COMMAND ${CMAKE_C_COMPILER} -shared -O2 -fPIC -I${CMAKE_SOURCE_DIR} -o ${openblas_library} ${openblas_sources}
    -Wl,--wrap=getenv ${openblas_functions} ${openblas_stand_ins} ${MR_OPENBLAS} ${MR_GLIBC_LINK} -lm -static-libgcc
    -Wl,-soname,libmillrace-openblas.so.0 -Wl,--version-script=${openblas_map} -Wl,-z,defs -Wl,-z,noexecstack -Wl,-s
  DEPENDS ${openblas_sources} ${openblas_map} ${CMAKE_SOURCE_DIR}/ops/library/isa.h ${MR_OPENBLAS} VERBATIM)
add_custom_target(openblas ALL DEPENDS ${openblas_library})

# lib/libmillrace-openblas.so.0: the distribution's archive of OpenBLAS, with settings of ours (ops/openblas/settings.c).
find_library(MR_OPENBLAS libopenblas.a REQUIRED)
set(openblas_library ${CMAKE_BINARY_DIR}/lib/libmillrace-openblas.so.0)
set(openblas_settings ${CMAKE_SOURCE_DIR}/ops/openblas/settings.c)
if(MILLRACE_BUNDLE)
  set(gfortran ${MR_BUNDLE_LIBRARIES})
  list(FILTER gfortran INCLUDE REGEX "/libmillrace-gfortran[.]")
else()
  set(gfortran -l:libgfortran.so.5)
endif()
add_custom_command(OUTPUT ${openblas_library}
  COMMAND ${CMAKE_C_COMPILER} -shared -O2 -fPIC -I${CMAKE_SOURCE_DIR} -o ${openblas_library} ${openblas_settings}
    -Wl,--wrap=getenv -Wl,--whole-archive ${MR_OPENBLAS} -Wl,--no-whole-archive ${gfortran} -lm -static-libgcc
    -Wl,-soname,libmillrace-openblas.so.0 -Wl,-rpath,$ORIGIN -Wl,-z,defs -Wl,-z,noexecstack -Wl,-s
  DEPENDS ${openblas_settings} ${CMAKE_SOURCE_DIR}/ops/library/isa.h ${MR_OPENBLAS} VERBATIM)
add_custom_target(openblas ALL DEPENDS ${openblas_library})

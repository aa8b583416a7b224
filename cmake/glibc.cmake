# MILLRACE_BUNDLE: what is shipped is linked so that it runs on glibc 2.28 (RHEL 8, Ubuntu 20.04, Debian 10), whatever this
# machine's is. Stubs of its libraries stand in front of this machine's, and what came to it later is added.c
# (cmake/glibc/old_glibc.py). Copies of the distribution's libraries are changed instead (cmake/glibc/elf.py: lower).
set(MR_GLIBC 2.28)
set(MR_GLIBC_STUBS ${CMAKE_BINARY_DIR}/glibc)
set(MR_GLIBC_ADDED ${CMAKE_BINARY_DIR}/lib/libmillrace-glibc.so)
find_package(Python3 COMPONENTS Interpreter REQUIRED)
file(GLOB glibc_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/cmake/glibc/*)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${glibc_sources})
message(STATUS "Making stubs of glibc ${MR_GLIBC} in ${MR_GLIBC_STUBS}")
execute_process(COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/cmake/glibc/old_glibc.py --compiler ${CMAKE_C_COMPILER}
  --limit ${MR_GLIBC} --out ${MR_GLIBC_STUBS} --lib ${CMAKE_BINARY_DIR}/lib COMMAND_ERROR_IS_FATAL ANY)

# The libraries whose symbols are in libc.so.6 since 2.34 are needed by name: an older libc.so.6 lacks them.
set(MR_GLIBC_LINK -L${MR_GLIBC_STUBS} -Wl,--push-state,--no-as-needed -lpthread -ldl -lrt -Wl,--pop-state)

function(mr_link_to_old_glibc target)
  list(JOIN MR_GLIBC_LINK " " options)
  target_link_options(${target} PRIVATE "SHELL:${options}")
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${MR_GLIBC_STUBS}/libc.so.6 ${MR_GLIBC_STUBS}/libmillrace-glibc.a)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL EXECUTABLE)
    target_sources(${target} PRIVATE ${CMAKE_SOURCE_DIR}/cmake/glibc/start.c)
    target_link_options(${target} PRIVATE -Wl,--wrap=__libc_start_main)
  endif()
endfunction()

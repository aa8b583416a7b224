# mr_element_bitcode_library(target): ops/element/*.c compiled to one bitcode file, in a library that holds it as
# `mr_element_bitcode` and `mr_element_bitcode_size`. The code generator links from it just the functions a kernel needs.
set(MR_ELEMENT_FLAGS -std=gnu17 -O2 -fno-vectorize -fno-slp-vectorize -fno-unroll-loops
    -ffp-contract=off -fno-math-errno -fno-trapping-math)

function(mr_element_bitcode_library target)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/ops/element/*.c)
  set(folder ${MR_GENERATED_DIR}/element)
  file(MAKE_DIRECTORY ${folder})
  set(pieces)
  foreach(source ${sources})
    get_filename_component(stem ${source} NAME_WE)
    set(piece ${folder}/${stem}.bc)
    add_custom_command(OUTPUT ${piece}
      COMMAND ${MR_CLANG} ${MR_ELEMENT_FLAGS} -Wall -Wextra -Werror -I${CMAKE_SOURCE_DIR} -emit-llvm -c
              -MD -MF ${piece}.d -MT ${piece} ${source} -o ${piece}
      DEPENDS ${source} DEPFILE ${piece}.d VERBATIM)
    list(APPEND pieces ${piece})
  endforeach()
  if(NOT pieces)
    set(piece ${folder}/empty.bc)
    add_custom_command(OUTPUT ${piece}
      COMMAND ${MR_CLANG} -x c /dev/null -emit-llvm -c -o ${piece} VERBATIM)
    list(APPEND pieces ${piece})
  endif()
  add_custom_command(OUTPUT ${folder}/element.bc
    COMMAND ${MR_LLVM_LINK} ${pieces} -o ${folder}/element.bc DEPENDS ${pieces} VERBATIM)
  add_custom_target(element_bitcode DEPENDS ${folder}/element.bc)

  set(holder ${MR_GENERATED_DIR}/element_bitcode.S)
  configure_file(${CMAKE_SOURCE_DIR}/cmake/element_bitcode.S.in ${holder} @ONLY)
  set_source_files_properties(${holder} PROPERTIES OBJECT_DEPENDS ${folder}/element.bc)
  add_library(${target} STATIC ${holder})
  add_dependencies(${target} element_bitcode)
endfunction()

# mr_clc_library(target): the text that kernels in OpenCL C call into, ops/element/*.c and compiler/codegen/clc_support.cl without
# comments, includes and macros, in a library that holds it as `mr_clc_source` and `mr_clc_source_size`.
function(mr_clc_library target)
  set(folder ${MR_GENERATED_DIR}/clc)
  file(MAKE_DIRECTORY ${folder})
  file(GLOB sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/ops/element/*.c)
  set(includes)
  foreach(source ${sources} compiler/codegen/clc_support.cl)
    string(APPEND includes "#include \"${source}\"\n")
  endforeach()
  file(CONFIGURE OUTPUT ${folder}/all.cl CONTENT "${includes}" @ONLY)
  # Without the language's own header: what it has stays as it is written.
  add_custom_command(OUTPUT ${folder}/source.cl
    COMMAND ${MR_CLANG} -x cl -cl-std=CL1.2 -cl-no-stdinc -E -P -I${CMAKE_SOURCE_DIR} -MD -MF ${folder}/source.d
            -MT ${folder}/source.cl ${folder}/all.cl -o ${folder}/source.cl
    DEPENDS ${folder}/all.cl DEPFILE ${folder}/source.d VERBATIM)
  add_custom_target(clc_source DEPENDS ${folder}/source.cl)

  set(holder ${MR_GENERATED_DIR}/clc_source.S)
  configure_file(${CMAKE_SOURCE_DIR}/cmake/clc_source.S.in ${holder} @ONLY)
  set_source_files_properties(${holder} PROPERTIES OBJECT_DEPENDS ${folder}/source.cl)
  add_library(${target} STATIC ${holder})
  add_dependencies(${target} clc_source)
endfunction()

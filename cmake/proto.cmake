# mr_protos(module): <folder>/proto/x.proto becomes "<folder>/proto/x.pb-c.h" and its source, part of mr_<module>. What
# protoc-c writes is not held to our warnings.
function(mr_protos module)
  file(RELATIVE_PATH folder ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  file(GLOB protos CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/proto/*.proto)
  foreach(proto ${protos})
    get_filename_component(stem ${proto} NAME_WE)
    set(generated ${MR_GENERATED_DIR}/${folder}/proto/${stem}.pb-c)
    file(MAKE_DIRECTORY ${MR_GENERATED_DIR}/${folder}/proto)
    add_custom_command(OUTPUT ${generated}.c ${generated}.h
      COMMAND ${MR_PROTOC_C} --proto_path=${CMAKE_SOURCE_DIR} --c_out=${MR_GENERATED_DIR} ${folder}/proto/${stem}.proto
      DEPENDS ${proto} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} VERBATIM)
    set_source_files_properties(${generated}.c PROPERTIES COMPILE_OPTIONS -w)
    target_sources(mr_${module} PRIVATE ${generated}.c ${generated}.h)
  endforeach()
endfunction()

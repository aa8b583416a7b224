# `cmake --install build/release --prefix P`: the C library with its headers, pkg-config and CMake package files, the
# command with its manual pages and completions, the PJRT plugin with the header of its interface, and what a build with MILLRACE_BUNDLE has copied beside them.
if(NOT TARGET millrace)
  return()
endif()
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/millrace)

target_include_directories(millrace INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
set_target_properties(millrace PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
install(TARGETS millrace EXPORT millraceTargets)
install(FILES ${CMAKE_SOURCE_DIR}/millrace/millrace.h ${CMAKE_SOURCE_DIR}/millrace/engine.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/millrace)
install(EXPORT millraceTargets NAMESPACE millrace:: DESTINATION ${package_dir})

# From the folder that the file is in, so that the installed tree may be moved.
file(RELATIVE_PATH MR_PC_TO_PREFIX /p/${CMAKE_INSTALL_LIBDIR}/pkgconfig /p)
configure_file(${CMAKE_SOURCE_DIR}/cmake/millrace.pc.in ${CMAKE_BINARY_DIR}/millrace.pc @ONLY)
configure_file(${CMAKE_SOURCE_DIR}/cmake/millraceConfig.cmake.in ${CMAKE_BINARY_DIR}/millraceConfig.cmake @ONLY)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/millraceConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/millrace.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES ${CMAKE_BINARY_DIR}/millraceConfig.cmake ${CMAKE_BINARY_DIR}/millraceConfigVersion.cmake
  DESTINATION ${package_dir})

if(TARGET millrace_tool)
  install(TARGETS millrace_tool millrace_check millrace_simulate)
  if(TARGET millrace_serve)
    install(TARGETS millrace_serve)
  endif()
  file(GLOB man_pages CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/docs/man/*.1)
  install(FILES ${man_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  # bash-completion looks for a file of the command's name.
  foreach(command millrace millrace-serve)
    install(FILES ${CMAKE_SOURCE_DIR}/packaging/completion/millrace.bash RENAME ${command}
      DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  endforeach()
endif()
if(TARGET pjrt_millrace)
  install(TARGETS pjrt_millrace)
  install(FILES ${CMAKE_SOURCE_DIR}/pjrt/abi.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/pjrt)
  file(GLOB abi_headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/pjrt/abi/abi_*.h ${CMAKE_SOURCE_DIR}/pjrt/abi/api.def)
  install(FILES ${abi_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/pjrt/abi)
endif()
install(PROGRAMS ${openblas_library} DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(MILLRACE_BUNDLE)
  install(PROGRAMS ${MR_BUNDLE_LIBRARIES} DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(DIRECTORY ${MR_BUNDLE_LICENCES}/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/licences)
endif()

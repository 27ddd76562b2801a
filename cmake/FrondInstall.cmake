# SPDX-License-Identifier: BSD-3-Clause
# Install rules: library, headers, CMake package, pkg-config file. The program adds itself (cli/).
include(CMakePackageConfigHelpers)
set(frond_package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/frond")

set_target_properties(frond PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
install(TARGETS frond frond_settings EXPORT frondTargets
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(EXPORT frondTargets NAMESPACE frond:: DESTINATION "${frond_package_folder}")
foreach(module analysis runtime)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/${module}/include/"
    DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
endforeach()
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")

# A static Frond leaves its dependencies to the consumer: so the modules that find them go along.
get_target_property(frond_type frond TYPE)
set(FROND_LIBRARY_IS_STATIC FALSE)
if(frond_type STREQUAL "STATIC_LIBRARY")
  set(FROND_LIBRARY_IS_STATIC TRUE)
  foreach(package METIS Scotch AMD OpenBLAS StarPU Zstd)
    install(FILES "${PROJECT_SOURCE_DIR}/cmake/Find${package}.cmake"
      DESTINATION "${frond_package_folder}")
  endforeach()
endif()
# Of the optional ones, those that it was built with.
set(frond_decompression_packages "")
set(frond_decompression_links "")
if(TARGET LibLZMA::LibLZMA)
  string(APPEND frond_decompression_packages " LibLZMA")
  string(APPEND frond_decompression_links " -llzma")
endif()
if(TARGET Zstd::Zstd)
  string(APPEND frond_decompression_packages " Zstd")
  string(APPEND frond_decompression_links " -lzstd")
endif()
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/frondConfig.cmake.in"
  "${CMAKE_CURRENT_BINARY_DIR}/frondConfig.cmake" INSTALL_DESTINATION "${frond_package_folder}")
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/frondConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/frondConfig.cmake"
  "${CMAKE_CURRENT_BINARY_DIR}/frondConfigVersion.cmake" DESTINATION "${frond_package_folder}")

# pkg-config: what a C program needs to link; for a static Frond without being asked (--static).
set(frond_link_line "")
set(frond_device_library "${FROND_DEVICE_RUNTIME}")
if(FROND_WITH_CUDA)
  set(frond_device_library "${CUDA_cudart_LIBRARY}")
endif()
foreach(library ${frond_device_library} "${StarPU_LIBRARY}" "${OpenBLAS_LIBRARY}" "${METIS_LIBRARY}" "${Scotch_LIBRARY}"
    "${Scotch_ERROR_LIBRARY}" "${AMD_LIBRARY}" "${AMD_CONFIG_LIBRARY}")
  cmake_path(GET library PARENT_PATH folder)
  cmake_path(GET library STEM LAST_ONLY name)
  string(REGEX REPLACE "^lib" "-l" name "${name}")
  if(NOT folder IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
    string(APPEND frond_link_line " -L${folder} -Wl,-rpath,${folder}")
  endif()
  string(APPEND frond_link_line " ${name}")
endforeach()
string(APPEND frond_link_line " -lfmt -lz${frond_decompression_links} -pthread -lstdc++ -lm")
if(FROND_LIBRARY_IS_STATIC)
  set(FROND_PC_LIBS "${frond_link_line}")
  set(FROND_PC_LIBS_PRIVATE "")
else()
  set(FROND_PC_LIBS "")
  set(FROND_PC_LIBS_PRIVATE "${frond_link_line}")
endif()
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX
  BASE_DIRECTORY "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" OUTPUT_VARIABLE FROND_PC_PREFIX)
configure_file("${PROJECT_SOURCE_DIR}/cmake/frond.pc.in" "${CMAKE_CURRENT_BINARY_DIR}/frond.pc" @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/frond.pc"
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

# Programs outside the tree that use what these rules install.
if(FROND_BUILD_TESTS)
  add_subdirectory("${PROJECT_SOURCE_DIR}/tests/install" "${CMAKE_CURRENT_BINARY_DIR}/tests/install")
endif()

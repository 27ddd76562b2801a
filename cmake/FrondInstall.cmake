# SPDX-License-Identifier: BSD-3-Clause
# Install rules: library, headers, CMake package, pkg-config file. The program adds itself (cli/).
include(CMakePackageConfigHelpers)
set(frond_package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/frond")

# A StarPU outside of the system's folders goes along, by default: that of the scripts lies in the cache folder of who
# built it, where others may not look, and which may be deleted.
set(FROND_INSTALL_STARPU "AUTO" CACHE STRING "Install StarPU as well: AUTO (where it is not the system's), ON, OFF")
frond_choice(FROND_INSTALL_STARPU)
cmake_path(GET StarPU_LIBRARY PARENT_PATH frond_starpu_folder)
set(frond_with_starpu ${FROND_INSTALL_STARPU})
if(FROND_INSTALL_STARPU STREQUAL "AUTO")
  set(frond_with_starpu ON)
  if(frond_starpu_folder IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES)
    set(frond_with_starpu OFF)
  endif()
endif()
if(frond_with_starpu)
  include(cmake/InstallStarPU.cmake)
endif()

# Where the installed library and program look for libraries: beside themselves, and where those lie that are not in the
# system's folders; never in the folder of a StarPU that goes along.
set(frond_device_library "${FROND_DEVICE_RUNTIME}")
if(FROND_WITH_CUDA)
  set(frond_device_library "${CUDA_cudart_LIBRARY}")
endif()
get_target_property(fmt_library fmt::fmt LOCATION)
# Of the optional ones, those that it was built with.
set(decompression_libraries "")
foreach(target LibLZMA::LibLZMA Zstd::Zstd)
  if(TARGET ${target})
    get_target_property(library ${target} LOCATION)
    list(APPEND decompression_libraries "${library}")
  endif()
endforeach()
set(library_folders "")
foreach(library ${frond_device_library} "${StarPU_LIBRARY}" "${OpenBLAS_LIBRARY}" "${METIS_LIBRARY}" "${Scotch_LIBRARY}"
    "${AMD_LIBRARY}" "${fmt_library}" ${ZLIB_LIBRARIES} ${decompression_libraries})
  cmake_path(GET library PARENT_PATH folder)
  if(NOT folder IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES AND EXISTS "${folder}"
      AND NOT (frond_with_starpu AND library STREQUAL StarPU_LIBRARY))
    list(APPEND library_folders "${folder}")
  endif()
endforeach()
list(REMOVE_DUPLICATES library_folders)
set(starpu_in_libdir "")
if(frond_with_starpu)
  set(starpu_in_libdir frond/starpu/lib)
endif()
# frond_looks_in(target destination folders...): where the installed program or library looks for others. CMake would end the
# list of the built one with a colon, so as to replace it, and an empty name stands for the current folder. So the built one
# is linked with its own folders (BUILD_RPATH) and, for their length, with these, and gets these alone when it is installed.
function(frond_looks_in target destination)
  get_target_property(own ${target} BUILD_RPATH)
  if(NOT own)
    set(own "")
  endif()
  set(all ${own} ${ARGN})
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "${all}" BUILD_WITH_INSTALL_RPATH ON
    INSTALL_RPATH_USE_LINK_PATH ON)
  list(JOIN ARGN ":" folders)
  string(REPLACE "$" "\\$" folders "${folders}")
  set(file "\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${destination}/$<TARGET_FILE_NAME:${target}>")
  if(folders STREQUAL "")
    install(CODE "file(RPATH_REMOVE FILE \"${file}\")")
  else()
    install(CODE "file(RPATH_SET FILE \"${file}\" NEW_RPATH \"${folders}\")")
  endif()
endfunction()
install(TARGETS frond frond_settings EXPORT frondTargets
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
get_target_property(frond_type frond TYPE)
# libfrond_mpi is beside libfrond, or where programs with a static one look.
if(NOT frond_type STREQUAL "STATIC_LIBRARY")
  frond_looks_in(frond "${CMAKE_INSTALL_LIBDIR}" "$ORIGIN" "$ORIGIN/${starpu_in_libdir}" ${library_folders})
endif()
set(frond_plugin_rpath "")
if(FROND_WITH_MPI)
  install(TARGETS frond_mpi LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  list(GET MPI_C_LIBRARIES 0 library)
  cmake_path(GET library PARENT_PATH folder)
  if(folder IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
    set(folder "")
  endif()
  set(starpu_mpi_folder "")
  if(TARGET StarPU::mpi AND frond_with_starpu)
    set(starpu_mpi_folder "$ORIGIN/${starpu_in_libdir}")
  elseif(TARGET StarPU::mpi AND NOT frond_starpu_folder IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
    set(starpu_mpi_folder "${frond_starpu_folder}")
  endif()
  frond_looks_in(frond_mpi "${CMAKE_INSTALL_LIBDIR}" ${starpu_mpi_folder} ${folder})
  target_link_options(frond INTERFACE
    $<INSTALL_INTERFACE:LINKER:-rpath,$<INSTALL_PREFIX>/${CMAKE_INSTALL_LIBDIR}>)
  set(frond_plugin_rpath " -Wl,-rpath,\${libdir}")
endif()
if(TARGET frond_program)
  set(from_bin "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  frond_looks_in(frond_program "${CMAKE_INSTALL_BINDIR}" "${from_bin}" "${from_bin}/${starpu_in_libdir}" ${library_folders})
endif()

install(EXPORT frondTargets NAMESPACE frond:: DESTINATION "${frond_package_folder}")
foreach(module analysis runtime)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/${module}/include/"
    DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
endforeach()
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")

# A static Frond leaves its dependencies to the consumer: so the modules that find them go along.
set(FROND_LIBRARY_IS_STATIC FALSE)
if(frond_type STREQUAL "STATIC_LIBRARY")
  set(FROND_LIBRARY_IS_STATIC TRUE)
  set(FROND_STARPU_OF_CONFIG "${StarPU_PREFIX}")
  if(frond_with_starpu)
    set(FROND_STARPU_OF_CONFIG "\${PACKAGE_PREFIX_DIR}/${frond_starpu_installed}")
  endif()
  foreach(package METIS Scotch AMD OpenBLAS StarPU Zstd)
    install(FILES "${PROJECT_SOURCE_DIR}/cmake/Find${package}.cmake"
      DESTINATION "${frond_package_folder}")
  endforeach()
endif()
set(frond_decompression_packages "")
foreach(package LibLZMA Zstd)
  if(TARGET ${package}::${package})
    string(APPEND frond_decompression_packages " ${package}")
  endif()
endforeach()
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/frondConfig.cmake.in"
  "${CMAKE_CURRENT_BINARY_DIR}/frondConfig.cmake" INSTALL_DESTINATION "${frond_package_folder}")
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/frondConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/frondConfig.cmake"
  "${CMAKE_CURRENT_BINARY_DIR}/frondConfigVersion.cmake" DESTINATION "${frond_package_folder}")

# pkg-config: what a C program needs to link; for a static Frond without being asked (--static).
set(frond_link_line "")
foreach(library ${frond_device_library} "${StarPU_LIBRARY}" "${OpenBLAS_LIBRARY}" "${METIS_LIBRARY}" "${Scotch_LIBRARY}"
    "${Scotch_ERROR_LIBRARY}" "${AMD_LIBRARY}" "${AMD_CONFIG_LIBRARY}" ${decompression_libraries})
  cmake_path(GET library PARENT_PATH folder)
  cmake_path(GET library STEM LAST_ONLY name)
  string(REGEX REPLACE "^lib" "-l" name "${name}")
  if(frond_with_starpu AND library STREQUAL StarPU_LIBRARY)
    set(folder "\${prefix}/${frond_starpu_installed}/lib")
  endif()
  if(NOT folder IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
    string(APPEND frond_link_line " -L${folder} -Wl,-rpath,${folder}")
  endif()
  string(APPEND frond_link_line " ${name}")
endforeach()
string(APPEND frond_link_line " -lfmt -lz -pthread -ldl -lstdc++ -lm${frond_plugin_rpath}")
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

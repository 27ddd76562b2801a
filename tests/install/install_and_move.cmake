# SPDX-License-Identifier: BSD-3-Clause
# cmake -DBUILD=<build folder> -DSTAGING=<folder> -DPREFIX=<folder> [-DSTARPU=<folder>] -P this: installs into
# STAGING, then moves that to PREFIX. STARPU: where the StarPU lies that was installed as well.
include("${CMAKE_CURRENT_LIST_DIR}/has_clean_runpath.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/uses_installed_starpu.cmake")
file(REMOVE_RECURSE "${STAGING}" "${PREFIX}")
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${STAGING}
  COMMAND_ERROR_IS_FATAL ANY)
file(RENAME "${STAGING}" "${PREFIX}")

# No text file may name a folder of the build.
file(GLOB_RECURSE files "${PREFIX}/*.cmake" "${PREFIX}/*.pc" "${PREFIX}/*.h" "${PREFIX}/*.hpp")
foreach(file IN LISTS files)
  file(READ "${file}" text)
  foreach(folder "${STAGING}" "${BUILD}" ${STARPU})
    string(FIND "${text}" "${folder}" place)
    if(NOT place EQUAL -1)
      message(FATAL_ERROR "${file} names ${folder}")
    endif()
  endforeach()
endforeach()

uses_installed_starpu("${PREFIX}/bin/frond")
has_clean_runpath("${BUILD}/cli/frond")
file(GLOB_RECURSE built_libraries "${BUILD}/runtime/libfrond*.so")
foreach(file IN LISTS built_libraries)
  has_clean_runpath("${file}")
endforeach()
file(GLOB_RECURSE installed_libraries "${PREFIX}/libfrond*.so")
foreach(file "${PREFIX}/bin/frond" ${installed_libraries})
  has_clean_runpath("${file}" "${BUILD}")
  execute_process(COMMAND ldd "${file}" OUTPUT_VARIABLE libraries COMMAND_ERROR_IS_FATAL ANY)
  if(libraries MATCHES "[^\n]* => not found")
    message(FATAL_ERROR "${file} does not find a library: ${CMAKE_MATCH_0}")
  endif()
endforeach()
# StarPU-MPI, where it was installed as well.
file(GLOB_RECURSE starpu_mpi_libraries "${PREFIX}/libstarpumpi-*.so")
foreach(library IN LISTS starpu_mpi_libraries)
  uses_installed_starpu("${library}")
endforeach()

# SPDX-License-Identifier: BSD-3-Clause
# cmake -DSOURCE=<Frond> -DBUILD=<folder> -DOPTIONS=<file for cmake -C> -DGENERATOR=<name> -DFOLDER=<folder>
# -DLZMA=<library> -DZSTD=<library> -DZSTD_HEADERS=<folder> -P this: configures Frond with the libraries for xz and zstd
# in a folder that no linker searches by itself, and looks for it in what would be installed.
file(REMOVE_RECURSE "${BUILD}" "${FOLDER}")
file(MAKE_DIRECTORY "${FOLDER}")
file(CREATE_LINK "${LZMA}" "${FOLDER}/liblzma.so" SYMBOLIC)
file(CREATE_LINK "${ZSTD}" "${FOLDER}/libzstd.so" SYMBOLIC)
execute_process(COMMAND ${CMAKE_COMMAND} -S "${SOURCE}" -B "${BUILD}" -G "${GENERATOR}" -C "${OPTIONS}"
    "-DLIBLZMA_LIBRARY=${FOLDER}/liblzma.so" "-DZstd_LIBRARY=${FOLDER}/libzstd.so" "-DZstd_INCLUDE_DIR=${ZSTD_HEADERS}"
    -DFROND_BUILD_TESTS=OFF -DFROND_BUILD_BENCH=OFF
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)

file(READ "${BUILD}/frond.pc" link_line)
foreach(library lzma zstd)
  string(FIND "${link_line}" "-L${FOLDER} -Wl,-rpath,${FOLDER} -l${library}" place)
  if(place EQUAL -1)
    message(FATAL_ERROR "frond.pc does not say where -l${library} is: ${link_line}")
  endif()
endforeach()
file(READ "${BUILD}/cmake_install.cmake" rules)
string(FIND "${rules}" ":${FOLDER}" place)
if(place EQUAL -1)
  message(FATAL_ERROR "the program would not look in ${FOLDER}:\n${rules}")
endif()

# SPDX-License-Identifier: BSD-3-Clause
# cmake -DSOURCE=<this folder> -DBUILD=<folder> -DOPTIONS=<initial cache> -DPREFIX=<folder> ... -P this: Frond as a shared
# library inside another project; installed from there, and used by a project that has no language but C.
include("${CMAKE_CURRENT_LIST_DIR}/has_clean_runpath.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/uses_installed_starpu.cmake")
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(${CMAKE_COMMAND} -G ${GENERATOR} -C "${OPTIONS}" -S "${SOURCE}/subdirectory" -B "${BUILD}" -DBUILD_SHARED_LIBS=ON)
run(${CMAKE_COMMAND} --build "${BUILD}" --target consumer)
run("${BUILD}/consumer")

file(REMOVE_RECURSE "${PREFIX}" "${PREFIX}_consumer")
run(${CMAKE_COMMAND} --install "${BUILD}/frond" --prefix "${PREFIX}")
file(GLOB library "${PREFIX}/lib*/libfrond.so" "${PREFIX}/lib/*/libfrond.so")
if(NOT library)
  message(FATAL_ERROR "no libfrond.so in ${PREFIX}")
endif()
uses_installed_starpu("${library}")
has_clean_runpath("${library}" "${BUILD}")

run(${CMAKE_COMMAND} -G ${GENERATOR} -S "${SOURCE}/c" -B "${PREFIX}_consumer" "-DCMAKE_PREFIX_PATH=${PREFIX}"
  "-DCMAKE_C_COMPILER=${COMPILER}" "-DCMAKE_EXE_LINKER_FLAGS=${FLAGS}")
run(${CMAKE_COMMAND} --build "${PREFIX}_consumer" --target consumer)
run("${PREFIX}_consumer/consumer")

# SPDX-License-Identifier: BSD-3-Clause
# cmake -DPREFIX=<installed Frond> -DSOURCE=<main.c> -DPROGRAM=<out> -DCOMPILER=<cc> -P this:
# compiles the C program with what pkg-config says, in warnings as errors, and runs it.
include("${CMAKE_CURRENT_LIST_DIR}/uses_installed_starpu.cmake")
file(GLOB_RECURSE pc_file "${PREFIX}/*/frond.pc")
cmake_path(GET pc_file PARENT_PATH folder)
set(ENV{PKG_CONFIG_PATH} "${folder}:$ENV{PKG_CONFIG_PATH}")
execute_process(COMMAND pkg-config --cflags --libs frond
  OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND pkg-config --variable=libdir frond
  OUTPUT_VARIABLE libdir OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(flags UNIX_COMMAND "${flags}")
separate_arguments(sanitize UNIX_COMMAND "${SANITIZE}")
execute_process(COMMAND ${COMPILER} -std=c11 -Wall -Wextra -Wpedantic -Werror ${sanitize}
    -o ${PROGRAM} ${SOURCE} ${flags} -lm -Wl,-rpath,${libdir}
  COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
uses_installed_starpu("${PROGRAM}")
execute_process(COMMAND ${PROGRAM} COMMAND_ERROR_IS_FATAL ANY)

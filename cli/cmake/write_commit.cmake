# SPDX-License-Identifier: BSD-3-Clause
# cmake -DSOURCE=<folder> -DOUTPUT=<commit.hpp> -P write_commit.cmake
# Writes the commit of the sources, or "unknown" where git does not know them. The file is left alone
# when nothing has changed, so that nothing is compiled again.
cmake_minimum_required(VERSION 3.25)
find_program(GIT git)
set(commit "unknown")
if(GIT AND EXISTS "${SOURCE}/.git")
  execute_process(COMMAND "${GIT}" -C "${SOURCE}" describe --always --dirty --abbrev=12 --exclude=*
    OUTPUT_VARIABLE described ERROR_QUIET RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT failed)
    set(commit "${described}")
  endif()
endif()
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT "#define FROND_COMMIT \"@commit@\"\n" @ONLY)

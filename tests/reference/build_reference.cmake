# SPDX-License-Identifier: BSD-3-Clause
# cmake -DFOLDER=<with a Doxyfile> -P this: the reference in FOLDER/html; a warning of Doxygen is an error.
# Doxygen is looked for at each run, so that it may be installed later.
find_program(doxygen doxygen NO_CACHE)
if(NOT doxygen)
  message("doxygen is not installed, so the reference was not built; on Debian: apt-get install doxygen")
  return()
endif()
file(REMOVE_RECURSE "${FOLDER}/html")
execute_process(COMMAND "${doxygen}" "${FOLDER}/Doxyfile" WORKING_DIRECTORY "${FOLDER}"
  RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT status EQUAL 0 OR output MATCHES "warning:")
  message(FATAL_ERROR "doxygen ended with ${status}:\n${output}")
endif()
# It would say nothing about headers that it did not read.
foreach(page classfrond_1_1Solver structfrond_1_1FactorOptions frond_8h)
  if(NOT EXISTS "${FOLDER}/html/${page}.html")
    message(FATAL_ERROR "the reference has no page ${page}")
  endif()
endforeach()
message("the reference is in ${FOLDER}/html/index.html")

# SPDX-License-Identifier: BSD-3-Clause
# cmake -DCOMMAND=a;b;c -DPATTERN=REGEX -P run_and_match.cmake: fails unless the command ends with 0 and
# its output has a match.
execute_process(COMMAND ${COMMAND} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE error)
message("${output}${error}")
if(NOT result EQUAL 0)
  message(FATAL_ERROR "exit code ${result}")
endif()
if(NOT output MATCHES "${PATTERN}")
  message(FATAL_ERROR "no line of the output matches ${PATTERN}")
endif()

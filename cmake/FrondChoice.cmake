# SPDX-License-Identifier: BSD-3-Clause
# frond_choice(OPTION): an option that is AUTO, ON or OFF, in capital letters from here on. CMake's own rules read
# "auto" as false, and a comparison with OFF takes "off" for something else; what is none of the three is refused.
function(frond_choice option)
  set(accepted AUTO ON OFF)
  string(TOUPPER "${${option}}" value)
  if(NOT value IN_LIST accepted)
    message(FATAL_ERROR "${option}=${${option}} is none of AUTO, ON and OFF")
  endif()
  set(${option} ${value} PARENT_SCOPE)
endfunction()

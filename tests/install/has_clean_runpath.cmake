# SPDX-License-Identifier: BSD-3-Clause
# has_clean_runpath(file [folder]): the program or library looks for libraries neither in the current folder, which an empty
# name stands for, nor in the folder.
function(has_clean_runpath file)
  file(READ_ELF "${file}" RUNPATH folders)
  if(folders MATCHES "^;|;;|;$")
    message(FATAL_ERROR "${file} looks for libraries in the current folder: '${folders}'")
  endif()
  if(ARGC GREATER 1)
    string(FIND "${folders}" "${ARGV1}" place)
    if(NOT place EQUAL -1)
      message(FATAL_ERROR "${file} looks for libraries in ${ARGV1}: ${folders}")
    endif()
  endif()
endfunction()

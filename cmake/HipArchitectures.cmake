# SPDX-License-Identifier: BSD-3-Clause
# frond_hip_architectures(result names...): those that FROND_HIPCC compiles a kernel for; it is asked once
# for each. Compilers of HIP differ in what they know, and do not list it.
function(frond_hip_architectures result)
  set(folder "${CMAKE_BINARY_DIR}/CMakeFiles")
  file(WRITE "${folder}/frond_hip_probe.cpp" "#include <hip/hip_runtime.h>
    __global__ void write(double* to) { to[threadIdx.x] = 1; }
    void launch(double* to) { write<<<1, 64>>>(to); }")
  set(known "")
  foreach(name IN LISTS ARGN)
    string(MAKE_C_IDENTIFIER "FROND_COMPILES_${FROND_HIPCC}_${name}" answer)
    if(NOT DEFINED ${answer})
      execute_process(COMMAND "${FROND_HIPCC}" -x hip --offload-arch=${name} -c frond_hip_probe.cpp
          -o frond_hip_probe.o
        WORKING_DIRECTORY "${folder}" RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
      string(COMPARE EQUAL "${status}" 0 compiles)
      set(${answer} ${compiles} CACHE INTERNAL "${FROND_HIPCC} compiles for ${name}")
    endif()
    if(${answer})
      list(APPEND known ${name})
    else()
      message(STATUS "${FROND_HIPCC} does not compile for ${name}")
    endif()
  endforeach()
  set(${result} "${known}" PARENT_SCOPE)
endfunction()

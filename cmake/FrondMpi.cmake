# SPDX-License-Identifier: BSD-3-Clause
# FROND_WITH_MPI: whether libfrond_mpi is built. Nothing else of Frond needs MPI.
set(FROND_WITH_MPI OFF)
if(FROND_MPI STREQUAL "ON")
  find_package(MPI REQUIRED COMPONENTS C)
elseif(FROND_MPI STREQUAL "AUTO")
  find_package(MPI QUIET COMPONENTS C)
  if(NOT MPI_C_FOUND)
    message(STATUS "no MPI is here: libfrond_mpi is not built, and Frond runs in one process")
  endif()
endif()
if(NOT FROND_MPI STREQUAL "OFF" AND MPI_C_FOUND)
  set(FROND_WITH_MPI ON)
endif()

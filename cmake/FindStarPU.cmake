# SPDX-License-Identifier: BSD-3-Clause
# StarPU 1.4.7 or later: target StarPU::starpu; with the component mpi also StarPU::mpi, where StarPU was built with MPI,
# an MPI is found, and errors of MPI end the process (a StarPU configured with --enable-fast ignores them). Nothing of
# MPI is looked for without the component.
#
# Where it looks, first hit wins: FROND_STARPU_PREFIX (cache variable, then environment), the StarPU
# that scripts/setup built last (link `starpu` in its cache folder), what pkg-config finds.
# Sets StarPU_VERSION, StarPU_PREFIX, and what it was built with: StarPU_MAX_BUFFERS,
# StarPU_MAX_CPUS, StarPU_HAS_FXT, StarPU_HAS_CUDA, StarPU_HAS_HIP, StarPU_SIMULATES (with SimGrid, no task),
# StarPU_NO_ASSERT (--enable-fast). With the component, StarPU_MPI_REASON says why there is no StarPU::mpi.
include(FindPackageHandleStandardArgs)
include(CheckSourceCompiles)
find_package(PkgConfig QUIET)
if(NOT StarPU_FIND_VERSION)
  set(StarPU_FIND_VERSION 1.4.7)
endif()

foreach(_name FROND_STARPU_PREFIX FROND_CACHE XDG_CACHE_HOME HOME PKG_CONFIG_PATH)
  set(_env_${_name} "")
  if(DEFINED ENV{${_name}})
    set(_env_${_name} "$ENV{${_name}}")
  endif()
endforeach()

if(NOT DEFINED FROND_STARPU_PREFIX)
  set(FROND_STARPU_PREFIX "${_env_FROND_STARPU_PREFIX}" CACHE PATH "Where StarPU is installed")
endif()
set(_starpu_prefixes "${FROND_STARPU_PREFIX}")
if(NOT FROND_STARPU_PREFIX)
  set(_starpu_cache "${_env_HOME}/.cache/frond")
  if(_env_FROND_CACHE)
    set(_starpu_cache "${_env_FROND_CACHE}")
  elseif(_env_XDG_CACHE_HOME)
    set(_starpu_cache "${_env_XDG_CACHE_HOME}/frond")
  endif()
  set(_starpu_prefixes "${_starpu_cache}/starpu" "-")
endif()

# "-" stands for the places pkg-config searches by itself.
foreach(_prefix IN LISTS _starpu_prefixes)
  if(NOT _prefix STREQUAL "-")
    set(ENV{PKG_CONFIG_PATH} "${_prefix}/lib/pkgconfig:${_prefix}/lib64/pkgconfig:${_env_PKG_CONFIG_PATH}")
  endif()
  unset(_starpu_FOUND CACHE)
  unset(_starpumpi_FOUND CACHE)
  if(PkgConfig_FOUND)
    pkg_check_modules(_starpu QUIET "starpu-1.4>=${StarPU_FIND_VERSION}")
    pkg_check_modules(_starpumpi QUIET starpumpi-1.4)
  endif()
  set(ENV{PKG_CONFIG_PATH} "${_env_PKG_CONFIG_PATH}")
  # pkg-config goes on to the system's places; a named prefix means that prefix.
  get_filename_component(_found "${_starpu_PREFIX}" REALPATH)
  get_filename_component(_wanted "${_prefix}" REALPATH)
  if(NOT _prefix STREQUAL "-" AND NOT _found STREQUAL _wanted)
    set(_starpu_FOUND FALSE)
  endif()
  if(_starpu_FOUND)
    set(StarPU_VERSION "${_starpu_VERSION}")
    set(StarPU_PREFIX "${_starpu_PREFIX}")
    break()
  endif()
endforeach()

# The paths are those of this prefix alone: a prefix changed later must not meet old answers.
unset(StarPU_LIBRARY CACHE)
unset(StarPU_MPI_LIBRARY CACHE)
if(_starpu_FOUND)
  find_library(StarPU_LIBRARY starpu-1.4 PATHS ${_starpu_LIBRARY_DIRS} ${_starpu_LIBDIR}
    NO_DEFAULT_PATH)
  find_library(StarPU_MPI_LIBRARY starpumpi-1.4 PATHS ${_starpu_LIBRARY_DIRS} ${_starpu_LIBDIR}
    NO_DEFAULT_PATH)
  find_file(_starpu_config starpu_config.h PATHS ${_starpu_INCLUDE_DIRS} NO_DEFAULT_PATH NO_CACHE)
  file(STRINGS "${_starpu_config}" _lines REGEX "^#define STARPU_[A-Z_]+ [0-9]+")
  foreach(_pair MAX_BUFFERS:NMAXBUFS MAX_CPUS:MAXCPUS HAS_FXT:USE_FXT HAS_CUDA:USE_CUDA
      HAS_HIP:USE_HIP NO_ASSERT:NO_ASSERT SIMULATES:SIMGRID)
    string(REGEX MATCH "(.*):(.*)" _ "${_pair}")
    set(_name "${CMAKE_MATCH_1}")
    set(StarPU_${_name} 0)
    if("${_lines}" MATCHES "STARPU_${CMAKE_MATCH_2} ([0-9]+)")
      set(StarPU_${_name} "${CMAKE_MATCH_1}")
    endif()
  endforeach()
endif()
mark_as_advanced(StarPU_LIBRARY StarPU_MPI_LIBRARY)

# What Frond calls beyond the basic interface; checked once for each library.
if(StarPU_LIBRARY)
  string(MAKE_C_IDENTIFIER "${StarPU_LIBRARY}" _key)
  set(CMAKE_REQUIRED_LIBRARIES "${StarPU_LIBRARY}")
  # A project that finds Frond may have C or C++ alone.
  get_property(_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  set(_language C)
  if("CXX" IN_LIST _languages)
    set(_language CXX)
  endif()
  check_source_compiles(${_language} "
    #ifdef __cplusplus
    extern \"C\" {
    #endif
    void starpu_data_unregister_submit(void); void starpu_data_acquire_on_node(void);
    void starpu_memory_nodes_get_count_by_kind(void); void starpu_worker_get_memory_node(void);
    void starpu_sched_get_predefined_policies(void); void starpu_execute_on_each_worker(void);
    void starpu_malloc_on_node(void); void starpu_pause(void); void starpu_resume(void);
    #ifdef __cplusplus
    }
    #endif
    int main(void) {
      starpu_data_unregister_submit(); starpu_data_acquire_on_node();
      starpu_memory_nodes_get_count_by_kind(); starpu_worker_get_memory_node();
      starpu_sched_get_predefined_policies(); starpu_execute_on_each_worker();
      starpu_malloc_on_node(); starpu_pause(); starpu_resume();
      return 0;
    }" StarPU_HAS_CALLS_${_key})
  unset(CMAKE_REQUIRED_LIBRARIES)
  set(StarPU_IS_COMPLETE "${StarPU_HAS_CALLS_${_key}}")
endif()

if("mpi" IN_LIST StarPU_FIND_COMPONENTS)
  set(StarPU_MPI_REASON "")
  if(NOT StarPU_MPI_LIBRARY)
    set(StarPU_MPI_REASON "StarPU was built without MPI")
  elseif(StarPU_NO_ASSERT)
    set(StarPU_MPI_REASON "StarPU was built with --enable-fast and ignores errors of MPI")
  elseif(NOT "C" IN_LIST _languages)
    set(StarPU_MPI_REASON "MPI is looked for with a compiler of C, which this project does not have")
  else()
    find_package(MPI QUIET COMPONENTS C)
    if(NOT MPI_C_FOUND)
      set(StarPU_MPI_REASON "no MPI was found (mpicc)")
    else()
      # Types of MPI are other ones in Open MPI than in MPICH, and a process has one of them.
      file(STRINGS "${StarPU_MPI_LIBRARY}" _of_open_mpi REGEX "ompi_mpi_comm_world" LIMIT_COUNT 1)
      set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_C)
      set(CMAKE_REQUIRED_QUIET ON)
      check_source_compiles(C "#include <mpi.h>
        #ifndef OPEN_MPI
        #error \"another MPI\"
        #endif
        int main(void) { return 0; }" StarPU_MPI_IS_OPEN_MPI)
      unset(CMAKE_REQUIRED_LIBRARIES)
      unset(CMAKE_REQUIRED_QUIET)
      if((_of_open_mpi AND NOT StarPU_MPI_IS_OPEN_MPI) OR (StarPU_MPI_IS_OPEN_MPI AND NOT _of_open_mpi))
        set(StarPU_MPI_REASON "StarPU was built with another MPI than is used here")
      endif()
    endif()
  endif()
  set(StarPU_mpi_FOUND FALSE)
  if(StarPU_LIBRARY AND NOT StarPU_MPI_REASON)
    set(StarPU_mpi_FOUND TRUE)
  endif()
endif()

find_package_handle_standard_args(StarPU HANDLE_COMPONENTS
  REQUIRED_VARS StarPU_LIBRARY StarPU_IS_COMPLETE VERSION_VAR StarPU_VERSION
  REASON_FAILURE_MESSAGE
    "Run scripts/setup, which builds one, or give -DFROND_STARPU_PREFIX=<prefix of yours>")

if(StarPU_FOUND AND NOT TARGET StarPU::starpu)
  # A StarPU with HIP names folders of HIP that need not exist, and defines which platform HIP has.
  set(_starpu_folders "")
  foreach(_folder IN LISTS _starpu_INCLUDE_DIRS)
    if(IS_DIRECTORY "${_folder}")
      list(APPEND _starpu_folders "${_folder}")
    endif()
  endforeach()
  add_library(StarPU::starpu UNKNOWN IMPORTED)
  set_target_properties(StarPU::starpu PROPERTIES
    IMPORTED_LOCATION "${StarPU_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${_starpu_folders}"
    INTERFACE_COMPILE_OPTIONS "${_starpu_CFLAGS_OTHER}")
endif()

# The interface of C alone: C++'s of MPI is gone from MPI, and would have to be linked.
if(StarPU_FOUND AND StarPU_mpi_FOUND AND NOT TARGET StarPU::mpi)
  add_library(StarPU::mpi UNKNOWN IMPORTED)
  set_target_properties(StarPU::mpi PROPERTIES
    IMPORTED_LOCATION "${StarPU_MPI_LIBRARY}"
    INTERFACE_COMPILE_DEFINITIONS "OMPI_SKIP_MPICXX;MPICH_SKIP_MPICXX"
    INTERFACE_LINK_LIBRARIES "StarPU::starpu;MPI::MPI_C")
endif()

# SPDX-License-Identifier: BSD-3-Clause
# PT-Scotch for libfrond_mpi: target PTScotch::PTScotch; PTScotch_VERSION, PTScotch_INDEX_BITS (32 or 64).
# Static archives only. They are linked into the plug-in with their symbols hidden: libfrond has a Scotch of its own in the
# same process, of 32 bits, whose symbols have the same names. Those with 64-bit numbers are preferred.
# Where it looks: the usual places, and PTScotch_ROOT. MPI must be found before; archives that were built with another MPI,
# or that a shared library cannot take, do not count.
include(FindPackageHandleStandardArgs)
include(CheckCSourceCompiles)

find_path(PTScotch_INCLUDE_DIR ptscotch.h PATH_SUFFIXES scotch-int64 scotch scotch-int32)
set(ptscotch_names PTScotch_LIBRARY ptscotch PTScotch_SCOTCH_LIBRARY scotch PTScotch_ERROR_LIBRARY ptscotcherr)
# The archives beside that header: the folders have the same names.
set(ptscotch_suffixes "")
if(PTScotch_INCLUDE_DIR)
  cmake_path(GET PTScotch_INCLUDE_DIR FILENAME ptscotch_folder)
  set(ptscotch_suffixes "${ptscotch_folder}")
endif()
while(ptscotch_names)
  list(POP_FRONT ptscotch_names variable name)
  find_library(${variable} "${CMAKE_STATIC_LIBRARY_PREFIX}${name}${CMAKE_STATIC_LIBRARY_SUFFIX}"
    PATH_SUFFIXES ${ptscotch_suffixes})
endwhile()
mark_as_advanced(PTScotch_INCLUDE_DIR PTScotch_LIBRARY PTScotch_SCOTCH_LIBRARY PTScotch_ERROR_LIBRARY)

if(PTScotch_INCLUDE_DIR)
  file(STRINGS "${PTScotch_INCLUDE_DIR}/ptscotch.h" lines
    REGEX "^#define[ \t]+SCOTCH_(VERSION|RELEASE|PATCHLEVEL)[ \t]+[0-9]+")
  string(REGEX REPLACE ".*SCOTCH_VERSION[ \t]+([0-9]+).*" "\\1" major "${lines}")
  string(REGEX REPLACE ".*SCOTCH_RELEASE[ \t]+([0-9]+).*" "\\1" minor "${lines}")
  string(REGEX REPLACE ".*SCOTCH_PATCHLEVEL[ \t]+([0-9]+).*" "\\1" patch "${lines}")
  set(PTScotch_VERSION "${major}.${minor}.${patch}")
  file(STRINGS "${PTScotch_INCLUDE_DIR}/ptscotch.h" index_line REGEX "^typedef .* SCOTCH_Num;")
  set(PTScotch_INDEX_BITS 32)
  if(index_line MATCHES "64|long")
    set(PTScotch_INDEX_BITS 64)
  endif()
endif()

set(ptscotch_libraries "${PTScotch_LIBRARY}" "${PTScotch_SCOTCH_LIBRARY}" "${PTScotch_ERROR_LIBRARY}")
if(PTScotch_INCLUDE_DIR AND PTScotch_LIBRARY AND PTScotch_SCOTCH_LIBRARY AND PTScotch_ERROR_LIBRARY AND TARGET MPI::MPI_C)
  set(CMAKE_REQUIRED_INCLUDES "${PTScotch_INCLUDE_DIR}")
  set(CMAKE_REQUIRED_FLAGS "-fPIC")
  set(CMAKE_REQUIRED_LINK_OPTIONS -shared -Wl,-z,defs -Wl,--exclude-libs,ALL)
  set(CMAKE_REQUIRED_LIBRARIES ${ptscotch_libraries} MPI::MPI_C ZLIB::ZLIB Threads::Threads m)
  set(CMAKE_REQUIRED_QUIET ON)
  check_c_source_compiles("
    #include <stdio.h>
    #include <stdint.h>
    #include <mpi.h>
    #include <ptscotch.h>
    int order(SCOTCH_Dgraph* graph, SCOTCH_Dordering* ordering, SCOTCH_Strat* strategy) {
      return SCOTCH_dgraphOrderCompute(graph, ordering, strategy);
    }
    int main(void) { return 0; }" PTScotch_LINKS)
  foreach(variable INCLUDES FLAGS LINK_OPTIONS LIBRARIES QUIET)
    unset(CMAKE_REQUIRED_${variable})
  endforeach()
endif()

find_package_handle_standard_args(PTScotch
  REQUIRED_VARS PTScotch_LIBRARY PTScotch_SCOTCH_LIBRARY PTScotch_ERROR_LIBRARY PTScotch_INCLUDE_DIR PTScotch_LINKS
  VERSION_VAR PTScotch_VERSION)

if(PTScotch_FOUND AND NOT TARGET PTScotch::PTScotch)
  add_library(PTScotch::PTScotch INTERFACE IMPORTED)
  set_target_properties(PTScotch::PTScotch PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${PTScotch_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${ptscotch_libraries};ZLIB::ZLIB;Threads::Threads;m")
endif()

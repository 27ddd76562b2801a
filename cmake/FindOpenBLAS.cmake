# SPDX-License-Identifier: BSD-3-Clause
# OpenBLAS: target OpenBLAS::OpenBLAS with cblas.h and openblas_config.h; OpenBLAS_VERSION.
# The library must hold LAPACK's Fortran symbols and the openblas_* functions (LAPACKE is not needed,
# and Debian's OpenBLAS does not hold it).
# Where it looks: the usual places, and OpenBLAS_ROOT.
include(FindPackageHandleStandardArgs)
include(CheckSourceCompiles)

find_path(OpenBLAS_INCLUDE_DIR openblas_config.h PATH_SUFFIXES openblas)
find_library(OpenBLAS_LIBRARY openblas)
mark_as_advanced(OpenBLAS_INCLUDE_DIR OpenBLAS_LIBRARY)

if(OpenBLAS_INCLUDE_DIR)
  file(STRINGS "${OpenBLAS_INCLUDE_DIR}/openblas_config.h" line REGEX "OPENBLAS_VERSION ")
  string(REGEX REPLACE ".*OpenBLAS ([0-9.]+).*" "\\1" OpenBLAS_VERSION "${line}")
  string(REGEX REPLACE "\\.$" "" OpenBLAS_VERSION "${OpenBLAS_VERSION}")
endif()

if(OpenBLAS_LIBRARY AND OpenBLAS_INCLUDE_DIR)
  set(CMAKE_REQUIRED_LIBRARIES "${OpenBLAS_LIBRARY}")
  set(CMAKE_REQUIRED_INCLUDES "${OpenBLAS_INCLUDE_DIR}")
  # A project that finds Frond may have C or C++ alone.
  get_property(_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  set(_language C)
  if("CXX" IN_LIST _languages)
    set(_language CXX)
  endif()
  check_source_compiles(${_language} "
    #include <cblas.h>
    #ifdef __cplusplus
    extern \"C\" {
    #endif
    void dgetrf_(void); void zhetrf_(void); void dgeqp3_(void);
    #ifdef __cplusplus
    }
    #endif
    int main(void) {
      dgetrf_(); zhetrf_(); dgeqp3_();
      openblas_set_num_threads(1);
      return openblas_get_num_threads() + openblas_get_parallel() + !openblas_get_corename();
    }" OpenBLAS_HAS_LAPACK)
  unset(CMAKE_REQUIRED_LIBRARIES)
  unset(CMAKE_REQUIRED_INCLUDES)
endif()

find_package_handle_standard_args(OpenBLAS
  REQUIRED_VARS OpenBLAS_LIBRARY OpenBLAS_INCLUDE_DIR OpenBLAS_HAS_LAPACK
  VERSION_VAR OpenBLAS_VERSION)

if(OpenBLAS_FOUND AND NOT TARGET OpenBLAS::OpenBLAS)
  add_library(OpenBLAS::OpenBLAS UNKNOWN IMPORTED)
  set_target_properties(OpenBLAS::OpenBLAS PROPERTIES
    IMPORTED_LOCATION "${OpenBLAS_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${OpenBLAS_INCLUDE_DIR}")
endif()

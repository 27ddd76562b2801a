# SPDX-License-Identifier: BSD-3-Clause
# AMD of SuiteSparse (minimum degree ordering): target AMD::AMD; AMD_VERSION.
# Where it looks: the usual places, and AMD_ROOT.
include(FindPackageHandleStandardArgs)

find_path(AMD_INCLUDE_DIR amd.h PATH_SUFFIXES suitesparse)
find_library(AMD_LIBRARY amd)
find_library(AMD_CONFIG_LIBRARY suitesparseconfig)
mark_as_advanced(AMD_INCLUDE_DIR AMD_LIBRARY AMD_CONFIG_LIBRARY)

if(AMD_INCLUDE_DIR)
  file(STRINGS "${AMD_INCLUDE_DIR}/amd.h" lines
    REGEX "^#define[ \t]+AMD_(MAIN|SUB|SUBSUB)_VERSION[ \t]+[0-9]+")
  string(REGEX REPLACE ".*AMD_MAIN_VERSION[ \t]+([0-9]+).*" "\\1" major "${lines}")
  string(REGEX REPLACE ".*AMD_SUB_VERSION[ \t]+([0-9]+).*" "\\1" minor "${lines}")
  string(REGEX REPLACE ".*AMD_SUBSUB_VERSION[ \t]+([0-9]+).*" "\\1" patch "${lines}")
  set(AMD_VERSION "${major}.${minor}.${patch}")
endif()

find_package_handle_standard_args(AMD
  REQUIRED_VARS AMD_LIBRARY AMD_CONFIG_LIBRARY AMD_INCLUDE_DIR VERSION_VAR AMD_VERSION)

if(AMD_FOUND AND NOT TARGET AMD::AMD)
  add_library(AMD::config UNKNOWN IMPORTED)
  set_target_properties(AMD::config PROPERTIES IMPORTED_LOCATION "${AMD_CONFIG_LIBRARY}")
  add_library(AMD::AMD UNKNOWN IMPORTED)
  set_target_properties(AMD::AMD PROPERTIES
    IMPORTED_LOCATION "${AMD_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${AMD_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES AMD::config)
endif()

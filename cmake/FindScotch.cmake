# SPDX-License-Identifier: BSD-3-Clause
# Scotch: target Scotch::Scotch; Scotch_VERSION, Scotch_INDEX_BITS (32 or 64, as the library was built).
# Links scotcherr, which reports an error and returns; scotcherrexit would end the process.
# Where it looks: the usual places, and Scotch_ROOT.
include(FindPackageHandleStandardArgs)

find_path(Scotch_INCLUDE_DIR scotch.h PATH_SUFFIXES scotch scotch-int32)
find_library(Scotch_LIBRARY scotch)
find_library(Scotch_ERROR_LIBRARY scotcherr)
mark_as_advanced(Scotch_INCLUDE_DIR Scotch_LIBRARY Scotch_ERROR_LIBRARY)

if(Scotch_INCLUDE_DIR)
  file(STRINGS "${Scotch_INCLUDE_DIR}/scotch.h" lines
    REGEX "^#define[ \t]+SCOTCH_(VERSION|RELEASE|PATCHLEVEL)[ \t]+[0-9]+")
  string(REGEX REPLACE ".*SCOTCH_VERSION[ \t]+([0-9]+).*" "\\1" major "${lines}")
  string(REGEX REPLACE ".*SCOTCH_RELEASE[ \t]+([0-9]+).*" "\\1" minor "${lines}")
  string(REGEX REPLACE ".*SCOTCH_PATCHLEVEL[ \t]+([0-9]+).*" "\\1" patch "${lines}")
  set(Scotch_VERSION "${major}.${minor}.${patch}")
  file(STRINGS "${Scotch_INCLUDE_DIR}/scotch.h" index_line REGEX "^typedef .* SCOTCH_Num;")
  set(Scotch_INDEX_BITS 32)
  if(index_line MATCHES "64|long")
    set(Scotch_INDEX_BITS 64)
  endif()
endif()

find_package_handle_standard_args(Scotch
  REQUIRED_VARS Scotch_LIBRARY Scotch_ERROR_LIBRARY Scotch_INCLUDE_DIR VERSION_VAR Scotch_VERSION)

if(Scotch_FOUND AND NOT TARGET Scotch::Scotch)
  add_library(Scotch::error UNKNOWN IMPORTED)
  set_target_properties(Scotch::error PROPERTIES IMPORTED_LOCATION "${Scotch_ERROR_LIBRARY}")
  add_library(Scotch::Scotch UNKNOWN IMPORTED)
  set_target_properties(Scotch::Scotch PROPERTIES
    IMPORTED_LOCATION "${Scotch_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${Scotch_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES Scotch::error)
endif()

# SPDX-License-Identifier: BSD-3-Clause
# METIS 5: target METIS::METIS; METIS_VERSION, METIS_INDEX_BITS (32 or 64, as the library was built).
# Where it looks: the usual places, and METIS_ROOT.
include(FindPackageHandleStandardArgs)

find_path(METIS_INCLUDE_DIR metis.h)
find_library(METIS_LIBRARY metis)
mark_as_advanced(METIS_INCLUDE_DIR METIS_LIBRARY)

if(METIS_INCLUDE_DIR)
  file(STRINGS "${METIS_INCLUDE_DIR}/metis.h" lines
    REGEX "^[ \t]*#[ \t]*define[ \t]+(METIS_VER_[A-Z]+|IDXTYPEWIDTH)[ \t]+[0-9]+")
  string(REGEX REPLACE ".*METIS_VER_MAJOR[ \t]+([0-9]+).*" "\\1" major "${lines}")
  string(REGEX REPLACE ".*METIS_VER_MINOR[ \t]+([0-9]+).*" "\\1" minor "${lines}")
  string(REGEX REPLACE ".*METIS_VER_SUBMINOR[ \t]+([0-9]+).*" "\\1" patch "${lines}")
  string(REGEX REPLACE ".*IDXTYPEWIDTH[ \t]+([0-9]+).*" "\\1" METIS_INDEX_BITS "${lines}")
  set(METIS_VERSION "${major}.${minor}.${patch}")
endif()

find_package_handle_standard_args(METIS
  REQUIRED_VARS METIS_LIBRARY METIS_INCLUDE_DIR VERSION_VAR METIS_VERSION)

if(METIS_FOUND AND NOT TARGET METIS::METIS)
  add_library(METIS::METIS UNKNOWN IMPORTED)
  set_target_properties(METIS::METIS PROPERTIES
    IMPORTED_LOCATION "${METIS_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${METIS_INCLUDE_DIR}")
endif()

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A clone that was copied or moved builds in its own folder, and leaves the old one alone.
# shellcheck source-path=SCRIPTDIR disable=SC2154
. "$(dirname "${BASH_SOURCE[0]}")/checks.sh"

mkdir "$folder/first"
cd "$folder/first"
printf 'one\n' >source
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(small LANGUAGES NONE)
add_custom_command(OUTPUT made COMMAND ${CMAKE_COMMAND} -E copy "${CMAKE_SOURCE_DIR}/source" made
  DEPENDS "${CMAKE_SOURCE_DIR}/source" VERBATIM)
add_custom_target(copy DEPENDS made)
END
cat >CMakePresets.json <<'END'
{ "version": 6, "configurePresets": [
  { "name": "release", "generator": "Ninja", "binaryDir": "${sourceDir}/build/${presetName}" } ] }
END

# build ROOT: what it says goes to $folder/said.
build() {
  {
    lock_build "$1"
    configure_frond "$1" /nowhere
    build_frond "$1" made
    unlock_build
  } 2>"$folder/said"
}
state_of_first() { find "$folder/first" -type f -printf '%p %T@ %s\n' | sort; }

build "$folder/first"
expect "the first clone is built" cmp -s source build/release/made

ln -s first "$folder/link"
build "$folder/link"
expect_lines "$folder/said" 0 0 'moved or copied|configuring'

cp -a "$folder/first" "$folder/second"
printf 'two, longer\n' >"$folder/second/source"
before=$(state_of_first)
build "$folder/second"
expect_lines "$folder/said" 1 1 "moved or copied from $folder/first"
expect "the copy is built from its own sources" cmp -s "$folder/second/source" "$folder/second/build/release/made"
expect "the first clone is as it was" test "$before" = "$(state_of_first)"

mv "$folder/second" "$folder/third"
printf 'three\n' >"$folder/third/source"
build "$folder/third"
expect_lines "$folder/said" 1 1 "moved or copied from $folder/second"
expect "the moved clone is built from its own sources" cmp -s "$folder/third/source" "$folder/third/build/release/made"
expect "nothing is made in the old place" test ! -e "$folder/second"

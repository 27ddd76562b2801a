#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A build that is silent for long still writes a line now and then, also where standard error is no terminal.
# shellcheck source-path=SCRIPTDIR disable=SC2154
. "$(dirname "${BASH_SOURCE[0]}")/checks.sh"
quiet_seconds=1

quiet_ninja() {
  printf '@ 0 100 0.0 Building CXX object a\n'
  sleep 4
  printf '@ 1 100 4.0 Building CXX object b\na.cpp:1: warning: text of a compiler\n'
  sleep 4
  printf '@ 100 100 8.0 Linking CXX executable c\n'
}
quiet_ninja | build_progress 0 2>"$folder/progress"
expect_lines "$folder/progress" 1 2 '^frond: building, which takes|^frond: building [0-9]+ s$|^frond: building$'
expect_lines "$folder/progress" 2 9 '^frond: building 1 of 100, [0-9]+ s$'
expect_lines "$folder/progress" 1 1 '^a.cpp:1: warning: text of a compiler$'
expect_lines "$folder/progress" 1 1 '^frond: built 100 of 100 in [0-9]+ s$'

printf 'ninja: no work to do.\n' | build_progress 0 2>"$folder/nothing"
expect "nothing is said when nothing is built" test ! -s "$folder/nothing"

step "a long step" "no cure" "$folder/log" sleep 3 2>"$folder/step"
expect_lines "$folder/step" 1 3 '^frond: a long step, [0-9]+ s so far \.\.\. '
expect_lines "$folder/step" 1 1 '[0-9]+ s$'

# As many compilers at once as CMAKE_BUILD_PARALLEL_LEVEL says.
mkdir -p "$folder/bin"
printf '#!/bin/sh\necho "ninja $*"\n' >"$folder/bin/ninja"
chmod +x "$folder/bin/ninja"
PATH=$folder/bin:$PATH CMAKE_BUILD_PARALLEL_LEVEL=3 build_frond /a target 2>"$folder/limited"
expect_lines "$folder/limited" 1 1 '^ninja -C /a/build/release -j 3 target$'
(unset CMAKE_BUILD_PARALLEL_LEVEL && PATH=$folder/bin:$PATH build_frond /a target 2>"$folder/all")
expect_lines "$folder/all" 1 1 '^ninja -C /a/build/release target$'

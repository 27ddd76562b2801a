#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Tasks for NVIDIA cards: asked for by FROND_CUDA, and compiled without being asked once a card is there.
# shellcheck source-path=SCRIPTDIR disable=SC2154,SC2034
. "$(dirname "${BASH_SOURCE[0]}")/checks.sh"

# The same list stands in CMake.
in_cmake=$(sed -n 's/^set(FROND_CARD_FILES \(.*\))$/\1/p' "$root/cmake/FrondDevices.cmake" | tr -d '"')
expect "both lists of what a card shows are the same" test "$in_cmake" = "${frond_card_files[*]}"

frond_card_files=("$folder/card[0-9]*")
expect "there is no card" test "$(card_is_here && echo yes)" = ""
touch "$folder/card0"
expect "there is a card" card_is_here

mkdir "$folder/build"
printf 'FROND_CUDA_LEFT_OUT:INTERNAL=no card\n' >"$folder/build/CMakeCache.txt"
expect "a card came" card_is_new "$folder/build"
rm "$folder/card0"
expect "no card came" test "$(card_is_new "$folder/build" && echo yes)" = ""

# A build stays as it was made where nobody asks for something else: no call of CMake, so that the folder stays the same.
expect "a first build looks for cards" test "$(cuda_of_build "$folder/build")" = AUTO
made=$folder/made/build/release
mkdir -p "$made"
touch "$made/build.ninja"
printf 'CMAKE_CACHEFILE_DIR:INTERNAL=%s\n' "$made" >"$made/CMakeCache.txt"
arguments=(--preset release -DFROND_STARPU_PREFIX=/nowhere -DFROND_CUDA=ON)
! command -v ccache >/dev/null || arguments+=(-DCMAKE_C{,XX}_COMPILER_LAUNCHER=ccache)
printf '%s\n' "${arguments[*]}" >"$made/arguments"
expect "a build with code for cards" test "$(cuda_of_build "$made")" = ON
run_cmake() { touch "$folder/configured"; }
(unset FROND_CUDA && configure_frond "$folder/made" /nowhere)
expect "it is not configured again" test ! -e "$folder/configured"
(FROND_CUDA=off && configure_frond "$folder/made" /nowhere) 2>/dev/null
expect "FROND_CUDA=off configures it" test -e "$folder/configured"
expect "and holds from then on" test "$(cuda_of_build "$made")" = OFF

if (FROND_CUDA=maybe configure_frond "$folder" /nowhere) 2>"$folder/said"; then
  printf 'failed: FROND_CUDA=maybe was taken\n'
  exit 1
fi
expect_lines "$folder/said" 1 1 'FROND_CUDA=maybe is none of auto, on and off'

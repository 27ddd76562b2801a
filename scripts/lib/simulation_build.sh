# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: BSD-3-Clause
# Build the program of `frond simulate`, in build/simulation, or for tests, which simulate small trees, without
# optimization in build/simulation-tests: half of the time of the compiler.

# build_simulation ROOT [tests]: prints the path of the program. FROND_SIMULATION_PROGRAM is taken where it is set.
build_simulation() {
  local root=$1 build=$1/build/simulation${2:+-$2} prefix arguments
  if [[ -n ${FROND_SIMULATION_PROGRAM:-} ]]; then
    printf '%s\n' "$FROND_SIMULATION_PROGRAM"
    return
  fi
  prefix=$("$frond_scripts/setup" --simulation </dev/null)
  mkdir -p "$build"
  exec 7>"$build/lock"
  flock --nonblock 7 || { say "waiting for another build in $build" && flock 7; }
  arguments=(--preset simulation -B "$build" "-DFROND_STARPU_PREFIX=$prefix")
  [[ ${2:-} != tests ]] || arguments+=("-DCMAKE_CXX_FLAGS_RELEASE=-O0 -DNDEBUG")
  ! command -v ccache >/dev/null || arguments+=(-DCMAKE_C{,XX}_COMPILER_LAUNCHER=ccache)
  if [[ ! -e $build/build.ninja || ! -e $build/arguments || $(<"$build/arguments") != "${arguments[*]}" ]]; then
    step "configuring the simulation" "see the log" "$build/configure.log" run_cmake "$root" "${arguments[@]}"
    printf '%s\n' "${arguments[*]}" >"$build/arguments"
  fi
  if ! ninja -C "$build" -n frond_program | grep -q 'no work to do'; then
    step "building the simulation, which takes minutes the first time" "see the log" "$build/build.log" \
      ninja -C "$build" ${CMAKE_BUILD_PARALLEL_LEVEL:+-j "$CMAKE_BUILD_PARALLEL_LEVEL"} frond_program
  fi
  exec 7>&-
  printf '%s\n' "$build/cli/frond-simulation"
}

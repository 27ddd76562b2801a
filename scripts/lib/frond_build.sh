# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Configure and build Frond itself: silent when nothing changed, one line of progress when something did.

# configure_frond ROOT STARPU_PREFIX: preset release in build/release, again only when the arguments
# change (CMake's own files are watched by ninja).
configure_frond() {
  local root=$1 build=$1/build/release arguments
  arguments=(--preset release "-DFROND_STARPU_PREFIX=$2")
  ! command -v ccache >/dev/null || arguments+=(-DCMAKE_C{,XX}_COMPILER_LAUNCHER=ccache)
  if [[ -e $build/build.ninja && -e $build/arguments ]] &&
    [[ $(<"$build/arguments") == "${arguments[*]}" ]]; then
    return
  fi
  mkdir -p "$build"
  step "configuring Frond" "see the log" "$build/configure.log" run_cmake "$root" "${arguments[@]}"
  printf '%s\n' "${arguments[*]}" >"$build/arguments"
}

run_cmake() {
  cd "$1" || return
  shift
  cmake "$@"
}

# set_cache_entry ROOT NAME TYPE VALUE: one CMake option of build/release, touched only if it differs.
set_cache_entry() {
  local build=$1/build/release
  grep -qxF "$2:$3=$4" "$build/CMakeCache.txt" ||
    step "configuring Frond with $2=$4" "see the log" "$build/configure.log" \
      run_cmake "$1" -B "$build" "-D$2:$3=$4"
}

# build_frond ROOT TARGET: compiler messages are shown; so is progress, on standard error.
build_frond() {
  local plan start=$SECONDS
  cd "$1/build/release"
  plan=$(ninja -n "$2" | tail -n 1)
  if [[ $plan == *"no work to do"* ]]; then
    cd "$OLDPWD"
    return
  fi
  say "building Frond (the first time takes some minutes)"
  if [[ -t 2 ]]; then
    NINJA_STATUS='frond: building [%f/%t, %e s] ' ninja "$2" >&2 </dev/null
  else
    NINJA_STATUS='@ %f %t %e ' ninja "$2" 2>&1 </dev/null | every_tenth >&2
  fi || fail "the build failed" "see the compiler's messages above"
  cd "$OLDPWD"
  say "built in $((SECONDS - start)) s"
}

# Of ninja's status lines, one for each tenth of the work; everything else as it is.
every_tenth() {
  awk '
    $1 == "@" && $2 + 0 == $2 {
      tenth = int(10 * $2 / $3)
      if (tenth > last) printf "frond: building %d of %d, %d s\n", $2, $3, $4
      last = tenth > last ? tenth : last
      next
    }
    { print }'
}

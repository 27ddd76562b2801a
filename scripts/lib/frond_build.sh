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
  local terminal=0
  [[ ! -t 2 ]] || terminal=1
  NINJA_STATUS='@ %f %t %e ' ninja -C "$1/build/release" "$2" 2>&1 </dev/null |
    build_progress "$terminal" >&2 || fail "the build failed" "see the compiler's messages above"
}

# build_progress TERMINAL: ninja's status lines as one line that grows (terminal) or as one line for
# each tenth of the work; what compilers say as it is; nothing when nothing was compiled or linked.
build_progress() {
  awk -v terminal="$1" '
    function clear() { if (open_line) printf "\r\033[K"; open_line = 0 }
    /^ninja: (Entering directory|no work to do)/ || /^-- / || /Re-(checking|running)/ { next }
    $1 == "@" && $2 + 0 == $2 {
      if (!total && $5 !~ /^(Building|Linking)$/) next
      if (!total) print "frond: building" ($3 > 40 ? ", which takes some minutes" : "")
      done = $2
      total = $3
      seconds = $4
      tenth = int(10 * $2 / $3)
      if (terminal) {
        printf "\r\033[Kfrond: building %d of %d, %d s", done, total, seconds
        open_line = 1
      } else if (tenth > last) {
        printf "frond: building %d of %d, %d s\n", done, total, seconds
      }
      fflush()
      last = tenth
      next
    }
    { clear(); print; fflush() }
    END { clear(); if (total) printf "frond: built %d of %d in %d s\n", done, total, seconds }'
}

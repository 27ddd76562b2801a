# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Configure and build Frond itself: silent when nothing changed, one line of progress when something did.

# lock_build ROOT, unlock_build: one configuration and build of a clone at a time; two ninjas in one
# folder overwrite each other's files. Unlock before exec: what follows must not hold the lock.
lock_build() {
  mkdir -p "$1/build/release"
  exec 8>"$1/build/release/lock"
  flock --nonblock 8 || { say "waiting for another build in $1/build/release" && flock 8; }
}

unlock_build() { exec 8>&-; }

# configure_frond ROOT STARPU_PREFIX: preset release in build/release, again only when the arguments
# change (CMake's own files are watched by ninja), or when a card has come since.
# FROND_CUDA: on compiles tasks for NVIDIA cards where there is none, off leaves them out where there is one; where it is
# not set, the build stays as it was made, at first auto.
configure_frond() {
  local root=$1 build=$1/build/release cuda=${FROND_CUDA:-$(cuda_of_build "$1/build/release")} arguments
  [[ $cuda =~ ^(auto|on|off|AUTO|ON|OFF)$ ]] || fail "FROND_CUDA=$cuda is none of auto, on and off"
  arguments=(--preset release "-DFROND_STARPU_PREFIX=$2" "-DFROND_CUDA=${cuda^^}")
  ! command -v ccache >/dev/null || arguments+=(-DCMAKE_C{,XX}_COMPILER_LAUNCHER=ccache)
  discard_moved_build "$root"
  if [[ -e $build/build.ninja && -e $build/arguments ]] &&
    [[ $(<"$build/arguments") == "${arguments[*]}" ]] && ! card_is_new "$build"; then
    return
  fi
  mkdir -p "$build"
  step "configuring Frond" "see the log" "$build/configure.log" run_cmake "$root" "${arguments[@]}"
  printf '%s\n' "${arguments[*]}" >"$build/arguments"
  ! grep -q '^FROND_CUDA_LEFT_OUT:INTERNAL=no card' "$build/CMakeCache.txt" ||
    say "no NVIDIA card is here, so tasks for cards are not compiled; FROND_CUDA=on in the environment compiles them"
}

# cuda_of_build BUILD: what FROND_CUDA was when it was configured; auto where nothing is.
cuda_of_build() {
  local made_with=''
  [[ ! -e $1/arguments ]] || made_with=$(<"$1/arguments")
  if [[ $made_with =~ -DFROND_CUDA=(AUTO|ON|OFF) ]]; then
    printf '%s\n' "${BASH_REMATCH[1]}"
  else
    printf 'AUTO\n'
  fi
}

# card_is_new BUILD: whether this build left out what a card that is here now needs.
card_is_new() {
  grep -q '^FROND_CUDA_LEFT_OUT:INTERNAL=no card' "$1/CMakeCache.txt" && card_is_here
}

# discard_moved_build ROOT: a build folder holds its own path everywhere. After the clone was moved or
# copied, ninja would read and write the old folder; so nothing of that build is kept.
discard_moved_build() {
  local build=$1/build/release cache=$1/build/release/CMakeCache.txt made_in
  [[ -e $cache ]] || return 0
  made_in=$(sed -n 's/^CMAKE_CACHEFILE_DIR:INTERNAL=//p' "$cache")
  [[ ! $made_in -ef $build ]] || return 0
  say "this clone was moved or copied from ${made_in%/build/release}: Frond is built anew in $build"
  find "$build" -mindepth 1 -maxdepth 1 ! -name lock -exec rm -rf {} +
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

# build_frond ROOT TARGET: compiler messages are shown; so is progress, on standard error. As many compilers at once as
# CMAKE_BUILD_PARALLEL_LEVEL says, which ninja itself does not read.
build_frond() {
  local terminal=0 status=0
  [[ ! -t 2 ]] || terminal=1
  NINJA_STATUS='@ %f %t %e ' ninja -C "$1/build/release" ${CMAKE_BUILD_PARALLEL_LEVEL:+-j "$CMAKE_BUILD_PARALLEL_LEVEL"} "$2" 2>&1 </dev/null |
    build_progress "$terminal" || status=$?
  [[ $status -ne 130 ]] || fail "the build was interrupted" "run the same command again"
  [[ $status -eq 0 ]] || fail "the build failed" "see the compiler's messages above"
}

# build_progress TERMINAL: ninja's status lines ("@ done total seconds what") as one line that is written
# over (terminal), or as a line for each tenth of the work and for every quiet_seconds without one; what
# compilers say as it is; nothing when nothing was compiled or linked. Status 130 when ninja says that it was
# interrupted. In bash, since Debian's awk holds back what it reads from a pipe.
build_progress() {
  local terminal=$1 line part='' status built=0 total=0 tenth last=0 interrupted=0
  local start=$SECONDS said=$SECONDS
  while true; do
    status=0
    IFS= read -r -t 3 line || status=$?
    if [[ $status -gt 128 ]]; then # nothing whole for three seconds: ninja is at work
      part+=$line
      [[ $total -gt 0 ]] || { say "building, which takes some minutes the first time" && total=1 said=$SECONDS; }
      report_building
      continue
    fi
    [[ $status -eq 0 || -n $line ]] || break
    line=$part$line part=''
    case $line in
      'ninja: Entering'* | 'ninja: no work'* | '-- '* | *Re-checking* | *Re-running*) continue ;;
      '@ '*) ;;
      'ninja: build stopped: interrupted'*) interrupted=1 ;;&
      *)
        [[ $terminal -eq 0 || $built -eq 0 ]] || printf '\r\033[K' >&2
        printf '%s\n' "$line" >&2
        continue
        ;;
    esac
    [[ $total -gt 0 || $line =~ ' '(Building|Linking)' ' ]] || continue
    [[ $total -gt 0 ]] || say "building"
    read -r _ built total _ <<<"$line"
    tenth=$((10 * built / total))
    report_building
    last=$tenth
  done
  [[ $terminal -eq 0 || $built -eq 0 ]] || printf '\r\033[K' >&2
  [[ $interrupted -eq 0 ]] || return 130
  [[ $built -eq 0 ]] || say "built $built of $total in $((SECONDS - start)) s"
}

# report_building: how far it is, with the variables of build_progress.
# shellcheck disable=SC2154
report_building() {
  local elapsed=$((SECONDS - start)) of=''
  [[ $built -eq 0 ]] || of=" $built of $total,"
  if [[ $terminal -eq 1 ]]; then
    printf '\r\033[Kfrond: building%s %d s' "$of" "$elapsed" >&2
  elif [[ ${tenth:-0} -gt $last || $((SECONDS - said)) -ge $quiet_seconds ]]; then
    say "building$of $elapsed s"
    said=$SECONDS
  fi
}

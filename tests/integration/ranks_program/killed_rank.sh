#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A rank that dies ends the run within 10 s, with an exit code and a message that names it, in the analysis, in the
# factorization, in the solve, and while a file is written: frond MPIRUN KILLED_RANK.
set -euo pipefail

frond=$1 mpirun=$2 killed_rank=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export FROND_CPU_WORKERS=1 STARPU_WORKERS_NOBIND=1

# children_of PID: all processes below it.
children_of() {
  local child
  for child in $(pgrep -P "$1" || true); do
    printf '%s\n' "$child"
    children_of "$child"
  done
}

# ranks_of PID: those of them that are ranks of frond, in the order of their numbers.
ranks_of() {
  local child
  for child in $(children_of "$1"); do
    [[ $(readlink "/proc/$child/exe" 2>/dev/null) == "$(readlink -f "$frond")" ]] || continue
    printf '%s %s\n' "$(tr '\0' '\n' <"/proc/$child/environ" | sed -n 's/^\(OMPI_COMM_WORLD\|PMI\)_RANK=//p' | head -1)" "$child"
  done 2>/dev/null | sort -n | cut -d' ' -f2
}

# is_running PID: one that has ended may wait for its parent.
is_running() {
  local state
  state=$(sed -n 's/^State:[[:space:]]*//p' "/proc/$1/status" 2>/dev/null) && [[ -n $state && $state != Z* ]]
}

fail() {
  printf '%s: %s\n' "$what" "$1" >&2
  cat out err >&2
  exit 1
}

# expect_end LAUNCHER VICTIM PID...: the run ends, and says who was killed; nothing of it is left.
expect_end() {
  local launcher=$1 victim=$2 code=0 start=$SECONDS rank
  shift 2
  wait "$launcher" || code=$?
  [[ $((SECONDS - start)) -le 10 ]] || fail "the run went on for $((SECONDS - start)) s"
  [[ $code -ne 0 && $code -ne 124 ]] || fail "exit code $code"
  # MPICH's launcher names a process that was killed, on its output, but not always the one that died by itself.
  local numbers
  numbers=$(IFS='|' && printf '%s' "$*")
  cat out err | grep -E "rank $victim .*signal 9|^= +PID ($numbers) RUNNING" >/dev/null || fail "no message about rank $victim"
  for rank in "$@"; do
    while is_running "$rank" && [[ $((SECONDS - start)) -le 10 ]]; do sleep 0.1; done
    ! is_running "$rank" || fail "process $rank is left"
  done
}

# check_phase PHASE VICTIM: a rank that kills itself there.
check_phase() {
  what="rank $2 in the $1"
  rm -f pid.*
  timeout 60 "$mpirun" 3 "$killed_rank" "$1" "$2" >out 2>err &
  local launcher=$!
  for _ in $(seq 300); do
    [[ ! -s pid.0 || ! -s pid.1 || ! -s pid.2 ]] || break
    sleep 0.1
  done
  [[ -s pid.0 && -s pid.1 && -s pid.2 ]] || fail 'three ranks did not start'
  while is_running "$(<"pid.$2")"; do sleep 0.05; done
  expect_end "$launcher" "$2" "$(<pid.0)" "$(<pid.1)" "$(<pid.2)"
}

# check_writing VICTIM: X goes into a pipe that nobody empties, so that rank 0 is writing it and the others wait.
check_writing() {
  what="rank $1 while X is written"
  rm -f x.mtx
  mkfifo x.mtx
  exec 9<>x.mtx
  timeout 60 "$mpirun" 3 "$frond" solve generate:poisson2d:100 --out x.mtx >out 2>err 9<&- &
  local launcher=$! ranks
  read -r -t 50 -N 1 -u 9 || fail 'nothing is written'
  mapfile -t ranks < <(ranks_of "$launcher")
  [[ ${#ranks[@]} -eq 3 ]] || fail "${#ranks[@]} ranks are there"
  kill -KILL "${ranks[$1]}" || fail 'the run had ended before'
  expect_end "$launcher" "$1" "${ranks[@]}"
  exec 9<&-
}

for phase in analysis factorization solve; do
  for victim in 0 2; do check_phase "$phase" "$victim"; done
done
for victim in 0 2; do check_writing "$victim"; done

# A file has its name when all of it is there: a run that was killed before leaves none of that name.
what='a killed run with a file'
timeout 60 "$mpirun" 2 "$frond" solve generate:poisson3d:60 --ordering metis --out y.mtx >out 2>err &
launcher=$!
for _ in $(seq 200); do
  mapfile -t ranks < <(ranks_of "$launcher")
  [[ ${#ranks[@]} -lt 2 ]] || break
  sleep 0.05
done
[[ ${#ranks[@]} -eq 2 ]] || fail 'two ranks did not start'
kill -KILL "${ranks[0]}" || fail 'the run had ended before'
expect_end "$launcher" 0 "${ranks[@]}"
[[ ! -e y.mtx ]] || fail 'a solution was written'

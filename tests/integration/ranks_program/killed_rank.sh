#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A rank that dies ends the run within 10 s, with an exit code and a message: frond MPIRUN.
set -euo pipefail

frond=$1 mpirun=$2
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

# ranks_of PID: those of them that are ranks of frond, in the order of their start.
ranks_of() {
  local child
  for child in $(children_of "$1" | sort -n); do
    [[ $(readlink "/proc/$child/exe" 2>/dev/null) != "$(readlink -f "$frond")" ]] || printf '%s\n' "$child"
  done
}

# is_running PID: one that has ended may wait for its parent.
is_running() {
  local state
  state=$(sed -n 's/^State:[[:space:]]*//p' "/proc/$1/status" 2>/dev/null) && [[ -n $state && $state != Z* ]]
}

# check VICTIM SECONDS: kills that rank (by its place in the list) after a while.
check() {
  local victim=$1 code=0 launcher ranks start
  timeout 120 "$mpirun" 3 "$frond" solve generate:poisson3d:70 --ordering metis --out x.mtx >out 2>err &
  launcher=$!
  for _ in $(seq 100); do
    mapfile -t ranks < <(ranks_of "$launcher")
    [[ ${#ranks[@]} -lt 3 ]] || break
    sleep 0.1
  done
  [[ ${#ranks[@]} -eq 3 ]] || { printf 'three ranks did not start\n' >&2 && cat err >&2 && return 1; }
  sleep "$2"
  kill -KILL "${ranks[$victim]}" || { printf 'the run had ended before\n' >&2 && return 1; }
  start=$SECONDS
  wait "$launcher" || code=$?
  [[ $((SECONDS - start)) -le 10 ]] || { printf 'the run went on for %s s\n' "$((SECONDS - start))" >&2 && return 1; }
  [[ $code -ne 0 && $code -ne 124 ]] || { printf 'exit code %s\n' "$code" >&2 && return 1; }
  grep -q 'rank .*signal 9' err || { printf 'no message about the rank\n' >&2 && cat err >&2 && return 1; }
  [[ ! -e x.mtx ]] || { printf 'a solution was written\n' >&2 && return 1; }
  for rank in "${ranks[@]}"; do
    while is_running "$rank" && [[ $((SECONDS - start)) -le 10 ]]; do sleep 0.1; done
    ! is_running "$rank" || { printf 'process %s is left\n' "$rank" >&2 && return 1; }
  done
}

check 2 2 # one that waits
check 0 2 # the one that works

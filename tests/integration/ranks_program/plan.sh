#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What frond analyze --ranks predicts without MPI is what a run with the same options sends: frond MPIRUN.
set -euo pipefail

frond=$1 mpirun=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export STARPU_WORKERS_NOBIND=1
failures=0

# numbers FILE KEY: those of that key, rank after rank.
numbers() { { grep -oE "\"$2\": *[0-9]+" "$1" || true; } | grep -oE '[0-9]+$' | tr '\n' ' '; }

# check MATRIX OPTION...: two ranks share the tree, and send so many bytes and messages as planned.
check() {
  local direction planned
  "$frond" analyze "$@" --ranks 2 --mpi off --json plan >out 2>err || { cat err >&2 && return 1; }
  timeout 120 "$mpirun" 2 "$frond" solve "$@" --json run >out 2>err || { cat err >&2 && return 1; }
  for what in bytes messages; do
    for direction in sent received; do
      planned=$(numbers plan "${what}_$direction")
      [[ $planned =~ [1-9] ]] || { printf '%s: no %s are planned\n' "$*" "$what" >&2 && return 1; }
      [[ $planned == "$(numbers run "factor_${what}_$direction")" ]] || {
        printf '%s: %s %s: planned %s, counted %s\n' "$*" "$what" "$direction" "$planned" \
          "$(numbers run "factor_${what}_$direction")" >&2
        failures=$((failures + 1))
      }
    done
  done
  grep -q '"ranks_left_to_rank_0": ""' plan || { printf '%s: left to rank 0\n' "$*" >&2 && return 1; }
}

check generate:poisson3d:30 --factorization llt --cpu-workers 1
check generate:poisson3d:30 --factorization llt --cpu-workers 2
check generate:poisson3d:30 --factorization ldlt --cpu-workers 1 --deterministic on
check generate:convdiff3d:26 --cpu-workers 1 --ordering nested_dissection
check generate:convdiff3d:26 --cpu-workers 1 --pivoting static --tile-size 96 --workers 6

# A tree of little work stays on rank 0, and the plan says so.
"$frond" analyze generate:poisson3d:10 --ranks 2 --json plan >out
grep -q '"ranks_left_to_rank_0": "the tree has less' plan || { printf 'nothing about a small tree\n' >&2 && exit 1; }
grep -q 'rank 0 alone' out || { printf 'nothing about a small tree in the table\n' >&2 && exit 1; }

exit "$((failures > 0))"

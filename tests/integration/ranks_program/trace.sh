#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# frond trace on several ranks: frond MPIRUN. Exit code 77 where StarPU records no traces.
set -euo pipefail

frond=$1 mpirun=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export FROND_CPU_WORKERS=1 STARPU_WORKERS_NOBIND=1
failures=0

# expect WHAT COMMAND...: the command must succeed.
expect() {
  local what=$1
  shift
  "$@" || {
    printf 'failed: %s\n' "$what" >&2
    failures=$((failures + 1))
  }
}

code=0
timeout 240 "$mpirun" 3 "$frond" trace generate:poisson3d:36 --factorization llt -o trace >out 2>err || code=$?
if grep -qE 'records no traces|starpu_fxt_tool, which' err; then
  printf 'skipped: %s\n' "$(<err)"
  exit 77
fi
expect "exit code 0, not $code: $(<err)" test "$code" -eq 0
for rank in 0 1 2; do
  expect "a task of rank $rank" grep -q "CPU 0 of rank $rank" trace/tasks.csv
done
expect 'messages between ranks' grep -q 'main memory of rank 2' trace/trace.html
expect 'the ranks in the heading' grep -q 'on each of 3 ranks' trace/trace.html
expect 'nothing but the five files' test "$(ls trace | wc -l)" -eq 5

# What rank 0 cannot do ends all of them, at once.
code=0
timeout 60 "$mpirun" 2 "$frond" trace generate:poisson3d:10 -o /proc/no/such >out 2>err || code=$?
expect "exit code 2 without a folder, not $code" test "$code" -eq 2
expect 'the folder in the message' grep -q '/proc/no/such' err

exit "$((failures > 0))"

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The program frond on several ranks: frond MPIRUN.
set -euo pipefail

frond=$1 mpirun=$2
data=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)/docs/examples/data
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export FROND_CPU_WORKERS=1 STARPU_WORKERS_NOBIND=1
failures=0

# expect WHAT CONDITION...: the rest is a command that must succeed.
expect() {
  local what=$1
  shift
  "$@" || {
    printf 'failed: %s\n' "$what" >&2
    failures=$((failures + 1))
  }
}

# status COMMAND...: its exit code, with its output in out and err.
status() {
  local code=0
  timeout 120 "$@" >out 2>err || code=$?
  printf '%s' "$code"
}

# number FILE KEY: the first number of that key.
number() { grep -oE "\"$2\": *[-0-9.e+]+" "$1" | head -1 | grep -oE '[-0-9.e+]+$'; }

# The same system on one process, and on 1, 3 and 4 ranks: the same X for every number of ranks.
for ranks in 1 3 4; do
  code=$(status "$mpirun" "$ranks" "$frond" solve "$data/494_bus.mtx" --deterministic on --out "x$ranks.mtx" --json "j$ranks")
  expect "exit code on $ranks ranks" test "$code" = 0
  expect "rank 0 alone prints on $ranks ranks" test "$(grep -c 'solved:' out)" = 1
  expect "ranks in the object on $ranks ranks" test "$(number "j$ranks" mpi_ranks)" = "$ranks"
done
expect "bits on 3 ranks" cmp -s x1.mtx x3.mtx
expect "bits on 4 ranks" cmp -s x1.mtx x4.mtx
expect "an entry for each rank" test "$(grep -c '"idle_seconds"' j4)" = 4

# A in one file a rank, B and X in others: [4 1; 1 3] x = [1; 2].
printf '%s\n' '%%MatrixMarket matrix coordinate real symmetric' '2 2 2' '1 1 4' '2 1 1' >A.0.mtx
printf '%s\n' '%%MatrixMarket matrix coordinate real symmetric' '2 2 2' '2 2 1' '2 2 2' >A.1.mtx
printf '%s\n' '%%MatrixMarket matrix array real general' '1 1' 1 >b.0.mtx
printf '%s\n' '%%MatrixMarket matrix array real general' '1 1' 2 >b.1.mtx
code=$(status "$mpirun" 2 "$frond" solve A.%r.mtx --rhs b.%r.mtx --out x.%r.mtx)
expect "exit code with files of ranks" test "$code" = 0
# Bounds of relative errors: eps (2.2e-16) times the operations behind an entry times the condition.
of_two_unknowns=8.9e-15 # 2 eps, ten operations, condition 2
of_dense=9e-11          # eps, 80 operations, condition 5080 (of random:80, by frond solve-dense --condition)
# shellcheck disable=SC2317  # expect calls it
# is_near FILE VALUE: of a vector of one row.
is_near() {
  awk -v value="$2" -v most="$of_two_unknowns" \
    '!/^%/ { last = $1 } END { exit !((last - value) ^ 2 <= (most * value) ^ 2) }' "$1"
}
expect "x_1" is_near x.0.mtx 0.09090909090909091
expect "x_2" is_near x.1.mtx 0.63636363636363636
code=$(status "$mpirun" 2 "$frond" solve A.%r.mtx --json j)
expect "known solutions with files of ranks" test "$code" = 0
expect "their error" awk -v e="$(number j forward_error)" -v most="$of_two_unknowns" 'BEGIN { exit !(e != "" && e <= most) }'

# Dense matrices: each rank makes its columns, or reads its rows.
for ranks in 2 3; do
  for kind in random:80 definite:80; do
    code=$(status "$mpirun" "$ranks" "$frond" solve-dense "generate:$kind" --deterministic on --out "dense$ranks.$kind" --json j)
    expect "exit code of dense $kind on $ranks ranks" test "$code" = 0
    expect "error of dense $kind on $ranks ranks" awk -v e="$(number j forward_error)" -v most="$of_dense" 'BEGIN { exit !(e != "" && e <= most) }'
  done
done
expect "bits of a dense matrix on 3 ranks" cmp -s dense2.random:80 dense3.random:80
expect "bits of a definite dense matrix on 3 ranks" cmp -s dense2.definite:80 dense3.definite:80
# numpy ROWS BYTES: a file of NumPy with two columns in double precision.
numpy() {
  local header="{'descr': '<f8', 'fortran_order': False, 'shape': ($1, 2), }"
  # shellcheck disable=SC2059  # the bytes are part of the format
  printf "\\x93NUMPY\\x01\\x00\\x$(printf '%x' "${#header}")\\x00%s$2" "$header"
}
one='\x00\x00\x00\x00\x00\x00\xf0\x3f' three='\x00\x00\x00\x00\x00\x00\x08\x40' four='\x00\x00\x00\x00\x00\x00\x10\x40'
numpy 1 "$four$one" >D.0.npy
numpy 1 "$one$three" >D.1.npy
numpy 2 "$four$one$one$three" >D.npy
code=$(status "$mpirun" 2 "$frond" solve-dense D.%r.npy --rhs b.%r.mtx --out x.%r.mtx)
expect "exit code with dense files of ranks" test "$code" = 0
expect "dense x_1" is_near x.0.mtx 0.09090909090909091
expect "dense x_2" is_near x.1.mtx 0.63636363636363636
code=$(status "$mpirun" 2 "$frond" solve-dense D.npy --rhs b.%r.mtx --out x.%r.mtx)
expect "exit code with one dense file" test "$code" = 0
expect "x_2 of one dense file" is_near x.1.mtx 0.63636363636363636
cp D.npy D.1.npy
code=$(status "$mpirun" 2 "$frond" solve-dense D.%r.npy)
expect "exit code with a wrong dense file" test "$code" = 2
expect "message about it" grep -q 'rank 1: .*D.1.npy: 2 rows and 2 columns; give rank 1 of 2 the rows 1 to 2' err

# What goes wrong on one rank is said once.
rm A.1.mtx
code=$(status "$mpirun" 2 "$frond" solve A.%r.mtx)
expect "exit code without a file of rank 1" test "$code" = 2
expect "message about that file" grep -q 'rank 1: .*A.1.mtx' err
expect "message once" test "$(grep -c 'A.1.mtx' err)" = 1

# An ordering by all ranks, which one process refuses, and a plug-in that was built without PT-Scotch.
code=$(status "$frond" solve generate:poisson2d:40 --ordering ptscotch)
expect "ptscotch refused by one process" test "$code" = 2
expect "its cure" grep -q 'mpirun' err
code=$(status "$mpirun" 2 "$frond" solve generate:poisson2d:40 --ordering ptscotch --json j)
if test "$code" = 0; then
  expect "ptscotch in the object" grep -q '"ordering": "ptscotch"' j
else
  expect "the lack of PT-Scotch" grep -q 'built without PT-Scotch' err
fi

# Without the plug-in several processes would each solve everything.
code=$(status env FROND_MPI_PLUGIN=./none.so "$mpirun" 2 "$frond" solve "$data/494_bus.mtx")
expect "refused without the plug-in" test "$code" = 3
expect "its reason" grep -q 'would all solve.*none.so' err
code=$(status env FROND_MPI_PLUGIN=./none.so "$mpirun" 2 "$frond" solve "$data/494_bus.mtx" --mpi off)
expect "alone with --mpi off" test "$code" = 0
expect "each solved" test "$(grep -c 'solved:' out)" = 2
code=$(status "$mpirun" 2 "$frond" generate poisson2d 3)
expect "generate refuses several processes" test "$code" = 2
code=$(status env FROND_MPI_PLUGIN=./none.so "$frond" info)
expect "info without the plug-in" test "$code" = 0
expect "its reason there" grep -q 'none.so' out
code=$(status "$frond" info)
expect "the MPI library in info" grep -qE 'MPI +.*(Open MPI|MPICH)' out

exit "$((failures > 0))"

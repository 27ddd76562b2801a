# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Of scripts/bench_on_gpu: factorizations with other values of the same pattern. Uses its compare_on, real_matrix,
# solvers, rounds, factorizations, quick and compare_lines.
# shellcheck disable=SC2034,SC2154

# measure_new_values: Frond by factor_values and by factor, cuDSS by both of its phases, in turns.
measure_new_values() {
  local cudss=,cuDSS:best:refine=1,cuDSS:best:refine=1:refactor=0 before=$compare_lines large
  [[ $("$compare" --help) == *cuDSS* ]] || cudss=''
  solvers=Frond:values,Frond$cudss rounds=2
  new_values_of_large
  large=${compare_lines#"$before"}
  new_values_summary="large systems"$'\n'"$(summary_of_new_values <<<"$large")"
  new_values_of_small
  new_values_summary+=$'\n\n'"small systems and those with many constraints"$'\n'
  new_values_summary+=$(summary_of_new_values <<<"${compare_lines#"$before$large"}")
  solvers=Frond rounds=1
  if [[ $quick -eq 0 ]]; then
    factorizations=2
    compare_on definite generate:poisson3d:160
  fi
  factorizations=4
  new_values_as_from_scratch
  factorizations=6
}

new_values_of_large() {
  new_values_on definite generate:poisson3d:60 generate:elasticity3d:36
  new_values_on symmetric generate:helmholtz3d:45
  [[ $quick -eq 0 ]] || return 0
  new_values_on definite generate:poisson3d:80 generate:grid27:60 fem_bunny_elast fem_hand_heat
  new_values_on symmetric fem_bunny_stokes
  rounds=1
  new_values_on definite generate:grid27:80 generate:elasticity3d:48 generate:poisson3d:100 generate:poisson3d:128
  new_values_on symmetric generate:helmholtz3d:60
  new_values_on general generate:poisson3d:80 generate:grid27:70 fem_bunny_stokes
  rounds=2
}

new_values_of_small() {
  new_values_on symmetric generate:kkt:20
  [[ $quick -eq 0 ]] || return 0
  new_values_on symmetric cont-300 ip_cvxqp3_l_it5
  new_values_on general case9241pegase_jac ACTIVSg10k_jac
}

# new_values_on MODE MATRIX...: generated ones, and names of files.
new_values_on() {
  local mode=$1 matrix
  shift
  for matrix; do
    case $matrix in
      generate:*) compare_on "$mode" "$matrix" --base Frond:values ;;
      *) real_matrix "$mode" "$matrix" --base Frond:values ;;
    esac
  done
}

# Values that change by factors up to 8 each, and values whose scaling must be made anew: inertia and verdict are
# those of the same values analysed and factored from scratch.
new_values_as_from_scratch() {
  local values matrix
  solvers=Frond:values,Frond
  for values in factors graded; do
    for matrix in kkt:20 helmholtz3d:30; do
      compare_on symmetric generate:$matrix --values $values --base Frond:values
      expect_as_from_scratch "$values"
    done
    compare_on general generate:convdiff3d:40 --values $values --base Frond:values
    expect_as_from_scratch "$values"
  done
}

expect_as_from_scratch() {
  local other
  other=$(grep -E '^Frond' "$step_log" | grep -vE ', 0 of [1-9][0-9]* factorizations other than from scratch' | tr -s ' ' || true)
  [[ -z $other ]] || fail_step "values by $1: as from scratch" "$other"
}

# summary_of_new_values: of tables of bench_compare on standard input, whose base is Frond:values, the geometric mean,
# the least and the largest of the column "factor x" (the 16th), for each solver, and for the better phase of cuDSS.
summary_of_new_values() {
  awk '
    function take(solver, ratio) {
      if (!(solver in count)) { order[++solvers] = solver; least[solver] = largest[solver] = ratio }
      ++count[solver]; logarithms[solver] += log(ratio)
      if (ratio < least[solver]) least[solver] = ratio
      if (ratio > largest[solver]) largest[solver] = ratio
    }
    function end_matrix() { if (better > 0) take("cuDSS, the better phase", better); better = 0 }
    / \(.*other values by congruence/ { end_matrix(); next }
    /^(Frond|cuDSS)(:[^ ]*)? +[0-9]/ && $16 > 0 {
      take($1, $16)
      if (/^cuDSS/ && (better == 0 || $16 < better)) better = $16
    }
    END {
      end_matrix()
      printf "%-32s %9s %9s %9s %9s\n", "solver", "matrices", "mean", "least", "largest"
      for (k = 1; k <= solvers; ++k) {
        s = order[k]
        printf "%-32s %9d %9.2f %9.2f %9.2f\n", s, count[s], exp(logarithms[s] / count[s]), least[s], largest[s]
      }
    }'
}

# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Of scripts/bench_on_gpu: factorizations with little of the card's memory. Uses its compare_on, solvers, quick and
# compare_lines.
# shellcheck disable=SC2034,SC2154

# measure_memory: without a limit, and with all and parts of the bytes (MiB here) that factors, tables and two levels of
# fronts take, counted beforehand.
measure_memory() {
  local before=$compare_lines
  limited definite generate:poisson3d:60 1672 1 2 4 8
  if [[ $quick -eq 0 ]]; then
    limited definite generate:poisson3d:80 4780 1 2 4 8
    limited general generate:poisson3d:80 6468 1 2 4 8
    limited definite generate:elasticity3d:36 3384 1 2 4 8
    limited symmetric generate:helmholtz3d:45 1868 1 2 4 8
    limited definite generate:poisson3d:100 14228 1 1.5 2 3 4 6 8
  fi
  memory_summary=$(summary_of_memory <<<"${compare_lines#"$before"}")
}

# limited MODE MATRIX MEBIBYTES DIVISOR...: one process, with other values in every factorization.
limited() {
  local mode=$1 matrix=$2 all=$3 divisor
  shift 3
  solvers=Frond:values
  for divisor; do
    solvers+=,Frond:values:gpu_memory_bytes=$(awk -v all="$all" -v d="$divisor" 'BEGIN { print int(all / d) }')M
  done
  compare_on "$mode" "$matrix" --base Frond:values
}

# summary_of_memory: of tables of bench_compare on standard input. Ratios are to the row without a limit, but of the
# first factorization to a repeated one. The largest limit of a matrix is all that it takes. A limit with which a
# factorization takes more than 1.03 times as long as with half of it is named.
summary_of_memory() {
  awk '
    function end_matrix(k, m) {
      for (k = 1; k <= limits; ++k)
        for (m = k + 1; m <= limits; ++m)
          if (factor[k] > 1.03 * factor[m] && int(limit[k] / 2) - limit[m] <= 1 && limit[m] - int(limit[k] / 2) <= 1)
            slower = slower sprintf("%s: %d MiB takes %.2f times as long as %d MiB\n", matrix, limit[k],
                                    factor[k] / factor[m], limit[m])
      limits = 0
    }
    BEGIN {
      printf "%-36s %9s %6s %10s %6s %10s %8s %9s %9s\n", "matrix", "limit MiB", "share", "factor s", "ratio",
             "first s", "/factor", "solve s", "(first)"
    }
    /^[^ ]+ \([a-z]+/ { end_matrix(); matrix = $1 " " $2; gsub(/[(),]/, "", matrix); next }
    /^Frond:values +[0-9]/ { whole = $3 }
    /^Frond:values:gpu_memory_bytes=[0-9]+M +[0-9]/ && whole > 0 {
      limit[++limits] = substr($1, index($1, "=") + 1) + 0
      factor[limits] = $3
      share = sprintf("1/%.3g", limit[1] / limit[limits])
    }
    /^Frond:values(:gpu_memory_bytes=[0-9]+M)? +[0-9]/ && whole > 0 {
      is_limited = $1 != "Frond:values"
      printf "%-36s %9s %6s %10.4f %6.2f %10.4f %8.2f %9.4f %9.4f\n", matrix, is_limited ? limit[limits] : "-",
             is_limited ? share : "-", $3, $3 / whole, $4, $4 / $3, $7, $6
      if (is_limited) { if (!(share in count)) shares[++kinds] = share; ++count[share]; sum[share] += $3 / whole }
    }
    END {
      end_matrix()
      for (k = 1; k <= kinds; ++k)
        printf "mean of %s: %.2f times as long as without a limit (%d matrices)\n", shares[k],
               sum[shares[k]] / count[shares[k]], count[shares[k]]
      printf "%s", slower == "" ? "no limit is slower than half of it by more than 3%\n" : slower
    }'
}

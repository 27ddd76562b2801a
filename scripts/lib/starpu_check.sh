# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Is a StarPU good enough? What it was built with counts, not the version alone.

starpu_minimum=1.4.7

# starpu_pkg_config PREFIX ARGS...: pkg-config, looking at that prefix first ("" is the system).
starpu_pkg_config() {
  local prefix=$1 path=${PKG_CONFIG_PATH:-}
  shift
  [[ -z $prefix ]] || path=$prefix/lib/pkgconfig:$prefix/lib64/pkgconfig:$path
  PKG_CONFIG_PATH=$path pkg-config "$@"
}

# starpu_limit HEADER NAME: the number that starpu_config.h gives to STARPU_<NAME>, or 0.
starpu_limit() {
  local value
  value=$(sed -n "s/^#define STARPU_$2 \([0-9]*\).*/\1/p" "$1")
  printf '%s\n' "${value:-0}"
}

# starpu_shortcomings PREFIX: why this StarPU will not do, in one line; nothing when it will.
starpu_shortcomings() {
  local header reasons=()
  if ! starpu_pkg_config "$1" --exists "starpu-1.4 >= $starpu_minimum" 2>/dev/null; then
    printf 'no StarPU 1.4 of version %s or later\n' "$starpu_minimum"
    return
  fi
  header=$(starpu_pkg_config "$1" --variable=starpu_includedir starpu-1.4)/starpu_config.h
  [[ -r $header ]] || { printf 'no header %s\n' "$header"; return; }
  local cpus buffers
  cpus=$(starpu_limit "$header" MAXCPUS)
  buffers=$(starpu_limit "$header" NMAXBUFS)
  [[ $cpus -ge 128 ]] || reasons+=("at most $cpus CPU workers (128 wanted)")
  [[ $buffers -ge 32 ]] || reasons+=("at most $buffers buffers a task (32 wanted)")
  [[ $(starpu_limit "$header" USE_FXT) -eq 1 ]] || reasons+=("no FxT traces")
  if ! starpu_pkg_config "$1" --exists starpumpi-1.4 2>/dev/null; then
    reasons+=("no MPI")
  elif [[ $(starpu_limit "$header" NO_ASSERT) -eq 1 ]]; then
    reasons+=("errors of MPI are ignored (--enable-fast)")
  fi
  if [[ -n $(cuda_folder) && $(starpu_limit "$header" USE_CUDA) -ne 1 ]]; then
    reasons+=("no CUDA although a toolkit is here")
  fi
  [[ ${#reasons[@]} -eq 0 ]] || printf '%s, ' "${reasons[@]}" | sed 's/, $/\n/'
}

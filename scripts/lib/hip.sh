# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: BSD-3-Clause
# What compiles the tasks for AMD cards, also where there is no card: hipcc, and the headers of rocBLAS
# alone (the library itself is of no use without a card, and large).

# prepare_hip CACHE: sets rocblas_include; empty where the system has no hipcc to offer.
prepare_hip() {
  rocblas_include=
  if ! command -v hipcc >/dev/null && [[ ! -x /opt/rocm/bin/hipcc ]]; then
    frond_optional_packages+=(hipcc)
    install_packages "$1"
    command -v hipcc >/dev/null || {
      say "this system has no package hipcc: tasks for AMD cards are not compiled"
      return 0
    }
  fi
  rocblas_include=$(rocblas_headers "$1")
  [[ -n $rocblas_include ]] || fetch_rocblas_headers "$1"
}

# rocblas_headers CACHE: the folder with rocblas/rocblas.h, or nothing.
rocblas_headers() {
  local folder
  for folder in /opt/rocm/include /usr/include "$1/rocblas/usr/include"; do
    [[ ! -e $folder/rocblas/rocblas.h ]] || { printf '%s\n' "$folder" && return; }
  done
}

# fetch_rocblas_headers CACHE: unpacked in CACHE/rocblas, which appears whole or not at all. The version
# need not be that of hipcc.
fetch_rocblas_headers() {
  local cache=$1 log work=$1/build/rocblas cure
  cure="check the network, or set FROND_HIP=off"
  command -v apt-get >/dev/null || fail "hipcc is here, the headers of rocBLAS are not" \
    "install them, or set FROND_HIP=off"
  exec 9>"$cache/lock"
  flock 9
  log=$(new_log "$cache" rocblas)
  rm -rf "$work" "$cache/rocblas"
  mkdir -p "$work/apt"
  step "fetching the headers of rocBLAS" "$cure" "$log" download_rocblas_headers "$work" "$log"
  step "unpacking them" "$cure" "$log" dpkg -x "$work"/librocblas-dev_*.deb "$work/root"
  mv "$work/root" "$cache/rocblas"
  rm -rf "$work"
  exec 9>&-
  rocblas_include=$(rocblas_headers "$cache")
  [[ -n $rocblas_include ]] || fail "librocblas-dev has no header rocblas.h" "see $log"
}

# From the machine's own release, or a later one where it has none.
download_rocblas_headers() {
  local work=$1 log=$2 suites=trixie
  cd "$work" || return
  if is_available librocblas-dev; then
    apt-get -q download librocblas-dev
    return
  fi
  [[ $(distribution_family) != ubuntu ]] || suites=noble
  [[ -n $(search_mirrors "$work/apt" "$log" deb "$suites" rocblas_candidate) ]]
  apt-get -q -c "$work/apt/apt.conf" download librocblas-dev
}

rocblas_candidate() {
  apt-cache -c "$1/apt.conf" policy librocblas-dev | sed -n 's/^ *Candidate: \([0-9]\)/\1/p'
}

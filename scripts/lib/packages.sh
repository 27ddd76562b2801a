# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Packages of the distribution: which are needed, which are missing, and their installation.
# The names are the same on Debian 12 and 13 and on Ubuntu 24.04.

frond_packages=(
  g++ cmake ninja-build pkgconf ccache                 # tools
  libopenblas-dev libmetis-dev libscotch-dev libsuitesparse-dev zlib1g-dev
  libhwloc-dev libopenmpi-dev openmpi-bin
  libfmt-dev libcli11-dev nlohmann-json3-dev doctest-dev
  make patch xz-utils dpkg-dev                         # to build StarPU
)
# Useful where the distribution has it: traces of StarPU.
frond_optional_packages=(libfxt-dev)

# missing_packages NAME...: those not installed, one a line.
missing_packages() {
  local installed
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true)
  local name
  for name in "$@"; do
    grep -qxF "installed $name" <<<"$installed" || printf '%s\n' "$name"
  done
}

# as_root COMMAND...: directly as root, else with sudo.
as_root() {
  if [[ $EUID -eq 0 ]]; then
    "$@"
  else
    sudo "$@"
  fi
}

apt_get() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 "$@"
}

# install_packages CACHE: nothing to do and nothing said when all are there.
install_packages() {
  command -v dpkg-query >/dev/null || {
    say "this system has no dpkg; install the equivalents of: ${frond_packages[*]}"
    return 0
  }
  local missing
  mapfile -t missing < <(missing_packages "${frond_packages[@]}" "${frond_optional_packages[@]}")
  drop_given_up "$1" missing
  [[ ${#missing[@]} -gt 0 ]] || return 0

  local log cure="as root, run: apt-get install ${missing[*]}"
  log=$(new_log "$1" packages)
  if [[ $EUID -ne 0 ]]; then
    command -v sudo >/dev/null ||
      fail "not root and no sudo; these packages are missing: ${missing[*]}" "$cure"
    sudo -v || fail "sudo refused; these packages are missing: ${missing[*]}" "$cure"
  fi
  step "reading the package lists" "check the network and apt's sources" "$log" apt_get update
  give_up_unavailable "$1" missing
  [[ ${#missing[@]} -gt 0 ]] || return 0
  step "installing ${#missing[@]} packages: ${missing[*]}" "$cure" \
    "$log" apt_get install -y --no-install-recommends "${missing[@]}"
}

# An optional package that cannot be had is asked for once: CACHE/without/<name> remembers.

# drop_given_up CACHE ARRAY
drop_given_up() {
  local -n names=$2
  local kept=() name
  for name in "${names[@]}"; do
    [[ -e $1/without/$name ]] || kept+=("$name")
  done
  names=("${kept[@]}")
}

# give_up_unavailable CACHE ARRAY
give_up_unavailable() {
  local name
  mkdir -p "$1/without"
  for name in "${frond_optional_packages[@]}"; do
    apt-cache show "$name" >/dev/null 2>&1 || touch "$1/without/$name"
  done
  drop_given_up "$1" "$2"
}

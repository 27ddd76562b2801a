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
# Useful where the distribution has it: traces of StarPU, files compressed by xz and zstd.
frond_optional_packages=(libfxt-dev liblzma-dev libzstd-dev)

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

# sudo drops the environment, and with it the proxy that a user may need to reach the mirror.
apt_get() {
  local name variables=(DEBIAN_FRONTEND=noninteractive)
  for name in http_proxy https_proxy ftp_proxy no_proxy; do
    [[ -z ${!name:-} ]] || variables+=("$name=${!name}")
  done
  as_root env "${variables[@]}" apt-get -q -o DPkg::Lock::Timeout=300 "$@"
}

# may_become_root: asks for the password, if one is needed. Not sudo -v alone: it asks as soon as one
# of the user's rules wants a password, even where another rule lets everything through without.
may_become_root() {
  sudo -n true 2>/dev/null || sudo -v
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
  local lists_cure="check the network and apt's sources"
  log=$(new_log "$1" packages)
  if [[ $EUID -ne 0 ]]; then
    command -v sudo >/dev/null ||
      fail "not root and no sudo; these packages are missing: ${missing[*]}" "$cure"
    may_become_root || fail "sudo refused; these packages are missing: ${missing[*]}" "$cure"
  fi
  [[ $(distribution_family) != ubuntu ]] || lists_cure+=", of which universe must be one"
  step "reading the package lists" "$lists_cure" "$log" update_package_lists "${missing[@]}"
  give_up_unavailable "$1" missing
  [[ ${#missing[@]} -gt 0 ]] || return 0
  step "installing ${#missing[@]} packages: ${missing[*]}" "check the network, or $cure" \
    "$log" apt_get install -y --no-install-recommends "${missing[@]}"
}

# update_package_lists NAME...: apt calls it a success when no mirror answers, and a failure when one
# of somebody else's has gone; what counts is whether each package that is needed is known.
update_package_lists() {
  apt_get update || true
  local name unknown=()
  for name in "$@"; do
    [[ " ${frond_optional_packages[*]} " == *" $name "* ]] || is_available "$name" ||
      unknown+=("$name")
  done
  [[ ${#unknown[@]} -eq 0 ]] || {
    printf 'apt knows of no package %s\n' "${unknown[*]}"
    return 1
  }
}

is_available() {
  [[ $(LC_ALL=C apt-cache policy "$1") == *"Candidate: "[0-9]* ]]
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
    is_available "$name" || touch "$1/without/$name"
  done
  drop_given_up "$1" "$2"
}

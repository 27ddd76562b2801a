# shellcheck shell=bash disable=SC2154
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
# Useful where the distribution has it: traces of StarPU, files compressed by xz and zstd, the ordering ptscotch.
frond_optional_packages=(libfxt-dev liblzma-dev libzstd-dev libptscotch-dev)

# missing_packages NAME...: those not installed, one a line.
missing_packages() {
  local installed
  [[ $# -gt 0 ]] || return 0
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true)
  local name
  for name in "$@"; do
    grep -qxF "installed $name" <<<"$installed" || printf '%s\n' "$name"
  done
}

is_root() { [[ $EUID -eq 0 ]]; }

# as_root COMMAND...: directly as root, else with sudo.
as_root() {
  if is_root; then
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

# install_packages CACHE: nothing to do and nothing said when all are there. Only packages that are needed end the
# script; of optional ones that cannot be had, a line tells once.
install_packages() {
  command -v dpkg-query >/dev/null || {
    say "this system has no dpkg; install the equivalents of: ${frond_packages[*]:-${frond_optional_packages[*]}}"
    return 0
  }
  local missing optional
  mapfile -t missing < <(missing_packages "${frond_packages[@]}")
  mapfile -t optional < <(missing_packages "${frond_optional_packages[@]}")
  drop_given_up "$1" optional
  if [[ ${#missing[@]} -gt 0 ]]; then
    install_needed "$1" "${missing[@]}"
  fi
  if [[ ${#optional[@]} -gt 0 ]]; then
    install_optional "$1" "${optional[@]}"
  fi
}

# install_needed CACHE NAME...
install_needed() {
  local cache=$1 log lists_cure="check the network and apt's sources"
  shift
  local cure="as root, run: apt-get install $*"
  if ! is_root; then
    command -v sudo >/dev/null || fail "not root and no sudo; these packages are missing: $*" "$cure"
    may_become_root || fail "sudo refused; these packages are missing: $*" "$cure"
  fi
  [[ $(distribution_family) != ubuntu ]] || lists_cure+=", of which universe must be one"
  log=$(new_log "$cache" packages)
  step "reading the package lists" "$lists_cure" "$log" update_package_lists "$@"
  step "installing $(count_of packages $#): $*" "check the network, or $cure" \
    "$log" apt_get install -y --no-install-recommends "$@"
  lists_are_read=yes
}

lists_are_read=no

# install_optional CACHE NAME...: nobody is asked for a password for these alone.
install_optional() {
  local cache=$1 optional log
  shift
  optional=("$@")
  if is_root || sudo -n true 2>/dev/null; then
    log=$(new_log "$cache" packages)
    [[ $lists_are_read == yes ]] || try_step "reading the package lists" "$log" update_package_lists
    give_up_unavailable "$cache" optional
    [[ ${#optional[@]} -gt 0 ]] || return 0
    try_step "installing $(count_of "optional packages" ${#optional[@]}): ${optional[*]}" \
      "$log" apt_get install -y --no-install-recommends "${optional[@]}"
    [[ $step_status -ne 0 ]] || return 0
  fi
  say "going on without ${optional[*]}; to have what is optional, as root run: apt-get install ${optional[*]}"
  give_up "$cache" "${optional[@]}"
}

# count_of PLURAL COUNT
count_of() {
  [[ $2 -ne 1 ]] || set -- "${1%s}" 1
  printf '%s %s' "$2" "$1"
}

# update_package_lists NAME...: apt calls it a success when no mirror answers, and a failure when one
# of somebody else's has gone; what counts is whether each package that is needed is known.
update_package_lists() {
  apt_get update || true
  local name unknown=()
  for name in "$@"; do
    is_available "$name" || unknown+=("$name")
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

# give_up CACHE NAME...
give_up() {
  local cache=$1 name
  shift
  mkdir -p "$cache/without"
  for name in "$@"; do
    touch "$cache/without/$name"
  done
}

# give_up_unavailable CACHE ARRAY: those of the array that the distribution does not have.
give_up_unavailable() {
  local -n candidates=$2
  local name
  for name in "${candidates[@]}"; do
    is_available "$name" || give_up "$1" "$name"
  done
  drop_given_up "$1" "$2"
}

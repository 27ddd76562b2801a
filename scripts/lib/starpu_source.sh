# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: BSD-3-Clause
# StarPU's source package: the newest 1.4 of the distribution's newest suites.

# source_suites FAMILY: where to look; a suite that the mirror lacks is passed over.
source_suites() {
  case $1 in
    debian) echo "trixie sid" ;;
    ubuntu) echo "resolute devel" ;;
  esac
}

# fitting_versions FOLDER: the versions in the lists that will do, newest first; none is no error
# (the next mirror may have one), though apt-cache says so.
fitting_versions() {
  local version
  { apt-cache -c "$1/apt.conf" showsrc --only-source starpu 2>/dev/null || true; } |
    sed -n 's/^Version: //p' | sort -rVu |
    while IFS= read -r version; do
      if dpkg --compare-versions "$version" ge "$starpu_minimum" &&
        dpkg --compare-versions "$version" lt 1.5~; then
        printf '%s\n' "$version"
      fi
    done
}

# find_starpu_source FOLDER LOG: leaves the apt set-up in FOLDER; prints the versions, newest first.
find_starpu_source() {
  search_mirrors "$1" "$2" deb-src "$(source_suites "$(distribution_family)")" fitting_versions
}

# unpack_starpu_source APT_FOLDER WORK VERSION...: the first version that the mirror really has, in
# WORK/source, its number in WORK/version. The signed lists vouch for the files, so dpkg-source need
# not know the uploader's key.
unpack_starpu_source() {
  local apt=$1 work=$2 version
  shift 2
  cd "$work" || return
  for version in "$@"; do
    rm -f starpu_*
    if apt-get -q -c "$apt/apt.conf" source --download-only "starpu=$version"; then
      dpkg-source --no-check -x starpu_*.dsc source
      printf '%s\n' "$version" >version
      return
    fi
  done
  return 1
}

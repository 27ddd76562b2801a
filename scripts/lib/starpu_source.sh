# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: BSD-3-Clause
# StarPU's source package: the newest 1.4 of the distribution's newest suites, from the mirror that
# this machine's apt already uses, with lists of our own: the system's apt is not touched.
# apt checks the signatures as always.

# source_suites FAMILY: where to look; a suite that the mirror lacks is passed over.
source_suites() {
  case $1 in
    debian) echo "trixie sid" ;;
    ubuntu) echo "resolute devel" ;;
  esac
}

# write_apt_setup FOLDER FAMILY URI KEYRING: an apt configuration that lives in FOLDER alone.
write_apt_setup() {
  local folder=$1 family=$2 uri=$3 keyring=$4 suite components=main
  [[ $family != ubuntu ]] || components="main universe"
  mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial"
  cat >"$folder/apt.conf" <<END
Dir::Etc::sourcelist "$folder/sources.list";
Dir::Etc::sourceparts "-";
Dir::State::Lists "$folder/lists";
Dir::Cache "$folder/cache";
Acquire::Languages "none";
APT::Sandbox::User "root";
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
END
  for suite in $(source_suites "$family"); do
    printf 'deb-src %s%s %s %s\n' "${keyring:+[signed-by=$keyring] }" "$uri" "$suite" "$components"
  done >"$folder/sources.list"
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

# update_source_lists FOLDER LOG: not an error when a suite is missing; what came is what counts.
update_source_lists() {
  {
    printf '\n== lists of sources\n'
    cat "$1/sources.list"
    apt-get -q -c "$1/apt.conf" update </dev/null || true
  } >>"$2" 2>&1
}

# find_starpu_source FOLDER LOG: leaves the apt set-up in FOLDER; prints the versions, newest first.
find_starpu_source() {
  local folder=$1 log=$2 family uri keyring versions
  family=$(distribution_family)
  while IFS=$'\t' read -r uri keyring; do
    write_apt_setup "$folder" "$family" "$uri" "$keyring"
    update_source_lists "$folder" "$log"
    if grep -q NO_PUBKEY "$log" && [[ $family == debian ]]; then
      renew_archive_keys "$log"
      update_source_lists "$folder" "$log"
    fi
    versions=$(fitting_versions "$folder")
    if [[ -n $versions ]]; then
      printf '%s\n' "$versions"
      return
    fi
  done < <(apt_archives "$family")
}

# A suite younger than this machine's keys: the package of keys that the machine's own release
# offers may be newer than the one installed.
renew_archive_keys() {
  say "a newer suite is signed with a key not known here; updating debian-archive-keyring"
  apt_get update >>"$1" 2>&1 </dev/null || true
  apt_get install -y --no-install-recommends debian-archive-keyring >>"$1" 2>&1 </dev/null || true
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

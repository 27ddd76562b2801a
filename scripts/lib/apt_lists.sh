# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Packages of other suites of the distribution, from the mirror that this machine's apt already uses, with
# lists of our own: the system's apt is not touched. apt checks the signatures as always.

# write_apt_setup FOLDER TYPE SUITES URI KEYRING: an apt configuration that lives in FOLDER alone.
# TYPE: deb or deb-src.
write_apt_setup() {
  local folder=$1 type=$2 suites=$3 uri=$4 keyring=$5 suite components=main
  [[ $(distribution_family) != ubuntu ]] || components="main universe"
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
  for suite in $suites; do
    printf '%s %s%s %s %s\n' "$type" "${keyring:+[signed-by=$keyring] }" "$uri" "$suite" "$components"
  done >"$folder/sources.list"
}

# update_lists FOLDER LOG: not an error when a suite is missing; what came is what counts.
update_lists() {
  {
    printf '\n== lists\n'
    cat "$1/sources.list"
    apt-get -q -c "$1/apt.conf" update </dev/null || true
  } >>"$2" 2>&1
}

# search_mirrors FOLDER LOG TYPE SUITES COMMAND: what COMMAND FOLDER prints at the first mirror where it
# prints something; leaves the apt set-up of that mirror in FOLDER.
search_mirrors() {
  local folder=$1 log=$2 type=$3 suites=$4 command=$5 uri keyring found
  while IFS=$'\t' read -r uri keyring; do
    write_apt_setup "$folder" "$type" "$suites" "$uri" "$keyring"
    update_lists "$folder" "$log"
    if grep -q NO_PUBKEY "$log" && [[ $(distribution_family) == debian ]]; then
      renew_archive_keys "$log"
      update_lists "$folder" "$log"
    fi
    found=$("$command" "$folder")
    if [[ -n $found ]]; then
      printf '%s\n' "$found"
      return
    fi
  done < <(apt_archives "$(distribution_family)")
}

# A suite younger than this machine's keys: the package of keys that the machine's own release
# offers may be newer than the one installed.
renew_archive_keys() {
  say "a newer suite is signed with a key not known here; updating debian-archive-keyring"
  apt_get update >>"$1" 2>&1 </dev/null || true
  apt_get install -y --no-install-recommends debian-archive-keyring >>"$1" 2>&1 </dev/null || true
}

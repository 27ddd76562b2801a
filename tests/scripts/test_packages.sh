#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Missing packages end the scripts only where Frond cannot be built without them. The system is played: dpkg-query
# and apt-get are small scripts, and the test says whether the user is root.
# shellcheck source-path=SCRIPTDIR disable=SC2154,SC2034,SC2317
. "$(dirname "${BASH_SOURCE[0]}")/checks.sh"
. "$root/scripts/lib/cache.sh"
. "$root/scripts/lib/packages.sh"

# The search path holds no sudo, and only tools that the scripts need.
mkdir "$folder/bin"
for tool in bash cat cut date env find grep mkdir rm sort tail touch; do
  ln -s "$(type -P $tool)" "$folder/bin/$tool"
done
cat >"$folder/bin/dpkg-query" <<'END'
#!/bin/bash
cat "$INSTALLED"
END
cat >"$folder/bin/apt-get" <<'END'
#!/bin/bash
echo "$@" >>"$ASKED"
echo "no network" >&2
exit 100
END
cat >"$folder/bin/apt-cache" <<'END'
#!/bin/bash
echo "  Candidate: 1.0"
END
chmod +x "$folder/bin"/{dpkg-query,apt-get,apt-cache}
export INSTALLED=$folder/installed ASKED=$folder/asked

user_is_root=no
is_root() { [[ $user_is_root == yes ]]; }
frond_packages=(needed-one needed-two)
frond_optional_packages=(useful-one useful-two)

# packages_rc CACHE: the exit status of the installation; what it said is in the file "said".
packages_rc() {
  local status=0
  : >"$ASKED"
  set +e
  (PATH=$folder/bin && set -e && install_packages "$folder/$1") >"$folder/said" 2>&1
  status=$?
  set -e
  printf '%s\n' "$status"
}

printf 'installed needed-one\ninstalled needed-two\ninstalled useful-one\n' >"$INSTALLED"
expect "without root, an optional package may be missing" test "$(packages_rc user)" = 0
expect_lines "$folder/said" 1 1 'going on without useful-two'
expect_lines "$folder/said" 1 1 .
expect_lines "$ASKED" 0 0 .
expect "the second time as well" test "$(packages_rc user)" = 0
expect_lines "$folder/said" 0 0 .

user_is_root=yes
expect "an installation that fails is no error" test "$(packages_rc offline)" = 0
expect_lines "$ASKED" 1 1 'install .*useful-two'
expect_lines "$folder/said" 1 1 'going on without useful-two'
expect "and is not tried again" test "$(packages_rc offline)" = 0
expect_lines "$folder/said" 0 0 .
expect_lines "$ASKED" 0 0 .

printf 'installed needed-one\n' >"$INSTALLED"
expect "a package that is needed is an error offline" test "$(packages_rc needed)" = 3
expect_lines "$folder/said" 1 1 'error: installing 1 package.* failed'
user_is_root=no
expect "and without root" test "$(packages_rc needed)" = 3
expect_lines "$folder/said" 1 1 'error: not root and no sudo; these packages are missing: needed-two$'

# As scripts/setup --reference does.
frond_packages=() frond_optional_packages=(doxygen)
expect "Doxygen may be missing" test "$(packages_rc reference)" = 0
expect_lines "$folder/said" 1 1 'going on without doxygen'

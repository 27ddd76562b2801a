#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# scripts/get_cudss takes one version of cuDSS, and only with its hash. Nothing is fetched: pip is played.
# shellcheck source-path=SCRIPTDIR disable=SC2154
. "$(dirname "${BASH_SOURCE[0]}")/checks.sh"

mkdir "$folder/bin"
cat >"$folder/bin/uname" <<'END'
#!/bin/sh
echo x86_64
END
cat >"$folder/bin/python3" <<'END'
#!/bin/sh
# pip download: what was asked for is kept, and nothing comes.
echo "$@" >"$ASKED"
while [ $# -gt 1 ]; do
  [ "$1" != --requirement ] || cat "$2" >>"$ASKED"
  shift
done
exit 1
END
chmod +x "$folder"/bin/*

get_cudss() { ASKED=$folder/asked PATH=$folder/bin:$PATH "$root/scripts/get_cudss" "$@" >"$folder/said" 2>&1; }

expect "nothing came, which is an error" test "$(get_cudss "$folder/cudss" || echo $?)" = 3
expect_lines "$folder/asked" 1 1 '--require-hashes'
expect_lines "$folder/asked" 1 1 '^nvidia-cudss-cu13==[0-9.]+ --hash=sha256:[0-9a-f]{64}$'
expect "nothing was unpacked" test ! -e "$folder/cudss"

rm "$folder/asked"
expect "another package is refused" test "$(get_cudss "$folder/cudss" nvidia-cudss-cu99 || echo $?)" = 3
expect_lines "$folder/said" 1 1 'no hash is known for nvidia-cudss-cu99 on x86_64'
expect "and not asked for" test ! -e "$folder/asked"

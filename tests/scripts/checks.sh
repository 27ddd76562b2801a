# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# For tests of scripts: the libraries of scripts/lib, a folder that goes away, and checks that end the test.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
. "$root/scripts/lib/say.sh"
. "$root/scripts/lib/cuda.sh"
. "$root/scripts/lib/frond_build.sh"

# expect TEXT COMMAND...: the command must succeed.
expect() {
  local text=$1
  shift
  "$@" || { printf 'failed: %s: %s\n' "$text" "$*" && exit 1; }
}

# expect_lines FILE LEAST MOST PATTERN: so many lines of FILE match.
expect_lines() {
  local count
  count=$(grep -cE -- "$4" "$1" || true)
  [[ $count -ge $2 && $count -le $3 ]] || {
    printf 'failed: %s lines are like "%s", not %s to %s, in:\n' "$count" "$4" "$2" "$3"
    cat "$1"
    exit 1
  }
}

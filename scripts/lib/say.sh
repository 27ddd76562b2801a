# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Messages for people: all on stderr, one line a step; a failure shows the end of its log and the cure.

say() { printf 'frond: %s\n' "$*" >&2; }

# fail TEXT [CURE]: the reason, then what to do about it.
fail() {
  printf 'frond: error: %s\n' "$1" >&2
  [[ $# -lt 2 ]] || printf 'frond: cure: %s\n' "$2" >&2
  exit 3
}

show_end() {
  printf -- '---- the last lines of %s\n' "$1" >&2
  tail -n 25 "$1" >&2
  printf -- '----\n' >&2
}

# step TEXT CURE LOG COMMAND...: run the command with its output appended to LOG.
step() {
  local text=$1 cure=$2 log=$3 start=$SECONDS status
  shift 3
  printf 'frond: %s ... ' "$text" >&2
  printf '\n== %s\n$ %s\n' "$text" "$*" >>"$log"
  set +e # and on again in the subshell: "if command" would leave it off inside functions
  (
    set -e
    "$@"
  ) >>"$log" 2>&1 </dev/null
  status=$?
  set -e
  if [[ $status -eq 0 ]]; then
    printf '%s s\n' "$((SECONDS - start))" >&2
    return
  fi
  printf 'failed\n' >&2
  show_end "$log"
  fail "$text failed" "$cure (whole log: $log)"
}

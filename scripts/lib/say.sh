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

# Seconds after which work that goes on says so.
quiet_seconds=15

# step TEXT CURE LOG COMMAND...: run the command with its output appended to LOG; a failure ends the script.
step() {
  local text=$1 cure=$2 log=$3
  shift 3
  try_step "$text" "$log" "$@"
  [[ $step_status -ne 0 ]] || return 0
  show_end "$log"
  fail "$text failed" "$cure (whole log: $log)"
}

# try_step TEXT LOG COMMAND...: the same, but a failure is only said, and left in step_status. It always returns 0,
# since a function whose status is looked at runs without "set -e", and so does all that it calls.
try_step() {
  local text=$1 log=$2 start=$SECONDS clock
  shift 2
  printf 'frond: %s ... ' "$text" >&2
  tell_time "$text" >/dev/null </dev/null &
  clock=$!
  printf '\n== %s\n$ %s\n' "$text" "$*" >>"$log"
  set +e # and on again in the subshell: "if command" would leave it off inside functions
  (
    set -e
    "$@"
  ) >>"$log" 2>&1 </dev/null
  step_status=$?
  kill "$clock" 2>/dev/null
  wait "$clock" 2>/dev/null
  set -e
  if [[ $step_status -eq 0 ]]; then
    printf '%s s\n' "$((SECONDS - start))" >&2
  else
    printf 'failed\n' >&2
  fi
}

# tell_time TEXT: a line every quiet_seconds, until it is ended or the script is gone.
tell_time() {
  local start=$SECONDS never
  exec {never}<> <(:) # sleep would outlive this process
  while true; do
    read -r -t "$quiet_seconds" -u "$never" || true
    kill -0 $$ 2>/dev/null || return 0
    printf '\nfrond: %s, %s s so far ... ' "$1" "$((SECONDS - start))" >&2
  done
}

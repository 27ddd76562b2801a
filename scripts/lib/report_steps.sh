# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Steps of a measurement: each under a time limit, with a log of its own; a failed one is reported, and the others
# still run. Sets steps_folder, steps_failed, steps_table, step_process.

# begin_steps FOLDER: logs go there.
begin_steps() {
  steps_folder=$1 steps_failed=0 steps_number=0 step_process=''
  steps_table=$(printf '%-46s %9s  %s' step seconds result)
}

# note_step NAME SECONDS RESULT: a line of the table.
note_step() { steps_table+=$'\n'$(printf '%-46s %9s  %s' "$1" "$2" "$3"); }

# leave_out NAME REASON: not a failure.
leave_out() {
  say "$1: left out, $2"
  note_step "$1" - "left out: $2"
}

# fail_step NAME REASON: found out after the step.
fail_step() {
  steps_failed=$((steps_failed + 1))
  say "$1: $2"
  note_step "$1" - "failed: $2"
}

# end_step: for traps; the step under way ends, and its log is shown.
end_step() {
  [[ -n $step_process ]] || return 0
  kill "$step_process" 2>/dev/null || true
  fail_step "$step_name" "interrupted"
  show_end "$step_log"
}

# run_step NAME LIMIT_SECONDS PATTERN COMMAND...: output in step_log. It has passed when it ends with exit code 0,
# and a line of its output matches the extended regular expression.
run_step() {
  local name=$1 limit=$2 pattern=$3 start=$SECONDS status=0 result=passed
  shift 3
  steps_number=$((steps_number + 1))
  step_log=$steps_folder/$steps_number.log
  say "$name"
  step_name=$name
  # In the background: a trap waits for the end of what is in the foreground.
  timeout --kill-after=10 "$limit" "$@" >"$step_log" 2>&1 </dev/null &
  step_process=$!
  wait "$step_process" || status=$?
  step_process=''
  case $status in
    0) grep -qE -- "$pattern" "$step_log" || result="failed: no line of its output is like '$pattern'" ;;
    124 | 137) result="failed: it took more than $limit s" ;;
    *) result="failed with exit code $status" ;;
  esac
  note_step "$name" $((SECONDS - start)) "$result"
  [[ $result != passed ]] || return 0
  steps_failed=$((steps_failed + 1))
  say "$name: $result"
  show_end "$step_log"
  return 1
}

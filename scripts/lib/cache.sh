# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# The folder that the scripts own between runs: StarPU, its sources' lists, logs.

frond_cache() {
  if [[ -n ${FROND_CACHE:-} ]]; then
    printf '%s\n' "$FROND_CACHE"
  elif [[ -n ${XDG_CACHE_HOME:-} ]]; then
    printf '%s\n' "$XDG_CACHE_HOME/frond"
  elif [[ -n ${HOME:-} ]]; then
    printf '%s\n' "$HOME/.cache/frond"
  else
    fail "no folder for the cache: HOME is not set" "set FROND_CACHE to a folder"
  fi
}

# new_log CACHE NAME: path of a fresh log; the ten newest are kept.
new_log() {
  local folder=$1/log
  mkdir -p "$folder"
  find "$folder" -name '*.log' -printf '%T@ %p\n' | sort -rn | tail -n +10 | cut -d' ' -f2- |
    while IFS= read -r old; do rm -f "$old"; done
  printf '%s/%s-%s.log\n' "$folder" "$2" "$(date +%Y%m%d-%H%M%S)"
}

# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: BSD-3-Clause
# Which StarPU to use: the one named by FROND_STARPU_PREFIX, the system's if it is good enough, else
# our own, built when it is not there yet.

# find_or_build_starpu CACHE: sets starpu_prefix; for plain CMake, CACHE/starpu links to our own.
find_or_build_starpu() {
  local cache=$1 reasons cuda hash
  if [[ -n ${FROND_STARPU_PREFIX:-} ]]; then
    starpu_pkg_config "$FROND_STARPU_PREFIX" --exists "starpu-1.4 >= $starpu_minimum" 2>/dev/null ||
      fail "no StarPU 1.4 of version $starpu_minimum or later in FROND_STARPU_PREFIX=$FROND_STARPU_PREFIX" \
        "unset it, and one is built"
    starpu_prefix=$FROND_STARPU_PREFIX
    return
  fi
  reasons=$(starpu_shortcomings "")
  if [[ -z $reasons ]]; then
    starpu_prefix=$(starpu_pkg_config "" --variable=prefix starpu-1.4)
    return
  fi
  cuda=$(cuda_folder)
  hash=$(starpu_recipe_hash "$cuda")
  [[ -n $(starpu_built_prefix "$cache" "$hash") ]] || say "no StarPU on the system that will do: $reasons"
  make_starpu "$cache" "$hash" "$cuda"
  [[ $cache/starpu -ef $starpu_prefix ]] || ln -sfn "$starpu_prefix" "$cache/starpu"
}

# make_starpu CACHE HASH CUDA: sets starpu_prefix to the StarPU of that recipe, built when it is not there yet. One build
# at a time; whoever waited finds it done.
make_starpu() {
  starpu_prefix=$(starpu_built_prefix "$1" "$2")
  [[ -z $starpu_prefix ]] || return 0
  exec 9>"$1/lock"
  flock 9
  starpu_prefix=$(starpu_built_prefix "$1" "$2")
  if [[ -z $starpu_prefix ]]; then
    build_starpu "$1" "$2" "$3"
    starpu_prefix=$(starpu_built_prefix "$1" "$2")
  fi
  exec 9>&-
}

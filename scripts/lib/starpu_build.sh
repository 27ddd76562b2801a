# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: BSD-3-Clause
# Build StarPU into the cache: find, unpack, patch, configure, compile, install, try.

# build_starpu CACHE HASH CUDA_FOLDER: the new prefix appears whole or not at all.
build_starpu() {
  local cache=$1 hash=$2 cuda=$3 log apt work versions version prefix
  log=$(new_log "$cache" starpu)
  apt=$cache/apt
  work=$cache/build/starpu-$hash
  command -v apt-get >/dev/null || fail "no apt here to fetch StarPU's source with" \
    "install StarPU >= $starpu_minimum yourself and set FROND_STARPU_PREFIX to its prefix"
  rm -rf "$work"
  mkdir -p "$apt" "$work"
  say "StarPU is built once, in about two minutes; log: $log"
  [[ -e /usr/include/fxt/fxt.h ]] || say "libfxt-dev is missing: this StarPU will write no traces"
  { printf '== what apt is set up with\n' && apt_entries; } >"$log"

  mapfile -t versions < <(find_starpu_source "$apt" "$log")
  [[ ${#versions[@]} -gt 0 ]] || {
    show_end "$log"
    fail "no source of StarPU >= $starpu_minimum on the mirrors that apt is set up with" \
      "check the network and apt's sources, or set FROND_STARPU_PREFIX to a StarPU of yours (whole log: $log)"
  }
  step "fetching StarPU's source (${versions[0]})" "check the network, then run again" "$log" \
    unpack_starpu_source "$apt" "$work" "${versions[@]}"
  version=$(<"$work/version")
  prefix=$cache/starpu-${version%%[+-]*}-$hash

  local cure="see the log; or set FROND_STARPU_PREFIX to a StarPU of yours"
  [[ -z $cuda ]] || cure="see the log; FROND_STARPU_CUDA=off builds without CUDA"
  step "patching StarPU $version" "$cure" "$log" starpu_patch "$work/source"
  [[ $starpu_use != simulate ]] ||
    step "patching it for simulations" "$cure" "$log" starpu_patch_simulation "$work/source"
  step "configuring it${cuda:+ with the CUDA of $cuda}" "$cure" "$log" \
    configure_starpu "$work" "$prefix" "$cuda"
  step "compiling it" "$cure" "$log" make -C "$work/build" -j "${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}"
  step "installing it in $prefix" "$cure" "$log" install_starpu "$work" "$prefix"
  if [[ $starpu_use == simulate ]]; then
    step "trying it" "$cure" "$log" try_simulation "$work" "$prefix"
  else
    step "trying it" "$cure" "$log" try_starpu "$work" "$prefix"
  fi
  touch "$prefix/.complete"
  rm -rf "$work" "$apt"
}

configure_starpu() {
  local work=$1 prefix=$2 cuda=$3 options
  mapfile -t options < <(starpu_configure_options "$cuda")
  mkdir "$work/build"
  cd "$work/build" || return
  if [[ -n $cuda ]]; then
    # The toolkit may lie where the loader does not look.
    export LDFLAGS="${LDFLAGS:-} -Wl,-rpath,$cuda/lib64"
    export ac_cv_header_cublasLt_h=no ac_cv_lib_cublasLt_cublasLtCreate=no
    export ac_cv_lib_cusparse_cusparseCreate=no ac_cv_lib_cusolver_cusolverDnCreate=no
  fi
  # Open MPI refuses to run as root, even to answer a question.
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  ../source/configure --prefix="$prefix" "${options[@]}"
}

# Into a staging folder first: an interrupted copy must not look like a StarPU.
install_starpu() {
  make -C "$1/build" install DESTDIR="$1/stage"
  rm -rf "$2"
  mv "$1/stage$2" "$2"
}

# A few tasks on two CPU workers, as a program of ours would run them.
try_starpu() {
  local flags
  read -ra flags <<<"$(starpu_pkg_config "$2" --cflags --libs starpu-1.4)"
  cc -w -o "$1/try" "$frond_scripts/lib/try_starpu.c" "${flags[@]}" -Wl,-rpath,"$2/lib"
  STARPU_HOME=$1 STARPU_NCPU=2 STARPU_NCUDA=0 timeout 120 "$1/try"
}

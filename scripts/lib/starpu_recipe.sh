# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: BSD-3-Clause
# How our StarPU is configured, and the prefix that follows from it.
# Changing anything here gives a new prefix; the old one stays until someone deletes it.

starpu_options=(
  --enable-shared --disable-static --disable-dependency-tracking --enable-silent-rules
  --enable-maxcpus=128 --enable-maxbuffers=32 --enable-maxnumanodes=2
  --enable-mlr                       # performance models by regression on several parameters
  --disable-fstack-protector-all     # on by default, costs on every call
  --disable-full-gdb-information --disable-papi --disable-valgrind
  --disable-opencl --disable-starpufft --disable-socl --disable-openmp --disable-hdf5
  --disable-starpupy --disable-fortran
  --disable-build-doc --disable-build-tests --disable-build-examples
)

# What this StarPU is for: run tasks, or simulate them (StarPU-SimGrid, which needs neither CUDA nor MPI).
starpu_use=run

# starpu_configure_options CUDA_FOLDER: all options but the prefix, one a line.
starpu_configure_options() {
  printf '%s\n' "${starpu_options[@]}"
  if [[ $starpu_use == simulate ]]; then
    printf '%s\n' --enable-simgrid --disable-mpi --enable-maxcudadev=8
  elif [[ -n $1 ]]; then
    printf '%s\n' --enable-cuda "--with-cuda-dir=$1" "--enable-maxcudadev=$(cuda_devices)"
  else
    printf '%s\n' --disable-cuda
  fi
}

# distribution_release: "debian 13"; a point release changes os-release, but no library's name.
distribution_release() {
  # shellcheck disable=SC1091
  (. /etc/os-release && echo "${ID:-} ${VERSION_ID:-${VERSION_CODENAME:-}}")
}

# starpu_recipe_hash CUDA_FOLDER: eight digits that change with anything the build depends on.
starpu_recipe_hash() {
  {
    starpu_configure_options "$1"
    cat "$frond_scripts/lib/starpu_patch.sh"
    [[ $starpu_use != simulate ]] || cat "$frond_scripts/lib/starpu_patch_simulation.sh"
    distribution_release
    uname -m
    [[ -z $1 ]] || "$1/bin/nvcc" --version
    [[ -e /usr/include/fxt/fxt.h ]] && echo fxt
    command -v mpicc >/dev/null || echo "no MPI" # configure takes MPI where it finds it
  } | sha256sum | cut -c1-8
}

# starpu_built_prefix CACHE HASH: the newest complete StarPU of this recipe, or nothing.
starpu_built_prefix() {
  local stamps=("$1"/starpu-*-"$2"/.complete)
  [[ -e ${stamps[0]} ]] || return 0
  dirname "$(printf '%s\n' "${stamps[@]}" | sort -V | tail -n 1)"
}

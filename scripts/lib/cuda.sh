# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# The CUDA toolkit, if there is one; FROND_STARPU_CUDA=off leaves it out.

# cuda_folder: the toolkit's folder, or nothing.
cuda_folder() {
  [[ ${FROND_STARPU_CUDA:-auto} != off ]] || return 0
  local nvcc
  nvcc=$(command -v nvcc || true)
  if [[ -z $nvcc && -x ${CUDA_HOME:-/usr/local/cuda}/bin/nvcc ]]; then
    nvcc=${CUDA_HOME:-/usr/local/cuda}/bin/nvcc
  fi
  [[ -n $nvcc ]] || return 0
  dirname "$(dirname "$(readlink -f "$nvcc")")"
}

# cuda_devices: how many cards StarPU has to be able to drive; StarPU's own default is 4.
cuda_devices() {
  local cards=(/proc/driver/nvidia/gpus/*)
  [[ -e ${cards[0]} ]] || cards=()
  if [[ ${#cards[@]} -gt 4 ]]; then
    printf '%s\n' "${#cards[@]}"
  else
    printf '4\n'
  fi
}

# What an NVIDIA card with its driver shows, the last one on Windows' Linux; cmake/FrondDevices.cmake has the same.
frond_card_files=('/proc/driver/nvidia/gpus/*' '/dev/nvidia[0-9]*' /dev/dxg)

# card_is_here: whether this machine, or container, has an NVIDIA card.
card_is_here() {
  local pattern
  for pattern in "${frond_card_files[@]}"; do
    ! compgen -G "$pattern" >/dev/null || return 0
  done
  return 1
}

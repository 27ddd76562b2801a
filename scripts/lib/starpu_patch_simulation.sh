# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# What we change in the source of the StarPU that simulates, beside starpu_patch.sh: two runs shall be the same.

# starpu_patch_simulation SOURCE
starpu_patch_simulation() {
  patch_order_of_data "$1"
  patch_seed "$1"
}

# A task takes its data in the order of their addresses, and where threads of the analysis ran, these are others in
# every run. Here it takes them in the order in which they were registered. The index among siblings means nothing for
# data that are part of no other data.
patch_order_of_data() {
  local sort=$1/src/datawizard/sort_data_handles.c data=$1/src/datawizard/interfaces/data_interface.c
  sed -i 's/return (dataA->root_handle < dataB->root_handle)?-1:1;/return (dataA->root_handle->sibling_index < dataB->root_handle->sibling_index)?-1:1;/' \
    "$sort"
  sed -i 's|^\(\s*\)//handle->sibling_index = 0; .* could be anything for the root .*$|\1static unsigned registered; handle->sibling_index = registered++;|' \
    "$data"
  if ! grep -q 'root_handle->sibling_index < ' "$sort" || ! grep -q 'sibling_index = registered++' "$data"; then
    echo "the order in which StarPU's tasks take their data has changed" >&2
    return 1
  fi
}

# The scheduler named random draws other numbers in every second.
patch_seed() {
  local policy=$1/src/sched_policies/random_policy.c
  sed -i 's/starpu_srand48(time(NULL));/starpu_srand48(1);/' "$policy"
  if ! grep -q 'starpu_srand48(1);' "$policy"; then
    echo "the seed of StarPU's random scheduler has changed" >&2
    return 1
  fi
}

# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# What we change in the source of StarPU-SimGrid before the build, beside starpu_patch.sh.

# starpu_patch_simulation SOURCE
starpu_patch_simulation() {
  patch_wakes "$1"
}

# For each task that is pushed, lws wakes every worker, and prio tries one after the other until one had slept. Each try
# takes locks, at which SimGrid switches between threads: with 64 workers a third of a simulation's time. A core that
# runs a task needs no waking, since it looks for the next one afterwards; and threads of a simulation are turns of one,
# which do not change while this is read.
patch_wakes() {
  local workers=$1/src/core/workers.c
  sed -i '/^int starpu_wake_worker_relax_light(int workerid)$/,/^}$/ s/^\(\s*\)int cur_workerid = starpu_worker_get_id();$/\1if (worker->arch == STARPU_CPU_WORKER \&\& (worker->status \& STATUS_EXECUTING)) return 0; \/* it looks for the next task *\/\n&/' \
    "$workers"
  if [[ $(grep -c 'return 0; /\* it looks for the next task \*/$' "$workers") -ne 1 ]]; then
    echo "how StarPU wakes workers has changed" >&2
    return 1
  fi
}

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <starpu.h>

namespace frond::gpu {

/// Seconds of a task on a CPU worker and on a device worker, for the scheduler: latency plus flops (as
/// its arguments say), or plus the bytes of its buffers, over a rate. Coefficients are those of one card
/// and one core (docs/gpu.md); what matters is their order of magnitude, a factor of hundreds apart.
starpu_perfmodel* cost_by_flops();
starpu_perfmodel* cost_by_bytes();
/// Of factor_subtree.
starpu_perfmodel* cost_of_subtree();

}  // namespace frond::gpu

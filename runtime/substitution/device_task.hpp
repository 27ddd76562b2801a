// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <starpu.h>

#include <functional>

#include "factors/factors_state.hpp"
#include "frond/gpu/devices.hpp"

namespace frond::detail {

/// What a task does: sweeps through the tree, with so many right-hand sides. None: it prepares them.
struct DeviceSweeps {
    index_t rhs = 0, sweeps = 0;
};

/// Runs `body` as one task on the worker of the device, with the parts of the factors as its data, and waits for it. So
/// whatever uses the device takes turns with it, and traces show it. What the body throws comes out here. The body waits
/// for its kernels; it neither submits tasks nor loops on workers, and acquires no data.
/// codelet: prepare_solve or solve_piece. Inside a job.
/// @throws DeviceError  also where the device is lost; OutOfMemory, RuntimeError
template <class T>
void run_on_device(const FactorsState<T>& state, const gpu::Device& device, starpu_codelet& codelet, DeviceSweeps work,
                   const std::function<void()>& body);

}  // namespace frond::detail

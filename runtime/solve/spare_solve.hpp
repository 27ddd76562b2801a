// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "frond/gpu/resident_solve.hpp"
#include "session/session_state.hpp"

namespace frond::detail {

/// What solves on the device with factors that went leave for factors of the same analysis: tables, lists, vectors, and
/// the memory of inverses and matrix.
template <class T>
struct SpareSolve final : DeviceWorkspace {
    std::shared_ptr<const Analysis> analysis;
    int device = 0;
    count_t bytes = 0;  // without factors
    std::unique_ptr<gpu::ResidentSolve<T>> solve;

    count_t device_bytes() const noexcept override { return bytes; }
    const void* subject() const noexcept override { return analysis.get(); }
};

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "frond/gpu/devices.hpp"
#include "frond/gpu/resident_solve.hpp"
#include "frond/solver.hpp"

namespace frond::detail {

template <class T>
class FactorsState;

/// Whether solves with these factors can run on the session's first device, with how many right-hand sides at once, and
/// whether that is expected to be quicker.
template <class T>
class DeviceFit {
public:
    /// At once on a device, at most; and for how many there is room at least, where there is as much.
    static constexpr index_t most_rhs = 64, least_rhs = 8;

    /// plan: of the analysis; made and kept by the caller. Cost: O(fronts).
    DeviceFit(const FactorsState<T>& state, const std::optional<gpu::Device>& device, const gpu::ResidentPlan* plan);

    /// Why none can, whatever the options and the pivots; empty: one can.
    const std::string& why_none() const noexcept { return why_none_; }
    /// Empty when such a solve can run there, else the reason why not.
    std::string why_not(const SolveOptions& options) const;
    /// Only where one can run there.
    bool pays() const;
    /// Beside so many bytes that others hold; 0: there is no room.
    index_t rhs_that_fit(count_t others) const;

    count_t factor_bytes() const noexcept { return factor_bytes_; }
    /// The bytes of the factors and of a solve with room for so many right-hand sides, without its matrix.
    count_t bytes(index_t rhs) const noexcept;

private:
    const FactorsState<T>& state_;
    count_t device_bytes_ = 0, factor_bytes_ = 0;
    gpu::ResidentBytes solve_{};
    std::string why_none_;
};

}  // namespace frond::detail

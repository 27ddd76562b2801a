// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <starpu.h>

#include <vector>

#include "frond/codelets/starpu_start.hpp"
#include "frond/gpu/devices.hpp"
#include "frond/gpu/front_factor_views.hpp"

namespace frond::detail {

template <class T>
class TreeFactors;

/// All factors on one device, where StarPU neither evicts nor moves them, while this lives: by reading access.
template <class T>
class HeldFactors {
public:
    HeldFactors(const TreeFactors<T>& factors, const gpu::Device& device);
    HeldFactors(const HeldFactors&) = delete;
    HeldFactors& operator=(const HeldFactors&) = delete;
    ~HeldFactors() { let_go(); }

    /// As analysis->tree.fronts.
    const std::vector<gpu::FrontFactorViews<T>>& fronts() const noexcept { return fronts_; }

private:
    void hold_parts(const TreeFactors<T>& factors);
    void hold_handles(const TreeFactors<T>& factors);
    void hold_subtree(const TreeFactors<T>& factors, std::size_t number);
    void hold_tiles(const TreeFactors<T>& factors, std::size_t front, index_t grid);
    void* hold(starpu_data_handle_t handle);
    void let_go() noexcept;
    int node() const { return static_cast<int>(node_); }

    unsigned node_;
    StarpuStart start_;
    std::vector<starpu_data_handle_t> held_;
    std::vector<starpu_data_handle_t> copied_;  // of those, whose own memory is elsewhere
    std::vector<gpu::FrontFactorViews<T>> fronts_;
};

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <starpu.h>

#include <vector>

#include "frond/codelets/starpu_start.hpp"
#include "frond/gpu/devices.hpp"
#include "frond/gpu/front_factor_views.hpp"

namespace frond::detail {

template <class T>
class FactorsState;

/// All factors on one device, where StarPU neither evicts nor moves them, while this lives: by reading access, unless
/// they have their home there.
template <class T>
class HeldFactors {
public:
    HeldFactors(const FactorsState<T>& state, const gpu::Device& device);
    HeldFactors(const HeldFactors&) = delete;
    HeldFactors& operator=(const HeldFactors&) = delete;
    ~HeldFactors() { let_go(); }

    /// Where factors are whose home is the memory of that node, which nobody has to hold. As analysis->tree.fronts.
    static std::vector<gpu::FrontFactorViews<T>> at_home(const FactorsState<T>& state, unsigned node);

    /// As analysis->tree.fronts.
    const std::vector<gpu::FrontFactorViews<T>>& fronts() const noexcept { return fronts_; }

private:
    HeldFactors(const FactorsState<T>& state, unsigned node, bool at_home);
    void hold_subtree(const FactorsState<T>& state, std::size_t number);
    void hold_tiles(const FactorsState<T>& state, std::size_t front, index_t grid);
    void* hold(starpu_data_handle_t handle);
    void let_go() noexcept;
    int node() const { return static_cast<int>(node_); }

    unsigned node_;
    bool at_home_;
    StarpuStart start_;
    std::vector<starpu_data_handle_t> held_;
    std::vector<gpu::FrontFactorViews<T>> fronts_;
};

}  // namespace frond::detail

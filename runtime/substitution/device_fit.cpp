// SPDX-License-Identifier: BSD-3-Clause
#include "substitution/device_fit.hpp"

#include <algorithm>

#include "factors/factors_state.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/codelets/rates.hpp"

namespace frond::detail {
namespace {

/// Fronts with columns from a second pass are solved by tasks of their own on the host.
template <class T>
bool has_second_passes(const FactorsState<T>& state) {
    if (state.factors.layout != nullptr) return false;  // whole trees on devices have none
    return std::any_of(state.factors.tiled().begin(), state.factors.tiled().end(),
                       [](const auto& t) { return t != nullptr && t->has_second_pass(); }) ||
           std::any_of(state.factors.subtrees().begin(), state.factors.subtrees().end(), [](const auto& s) {
               return !s.pivots->second_passes.empty() || s.pivots->second_passes.delayed.bytes() > 0;
           });
}

template <class T>
count_t bytes_of_factors(const FactorsState<T>& state) {
    count_t scalars = 0;
    for (const Subtree& s : state.analysis->mapping.subtrees) scalars += s.factor_scalars;
    count_t bytes = scalars * static_cast<count_t>(sizeof(T));
    for (const TileGrid& grid : state.analysis->mapping.grids) bytes += TiledFront<T>::bytes(grid, state.kind()).own;
    return bytes;
}

}  // namespace

template <class T>
DeviceFit<T>::DeviceFit(const FactorsState<T>& state, const std::optional<gpu::Device>& device,
                        const gpu::ResidentPlan* plan)
    : state_(state), factor_bytes_(bytes_of_factors(state)) {
    if (!state.session->has_devices())
        why_none_ = "the session has no device";
    else if (!device)
        why_none_ = "StarPU has no worker for the session's devices";
    else if (state.analysis->order == 0)
        why_none_ = "the matrix is empty";
    else if (state.system.dense())
        why_none_ = "the matrix is dense, and its factors are tiles of the host";
    if (!why_none_.empty()) return;
    device_bytes_ = device->memory_bytes;
    if (state.rest_of_tree) device_bytes_ = std::max<count_t>(0, device_bytes_ - state.rest_of_tree->device_bytes);
    solve_ = gpu::resident_bytes(*state.analysis, *plan, static_cast<count_t>(sizeof(T)));
    if (rhs_that_fit(0) == 0) why_none_ = "the factors and what a solve needs in addition do not fit";
}

/// A fifth of the device stays free for what else StarPU has there.
template <class T>
index_t DeviceFit<T>::rhs_that_fit(count_t others) const {
    constexpr count_t used_parts = 4, parts = 5;
    const count_t room = device_bytes_ / parts * used_parts - others - bytes(0);
    return room < solve_.vectors ? 0 : static_cast<index_t>(std::min<count_t>(room / solve_.vectors, most_rhs));
}

template <class T>
count_t DeviceFit<T>::bytes(index_t rhs) const noexcept {
    return factor_bytes_ + solve_.inverses + solve_.tables + rhs * solve_.vectors;
}

template <class T>
std::string DeviceFit<T>::why_not(const SolveOptions& options) const {
    if (!why_none_.empty()) return why_none_;
    if (has_second_passes(state_)) return "columns were set back by threshold pivoting";
    if (options.part != SolvePart::all) return "only whole solves run on the device";
    return "";
}

template <class T>
bool DeviceFit<T>::pays() const {
    const auto factors = static_cast<double>(factor_bytes_);
    const double vectors = static_cast<double>(state_.analysis->order) * sizeof(T);
    return solve_seconds_on_device(rates(), factors, vectors, solve_.phases) <
           solve_seconds_on_cores(rates(), factors, state_.session->cpu_workers());
}

#define FROND_INSTANTIATE(T) template class DeviceFit<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

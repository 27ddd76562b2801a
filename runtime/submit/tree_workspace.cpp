// SPDX-License-Identifier: BSD-3-Clause
#include "submit/tree_workspace.hpp"

#include <limits>

#include "data/place_factors.hpp"
#include "frond/base/instantiate.hpp"

namespace frond::detail {
namespace {

template <class T>
bool fits(const TreeWorkspace<T>& workspace, count_t room_bytes) {
    return workspace.resident == nullptr || bytes_on_device(workspace) <= room_bytes;
}

template <class T>
void plan(TreeWorkspace<T>& workspace, const gpu::DevicePlace& device, count_t most_bytes) {
    workspace.resident = std::make_unique<gpu::ResidentFactorization<T>>(device.device, device.memory_node,
                                                                         workspace.of, most_bytes);
}

}  // namespace

template <class T>
std::unique_ptr<TreeWorkspace<T>> tree_workspace(const FactorsState<T>& state, const gpu::DevicePlace& device,
                                                 count_t room_bytes) {
    std::unique_ptr<DeviceWorkspace> kept = state.session->take_workspace();
    if (auto* const same = dynamic_cast<TreeWorkspace<T>*>(kept.get());
        same != nullptr && same->of == state.analysis && fits(*same, room_bytes)) {
        static_cast<void>(kept.release());
        return std::unique_ptr<TreeWorkspace<T>>(same);
    }
    kept.reset();  // its memory first
    auto workspace = std::make_unique<TreeWorkspace<T>>();
    workspace->of = state.analysis;
    plan(*workspace, device, std::numeric_limits<count_t>::max() / 4);
    if (fits(*workspace, room_bytes)) return workspace;
    const count_t beside_factors = room_bytes - factor_bytes_on_device<T>(*state.analysis);
    if (beside_factors > 0) plan(*workspace, device, beside_factors);
    if (fits(*workspace, room_bytes) && workspace->resident->host_bytes() == 0) return workspace;
    workspace->factors_on_host = true;
    plan(*workspace, device, room_bytes);
    return workspace;
}

template <class T>
count_t bytes_on_device(const TreeWorkspace<T>& workspace) {
    const count_t factors = workspace.factors_on_host ? 0 : factor_bytes_on_device<T>(*workspace.of);
    return factors + workspace.resident->bytes();
}

template <class T>
count_t bytes_on_host(const TreeWorkspace<T>& workspace, const PeakPrediction& predicted) {
    return (workspace.factors_on_host ? predicted.factor_bytes : 0) + workspace.resident->host_bytes();
}

#define FROND_INSTANTIATE(T)                                                                                      \
    template std::unique_ptr<TreeWorkspace<T>> tree_workspace<T>(const FactorsState<T>&, const gpu::DevicePlace&, \
                                                                 count_t);                                        \
    template count_t bytes_on_device<T>(const TreeWorkspace<T>&);                                                 \
    template count_t bytes_on_host<T>(const TreeWorkspace<T>&, const PeakPrediction&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

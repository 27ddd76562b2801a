// SPDX-License-Identifier: BSD-3-Clause
#include "factor_piece.hpp"

#include "frond/base/instantiate.hpp"
#include "frond/codelets/task_kind.hpp"

#include <map>
#include <mutex>
#include <utility>

namespace frond {

/// StarPU has the nodes of buffers in the codelet, so that there is one for each shape of a task. It stays: StarPU may
/// read it after the task.
template <class T>
starpu_codelet& factor_piece_codelet(std::size_t on_host, std::size_t others) {
    static TaskKind kind("factor_piece", 0x1D3557, TaskModel::Work::piece, relative_speed<T>, nullptr,
                         gpu::factor_piece<T>);
    if (on_host == 0) return kind.codelet;
    static std::mutex mutex;
    using Shapes = std::map<std::pair<std::size_t, std::size_t>, std::pair<starpu_codelet, std::vector<int>>>;
    static Shapes& shapes = *new Shapes;
    const std::lock_guard lock(mutex);
    const auto [found, is_new] = shapes.try_emplace({on_host, others}, kind.codelet, std::vector<int>());
    auto& [codelet, nodes] = found->second;
    if (is_new) {
        nodes.assign(on_host, STARPU_SPECIFIC_NODE_CPU);
        nodes.resize(on_host + others, STARPU_SPECIFIC_NODE_LOCAL);
        codelet.specific_nodes = 1;
        codelet.dyn_nodes = nodes.data();
    }
    return codelet;
}

#define FROND_INSTANTIATE(T) template starpu_codelet& factor_piece_codelet<T>(std::size_t, std::size_t);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

starpu_codelet& bring_piece_codelet() {
    static TaskKind kind("bring_piece", 0xA8DADC, TaskModel::Work::bytes, 1, nullptr, gpu::bring_piece);
    return kind.codelet;
}

starpu_codelet& store_part_codelet() {
    constexpr int on_host = 1;
    static TaskKind kind("store_part", 0xA8DADC, TaskModel::Work::bytes, 1, nullptr, gpu::store_part,
                         DeviceRun::until_done, on_host);
    return kind.codelet;
}

}  // namespace frond

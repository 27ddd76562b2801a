// SPDX-License-Identifier: BSD-3-Clause
#include "factor_piece.hpp"

#include <array>
#include <map>
#include <mutex>

#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/codelets/task_kind.hpp"

namespace frond {
namespace {

constexpr std::size_t most_on_host = 4096, most_buffers = 8192;

/// Memory nodes of buffers, the first most_on_host on the host. A codelet has the end of these from where as many of
/// its buffers are on the host.
const int* nodes_of_buffers(std::size_t on_host) {
    static const auto nodes = [] {
        std::array<int, most_on_host + most_buffers> all{};
        for (std::size_t b = 0; b < all.size(); ++b)
            all[b] = b < most_on_host ? STARPU_SPECIFIC_NODE_CPU : STARPU_SPECIFIC_NODE_LOCAL;
        return all;
    }();
    return nodes.data() + (most_on_host - on_host);
}

}  // namespace

template <class T>
starpu_codelet& factor_piece_codelet(index_t on_host) {
    static TaskKind kind("factor_piece", 0x1D3557, TaskModel::Work::piece, relative_speed<T>, nullptr,
                         gpu::factor_piece<T>);
    if (on_host == 0) return kind.codelet;
    const auto number = static_cast<std::size_t>(on_host);
    FROND_EXPECTS(number <= most_on_host, "a piece has more than 4096 parts in the host's memory");
    static std::mutex mutex;
    static std::map<std::size_t, starpu_codelet> others;
    const std::lock_guard lock(mutex);
    const auto [found, is_new] = others.try_emplace(number, kind.codelet);
    if (is_new) {
        found->second.specific_nodes = 1;
        found->second.dyn_nodes = const_cast<int*>(nodes_of_buffers(number));  // which StarPU reads
    }
    return found->second;
}

#define FROND_INSTANTIATE(T) template starpu_codelet& factor_piece_codelet<T>(index_t);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond

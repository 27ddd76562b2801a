// SPDX-License-Identifier: BSD-3-Clause
#include "submit/whole_tree/core_pivots.hpp"

#include <algorithm>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::detail {

/// The list has its length before there are handles: objects must not move.
template <class T>
void make_core_pivots(TreeWorkspace<T>& workspace) {
    const AssemblyTree& tree = workspace.failed.analysis()->tree;
    const std::vector<gpu::TreePiece>& pieces = workspace.resident->pieces();
    const auto of_device = std::find_if(pieces.begin(), pieces.end(), [](const gpu::TreePiece& piece) {
        return piece.device != gpu::TreePiece::on_cores;
    });
    workspace.core_pivot_handles.clear();
    workspace.core_pivots.resize(static_cast<std::size_t>(of_device - pieces.begin()));
    for (std::size_t p = 0; p < workspace.core_pivots.size(); ++p) {
        const Front& last = tree.fronts[at(pieces[p].last_front)];
        cpu::PiecePivots<T>& pivots = workspace.core_pivots[p];
        pivots.first_column = tree.fronts[at(pieces[p].first_front)].first_column;
        pivots.perm.resize(at(last.first_column + last.npiv - pivots.first_column));
        workspace.core_pivot_handles.push_back(DataHandle::object(pivots));
    }
}

template <class T>
bool take_core_pivots(TreeWorkspace<T>& workspace, const PivotRule& rule) {
    for (std::size_t p = 0; p < workspace.core_pivots.size(); ++p) {
        const cpu::PiecePivots<T>& pivots = workspace.core_pivots[p];
        const bool is_small = rule.threshold > 0 && !(pivots.report.sizes.smallest > rule.zero_pivot);
        if (!pivots.are_good || is_small) return false;
        workspace.resident->put_pivots(static_cast<index_t>(p), pivots);
    }
    return true;
}

#define FROND_INSTANTIATE(T)                              \
    template void make_core_pivots<T>(TreeWorkspace<T>&); \
    template bool take_core_pivots<T>(TreeWorkspace<T>&, const PivotRule&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

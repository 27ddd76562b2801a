// SPDX-License-Identifier: BSD-3-Clause
// Blocks of columns as the fronts that kernels work on.
#include "factor/shared_front/column_blocks.hpp"

#include <algorithm>
#include <cstdint>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::gpu {

template <class T>
count_t ColumnBlocks<T>::eliminated_blocks(const TreePlan<T>& plan, index_t fronts) {
    count_t blocks = 0;
    for (index_t f = 0; f < fronts; ++f)
        blocks += plan.tree.shared()[at(f)].tail + (plan.tree.shared()[at(f)].has_tail() ? 1 : 0);
    return blocks;
}

/// An address such that each column is at its position in the whole front.
template <class T>
DenseFront<T> ColumnBlocks<T>::view(const SharedFront& shared, const ColumnsRun::Block& block) const {
    const index_t b = block.number, joined = shared.blocks();
    DenseFront<T> front = plan_.squares[at(shared.first_square)];
    front.order = plan_.analysis.tree.fronts[at(shared.front)].nfront;
    front.first = shared.cut[at(b == joined ? shared.tail : b)];
    front.npiv = std::min(front.first + shared.columns(b), plan_.analysis.tree.fronts[at(shared.front)].npiv);
    front.missing = front.order - front.first - shared.columns(b);
    front.data =
        reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(block.begin) - at(front.first * front.ld) * sizeof(T));
    const count_t column = plan_.analysis.tree.fronts[at(shared.front)].first_column;
    front.pivots = tables_.pivots() + (has_block_diagonal(kind_) ? 2 * column : column);
    if (plan_.perm_size() == 0) return front;
    front.perm = tables_.perm() + column;
    front.marks = tables_.marks().data() + column;
    return front;
}

template <class T>
DenseFront<T> ColumnBlocks<T>::panel_view(const SharedFront& shared, const ColumnsRun::Block& block) const {
    DenseFront<T> panel = view(shared, block);
    const count_t columns = shared.columns(block.number);
    T* const pivots = reinterpret_cast<T*>(block.begin) + round_up_8(panel.ld * columns);
    panel.pivots = pivots - 2 * panel.first;
    panel.perm = reinterpret_cast<index_t*>(pivots + 2 * columns) - panel.first;
    return panel;
}

#define FROND_INSTANTIATE(T)                                                                          \
    template count_t ColumnBlocks<T>::eliminated_blocks(const TreePlan<T>&, index_t);                 \
    template DenseFront<T> ColumnBlocks<T>::view(const SharedFront&, const ColumnsRun::Block&) const; \
    template DenseFront<T> ColumnBlocks<T>::panel_view(const SharedFront&, const ColumnsRun::Block&) const;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu

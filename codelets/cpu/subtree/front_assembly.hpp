// SPDX-License-Identifier: BSD-3-Clause
// Sizes on the stack of contribution blocks of a subtree. The blocks of a front's children lie on
// top of the stack in ascending order, so sizes alone tell where they are (Duff & Reid 1983; Liu
// 1992, 5.1).
#pragma once

#include "frond/cpu/kernels.hpp"
#include "frond/cpu/subtree.hpp"
#include "front_with_failed_pivots.hpp"

#include <algorithm>

namespace frond::cpu {

/// Scalars of the contribution block [ncb, ncb] on the stack.
inline count_t block_scalars(const Front& front) {
    const count_t ncb = front.ncb();
    return round_up_8(ncb * ncb);
}

inline bool has_children(const AssemblyTree& tree, index_t f) {
    const auto at = static_cast<std::size_t>(f);
    return tree.child_begin[at] != tree.child_begin[at + 1];
}

inline count_t children_scalars(const AssemblyTree& tree, index_t f) {
    const auto at = static_cast<std::size_t>(f);
    count_t scalars = 0;
    for (count_t c = tree.child_begin[at]; c < tree.child_begin[at + 1]; ++c) {
        const index_t child = tree.children[static_cast<std::size_t>(c)];
        scalars += block_scalars(tree.fronts[static_cast<std::size_t>(child)]);
    }
    return scalars;
}

/// Kernel workspace at the start of the arena; the stack follows.
count_t subtree_workspace_scalars(const AssemblyTree& tree, const Subtree& subtree, Factorization kind);

// Assembly of a front of a subtree: its entries of A and the contribution blocks of its children.

inline constexpr index_t columnwise_ncb = 64;  // above, only the lower triangle of a block is touched

template <class T>
void zero_lower(DenseView<T> c) {
    for (index_t j = 0; j < c.cols; ++j) std::fill_n(&c(j, j), c.rows - j, T(0));
}

template <class T>
void zero_full(DenseView<T> c) {
    if (c.ld == c.rows) {
        std::fill_n(c.data, static_cast<count_t>(c.rows) * c.cols, T(0));
        return;
    }
    for (index_t j = 0; j < c.cols; ++j) std::fill_n(c.column(j), c.rows, T(0));
}

template <class T>
class FrontAssembly {
public:
    /// entries: those of the subtree, whose first front is the one of subtree.first_front.
    FrontAssembly(const Analysis& analysis, const Subtree& subtree, const T* entries)
        : tree_(analysis.tree),
          map_(analysis.entry_map),
          kind_(analysis.factorization),
          first_entry_(map_.front_begin[static_cast<std::size_t>(subtree.first_front)]),
          entries_(entries) {}

    /// The children's blocks, which end at `top` of the stack, are read, not used up.
    void assemble(index_t f, const T* top, const FrontBlocks<T>& blocks) const {
        clear(blocks);
        add_entries(f, blocks);
        if (has_children(tree_, f)) add_children(f, top - children_scalars(tree_, f), blocks);
    }

private:
    void clear(const FrontBlocks<T>& b) const {
        zero_full(b.panel);
        if (kind_ == Factorization::lu) zero_full(b.upper);
        if (kind_ != Factorization::lu && b.contribution.rows > columnwise_ncb)
            zero_lower(b.contribution);
        else
            zero_full(b.contribution);
    }

    /// F(row[e], column[e]) := the value of entry e; none appears twice.
    void add_entries(index_t f, const FrontBlocks<T>& b) const {
        const auto begin = static_cast<std::size_t>(map_.front_begin[static_cast<std::size_t>(f)]);
        const auto end = static_cast<std::size_t>(map_.front_begin[static_cast<std::size_t>(f) + 1]);
        const index_t npiv = b.panel.cols;
        const T* value = entries_ + (map_.front_begin[static_cast<std::size_t>(f)] - first_entry_);
        for (std::size_t e = begin; e < end; ++e) {
            const index_t i = map_.row[e], j = map_.column[e];
            if (j < npiv)
                b.panel(i, j) = *value++;
            else
                b.upper(i, j - npiv) = *value++;
        }
    }

    /// Extend-adds the children in order.
    void add_children(index_t f, const T* block, const FrontBlocks<T>& b) const {
        const auto at = static_cast<std::size_t>(f);
        for (count_t c = tree_.child_begin[at]; c < tree_.child_begin[at + 1]; ++c) {
            const Front& child = tree_.fronts[static_cast<std::size_t>(tree_.children[static_cast<std::size_t>(c)])];
            const index_t ncb = child.ncb();
            const index_t* rows = tree_.relative_rows.data() + child.rows_begin;
            const DenseView<const T> view{block, ncb, ncb, ncb};
            if (kind_ == Factorization::lu)
                extend_add_full(view, rows, b.panel, b.upper, b.contribution);
            else
                extend_add_lower(view, rows, b.panel, b.contribution);
            block += block_scalars(child);
        }
    }

    const AssemblyTree& tree_;
    const EntryMap& map_;
    Factorization kind_;
    count_t first_entry_;  // of the entry map, in entries_
    const T* entries_;
};

}  // namespace frond::cpu

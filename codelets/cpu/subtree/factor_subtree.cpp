// SPDX-License-Identifier: BSD-3-Clause
// Multifrontal factorization of a subtree on a stack (Duff & Reid 1983; Liu 1992, section 5).
#include "contribution_stack.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"
#include "frond/cpu/subtree.hpp"

#include <algorithm>

namespace frond::cpu {
namespace {

/// The three parts of a front: panel and upper at their final place, contribution on the stack.
template<class T>
struct FrontBlocks {
    DenseView<T> panel;        // [nfront, npiv]
    DenseView<T> upper;        // [npiv, ncb], LU only
    DenseView<T> contribution; // [ncb, ncb]
};

constexpr index_t columnwise_ncb = 64; // above, only the lower triangle of a block is touched

template<class T>
void zero_lower(DenseView<T> c) {
    for (index_t j = 0; j < c.cols; ++j) std::fill_n(&c(j, j), c.rows - j, T(0));
}

template<class T>
void zero_full(DenseView<T> c) {
    if (c.ld == c.rows) {
        std::fill_n(c.data, static_cast<count_t>(c.rows) * c.cols, T(0));
        return;
    }
    for (index_t j = 0; j < c.cols; ++j) std::fill_n(c.column(j), c.rows, T(0));
}

template<class T>
class SubtreeFactorization {
public:
    SubtreeFactorization(const Analysis& analysis, const Subtree& subtree, const T* entries,
                         DenseView<T> root_contribution, T* arena)
        : tree_(analysis.tree),
          map_(analysis.entry_map),
          kind_(analysis.factorization),
          root_(subtree.root_front),
          entries_(entries),
          root_contribution_(root_contribution),
          workspace_(arena),
          top_(arena + subtree_workspace_scalars(analysis.tree, subtree, kind_)) {}

    /// Assembles and eliminates front f with its part of the factor chunk at `part`.
    void process(index_t f, T* part, const FrontPanels& at, const PivotRule& rule, index_t* perm,
                 PivotReport& report) {
        const Front& front = tree_.fronts[static_cast<std::size_t>(f)];
        FrontBlocks<T> blocks = place(f, front, part, at);
        clear(blocks);
        add_entries(f, blocks);
        if (has_children(f)) {
            T* bottom = add_children(f, blocks);
            move_down(f, bottom, blocks.contribution);
        }
        if (f != root_) top_ = blocks.contribution.data + block_scalars(front);
        factor_front(kind_, blocks.panel, blocks.upper, blocks.contribution, rule, perm,
                     part + at.pivots, workspace_, report);
    }

private:
    bool has_children(index_t f) const {
        const auto at = static_cast<std::size_t>(f);
        return tree_.child_begin[at] != tree_.child_begin[at + 1];
    }

    FrontBlocks<T> place(index_t f, const Front& front, T* part, const FrontPanels& at) const {
        const index_t ncb = front.ncb();
        FrontBlocks<T> b;
        b.panel = {part + at.panel, front.nfront, front.npiv, front.nfront};
        if (kind_ == Factorization::lu) b.upper = {part + at.upper, front.npiv, ncb, front.npiv};
        b.contribution = f == root_ ? root_contribution_ : DenseView<T>{top_, ncb, ncb, ncb};
        return b;
    }

    void clear(const FrontBlocks<T>& b) const {
        zero_full(b.panel);
        if (kind_ == Factorization::lu) zero_full(b.upper);
        if (kind_ != Factorization::lu && b.contribution.rows > columnwise_ncb)
            zero_lower(b.contribution);
        else
            zero_full(b.contribution);
    }

    /// F(row[e], column[e]) := entries[e]; none appears twice.
    void add_entries(index_t f, const FrontBlocks<T>& b) const {
        const auto begin = static_cast<std::size_t>(map_.front_begin[static_cast<std::size_t>(f)]);
        const auto end =
            static_cast<std::size_t>(map_.front_begin[static_cast<std::size_t>(f) + 1]);
        const index_t npiv = b.panel.cols;
        for (std::size_t e = begin; e < end; ++e) {
            const index_t i = map_.row[e], j = map_.column[e];
            if (j < npiv)
                b.panel(i, j) = entries_[e];
            else
                b.upper(i, j - npiv) = entries_[e];
        }
    }

    /// Extend-adds the children in order; returns where the first child's block starts.
    T* add_children(index_t f, const FrontBlocks<T>& b) const {
        const auto at = static_cast<std::size_t>(f);
        T* const bottom = top_ - children_scalars(tree_, f);
        T* block = bottom;
        for (count_t c = tree_.child_begin[at]; c < tree_.child_begin[at + 1]; ++c) {
            const Front& child =
                tree_.fronts[static_cast<std::size_t>(tree_.children[static_cast<std::size_t>(c)])];
            const index_t ncb = child.ncb();
            const index_t* rows = tree_.relative_rows.data() + child.rows_begin;
            const DenseView<const T> view{block, ncb, ncb, ncb};
            if (kind_ == Factorization::lu)
                extend_add_full(view, rows, b.panel, b.upper, b.contribution);
            else
                extend_add_lower(view, rows, b.panel, b.contribution);
            block += block_scalars(child);
        }
        return bottom;
    }

    /// Moves the front's block down over its children's, which are used up.
    void move_down(index_t f, T* bottom, DenseView<T>& c) {
        top_ = bottom;
        if (f == root_) return;
        const DenseView<T> target{bottom, c.rows, c.cols, c.ld};
        if (kind_ != Factorization::lu && c.rows > columnwise_ncb) {
            for (index_t j = 0; j < c.cols; ++j) std::copy_n(&c(j, j), c.rows - j, &target(j, j));
        } else {
            std::copy_n(c.data, static_cast<count_t>(c.rows) * c.cols, target.data);
        }
        c = target;
    }

    const AssemblyTree& tree_;
    const EntryMap& map_;
    Factorization kind_;
    index_t root_;
    const T* entries_;
    DenseView<T> root_contribution_;
    T* workspace_;
    T* top_;
};

} // namespace

template<class T>
void factor_subtree(const Analysis& analysis, const Subtree& subtree, const T* entries,
                    const PivotRule& rule, T* factor, index_t* perm, DenseView<T> contribution,
                    T* arena, const std::atomic<bool>* stop, PivotReport& report) {
    const AssemblyTree& tree = analysis.tree;
    SubtreeFactorization<T> factorization(analysis, subtree, entries, contribution, arena);
    for (index_t f = subtree.first_front; f <= subtree.root_front; ++f) {
        if (stop != nullptr && stop->load(std::memory_order_relaxed)) return;
        const Front& front = tree.fronts[static_cast<std::size_t>(f)];
        const FrontPanels at = front_panels(front, analysis.factorization);
        PivotReport of_front;
        factorization.process(f, factor, at, rule, perm, of_front);
        if (of_front.failed_column >= 0) of_front.failed_column += front.first_column;
        report += of_front;
        if (of_front.failed_column >= 0) return;
        factor += at.size;
        perm += front.npiv;
    }
}

#define FROND_INSTANTIATE(T)                                                                       \
    template void factor_subtree<T>(const Analysis&, const Subtree&, const T*, const PivotRule&,   \
                                    T*, index_t*, DenseView<T>, T*, const std::atomic<bool>*,      \
                                    PivotReport&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

} // namespace frond::cpu

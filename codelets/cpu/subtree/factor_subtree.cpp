// SPDX-License-Identifier: BSD-3-Clause
// Multifrontal factorization of a subtree on a stack (Duff & Reid 1983; Liu 1992, section 5).
#include "front_assembly.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/kernels.hpp"
#include "frond/cpu/subtree.hpp"
#include "front_assembly.hpp"
#include "front_with_failed_pivots.hpp"

#include <algorithm>

namespace frond::cpu {
namespace {

template <class T>
class SubtreeFactorization {
public:
    SubtreeFactorization(const Analysis& analysis, const Subtree& subtree, const T* entries,
                         DenseView<T> root_contribution, T* arena, SubtreeSecondPasses<T>* second_passes,
                         MemoryAccount* account)
        : tree_(analysis.tree),
          kind_(analysis.factorization),
          root_(subtree.root_front),
          assembly_(analysis, subtree, entries),
          root_contribution_(root_contribution),
          second_passes_(second_passes),
          account_(account),
          workspace_(arena),
          top_(arena + subtree_workspace_scalars(analysis.tree, subtree, kind_)) {}

    /// Assembles and eliminates front f with its part of the factor chunk at `part`.
    void process(index_t f, T* part, const FrontPanels& at, const PivotRule& rule, index_t* perm, PivotReport& report) {
        const Front& front = tree_.fronts[static_cast<std::size_t>(f)];
        FrontBlocks<T> blocks = place(f, front, part, at);
        assembly_.assemble(f, top_, blocks);
        if (second_passes_ != nullptr) {
            eliminate_by_threshold(f, blocks, rule, perm, report);
            take_place(f, front, blocks);
            return;
        }
        take_place(f, front, blocks);
        factor_front(kind_, blocks.panel, blocks.upper, blocks.contribution, rule, perm, blocks.pivots, workspace_,
                     report);
    }

private:
    FrontBlocks<T> place(index_t f, const Front& front, T* part, const FrontPanels& at) const {
        const index_t ncb = front.ncb();
        FrontBlocks<T> b;
        b.panel = {part + at.panel, front.nfront, front.npiv, front.nfront};
        if (kind_ == Factorization::lu) b.upper = {part + at.upper, front.npiv, ncb, front.npiv};
        b.pivots = part + at.pivots;
        b.contribution = f == root_ ? root_contribution_ : DenseView<T>{top_, ncb, ncb, ncb};
        return b;
    }

    /// First pass; where it rejects a pivot, or a child has handed columns over: the second pass on
    /// the front assembled anew.
    void eliminate_by_threshold(index_t f, const FrontBlocks<T>& blocks, const PivotRule& rule, index_t* perm,
                                PivotReport& report) {
        PivotReport first_pass;
        if (!delayed_.has_columns_for(f, tree_)) {
            factor_front(kind_, blocks.panel, blocks.upper, blocks.contribution, rule, perm, blocks.pivots, workspace_,
                         first_pass);
            if (!first_pass.rejected) {
                report += first_pass;
                return;
            }
            assembly_.assemble(f, top_, blocks);
        }
        eliminate_front_with_failed_pivots(tree_, kind_, f, f == root_, blocks, rule, delayed_, *second_passes_, report,
                                           account_);
        second_passes_->fronts.back().tried_pivots = first_pass.rejected;
        second_passes_->fronts.back().tried_rows = first_pass.rejected_by_rows;
        fill_identity(kind_, blocks, perm);
    }

    /// The front's block overwrites those of its children, which are used up.
    void take_place(index_t f, const Front& front, FrontBlocks<T>& blocks) {
        if (has_children(tree_, f)) {
            top_ -= children_scalars(tree_, f);
            if (f != root_) move_down(top_, blocks.contribution);
        }
        if (f != root_) top_ += block_scalars(front);
    }

    void move_down(T* bottom, DenseView<T>& c) const {
        const DenseView<T> target{bottom, c.rows, c.cols, c.ld};
        if (kind_ != Factorization::lu && c.rows > columnwise_ncb) {
            for (index_t j = 0; j < c.cols; ++j) std::copy_n(&c(j, j), c.rows - j, &target(j, j));
        } else {
            std::copy_n(c.data, static_cast<count_t>(c.rows) * c.cols, target.data);
        }
        c = target;
    }

    const AssemblyTree& tree_;
    Factorization kind_;
    index_t root_;
    FrontAssembly<T> assembly_;
    DenseView<T> root_contribution_;
    SubtreeSecondPasses<T>* second_passes_;
    MemoryAccount* account_;
    DelayedStack<T> delayed_;
    T* workspace_;
    T* top_;
};

}  // namespace

template <class T>
void factor_subtree(const Analysis& analysis, const Subtree& subtree, const T* entries, const PivotRule& rule,
                    T* factor, index_t* perm, DenseView<T> contribution, T* arena, StopFlags stop,
                    SubtreeSecondPasses<T>* second_passes, PivotReport& report, MemoryAccount* account) {
    const AssemblyTree& tree = analysis.tree;
    if (second_passes != nullptr) *second_passes = {};
    const bool threshold = second_passes != nullptr && rule.threshold > 0;
    PivotRule used = rule;
    if (!threshold) used.threshold = 0;
    SubtreeFactorization<T> factorization(analysis, subtree, entries, contribution, arena,
                                          threshold ? second_passes : nullptr, account);
    for (index_t f = subtree.first_front; f <= subtree.root_front; ++f) {
        if (stop.any()) return;
        const Front& front = tree.fronts[static_cast<std::size_t>(f)];
        const FrontPanels at = front_panels(front, analysis.factorization);
        PivotReport of_front;
        factorization.process(f, factor, at, used, perm, of_front);
        if (of_front.failed_column >= 0) of_front.failed_column += front.first_column;
        report += of_front;
        if (of_front.failed_column >= 0) return;
        factor += at.size;
        perm += front.npiv;
    }
}

#define FROND_INSTANTIATE(T)                                                                                   \
    template void factor_subtree<T>(const Analysis&, const Subtree&, const T*, const PivotRule&, T*, index_t*, \
                                    DenseView<T>, T*, StopFlags, SubtreeSecondPasses<T>*, PivotReport&,        \
                                    MemoryAccount*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::cpu

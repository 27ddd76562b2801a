// SPDX-License-Identifier: BSD-3-Clause
// Fronts of a subtree whose columns go through the second pass of threshold pivoting.
#pragma once

#include "frond/cpu/subtree.hpp"

namespace frond::cpu {

/// The parts of a front: panel, upper and pivots at their final position, contribution on the stack.
template <class T>
struct FrontBlocks {
    DenseView<T> panel;  // [nfront, npiv]
    DenseView<T> upper;  // [npiv, ncb], LU only
    DenseView<T> contribution;  // [ncb, ncb]
    T* pivots = nullptr;  // [2, npiv], LDL^T and LDL^H only
};

/// Delayed columns not yet taken. In postorder those for a front lie on top, its children
/// ascending, like the contribution blocks.
template <class T>
class DelayedStack {
public:
    struct FromChild {
        index_t child;
        DelayedColumns<T> columns;
    };

    bool has_columns_for(index_t f, const AssemblyTree& tree) const {
        return !stack_.empty() && parent(stack_.back(), tree) == f;
    }

    void push(index_t child, DelayedColumns<T>&& columns) { stack_.push_back({child, std::move(columns)}); }

    /// What the children of f have delayed, in their order.
    std::vector<FromChild> take(index_t f, const AssemblyTree& tree) {
        auto first = stack_.end();
        while (first != stack_.begin() && parent(*(first - 1), tree) == f) --first;
        std::vector<FromChild> taken(std::make_move_iterator(first), std::make_move_iterator(stack_.end()));
        stack_.erase(first, stack_.end());
        return taken;
    }

private:
    static index_t parent(const FromChild& from, const AssemblyTree& tree) {
        return tree.fronts[static_cast<std::size_t>(from.child)].parent;
    }

    std::vector<FromChild> stack_;
};

/// Second pass over all columns of the assembled front f and those in `delayed` for it. Its
/// second pass goes to `second_passes`; what it delays to `delayed`, or to second_passes.delayed when f is
/// the root of the subtree. blocks.contribution is updated; panel and upper are only read.
/// account: counts what `delayed` holds before, that and the new factors afterwards.
template <class T>
void eliminate_front_with_failed_pivots(const AssemblyTree& tree, Factorization kind, index_t f, bool is_subtree_root,
                                        const FrontBlocks<T>& blocks, const PivotRule& rule, DelayedStack<T>& delayed,
                                        SubtreeSecondPasses<T>& second_passes, PivotReport& report,
                                        MemoryAccount* account);

/// Factors that change nothing, in the chunk: L11 = U11 = D = I, L21 = U12 = 0.
template <class T>
void fill_identity(Factorization kind, const FrontBlocks<T>& blocks, index_t* perm);

}  // namespace frond::cpu

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "factor/store_plan.hpp"
#include "factor/tree_tables.hpp"
#include "queue.hpp"

namespace frond::gpu {

/// Puts the kernels of a tree's levels on a stream. Tables, blocks and answer in device memory.
template <class T>
class TreeLaunch {
public:
    TreeLaunch(Factorization kind, const TreeTables<T>& tables, const Queue& queue, const StoreBlock<T>* blocks,
               EliminateAnswer* answer)
        : kind_(kind), tables_(tables), queue_(queue), blocks_(blocks), answer_(answer) {}

    /// Assembly, elimination, and factors and contribution blocks to their places.
    void level(const SubtreePlan::Level& level, const typename StorePlan<T>::Level& store) const;

private:
    void assemble(const SubtreePlan::Level& level) const;
    void eliminate(const SubtreePlan::Level& level) const;
    void subtract(const BlockProduct& product) const;
    void store(const SubtreePlan::Level& level, const typename StorePlan<T>::Level& to) const;
    Stream stream() const { return queue_.stream(); }

    Factorization kind_;
    const TreeTables<T>& tables_;
    const Queue& queue_;
    const StoreBlock<T>* blocks_;
    EliminateAnswer* answer_;
};

}  // namespace frond::gpu

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>

#include "factor/product_queues.hpp"
#include "factor/store_plan.hpp"
#include "factor/store_queue.hpp"
#include "factor/tree_tables.hpp"
#include "queue.hpp"

namespace frond::gpu {

/// Puts the kernels of a tree's levels on a stream, and products on queues of their own, which the stream joins at the
/// end of each level; where there is a queue for that, what writes factors and contribution blocks to the host goes on
/// during the next level. Made for one recording, or one block of columns. Tables, blocks and answer in device memory.
template <class T>
class TreeLaunch {
public:
    TreeLaunch(Factorization kind, const TreeTables<T>& tables, const Queue& queue, ProductQueues* product_queues,
               StoreQueue* store_queue, const StoreBlock<T>* blocks, unsigned char* const* parts,
               EliminateAnswer* answer)
        : kind_(kind),
          tables_(tables),
          queue_(queue),
          product_queues_(product_queues),
          store_queue_(store_queue),
          blocks_(blocks),
          parts_(parts),
          answer_(answer) {
        if (product_queues_ != nullptr) product_queues_->begin();
        if (store_queue_ != nullptr) store_queue_->begin();
    }

    /// Lets the stream wait for the stores: before levels whose fronts lie where others lay, or read what others left,
    /// and at the end.
    void wait_for_stores() const;

    /// Assembles and eliminates the fronts of a level, and writes factors and contribution blocks to where they stay.
    void level(const SubtreePlan::Level& level, const typename StorePlan<T>::Level& store);
    /// The steps of one block of fully summed columns of a front that all devices do; no graph is recorded.
    void eliminate_block(const SubtreePlan::Level& level) { eliminate(level, {}); }
    /// Does what level() does for a strip: columns that are on the device for a while only, after the level of their
    /// front.
    void strip(const SubtreePlan::Level& level, index_t number, const typename StorePlan<T>::Level& store) const;

private:
    void assemble(const SubtreePlan::Level& level) const;
    void assemble_strip(Stream stream, index_t number, Pace pace) const;
    void assemble_ahead(index_t number, index_t last) const;
    void eliminate(const SubtreePlan::Level& level, const typename StorePlan<T>::Level& to);
    void store_early(const StepLaunch& launch, const typename StorePlan<T>::Level& to) const;
    void share_queues(const SubtreePlan::Level& level);
    void wait_for_products(const StepLaunch& launch);
    void subtract_products(const StepLaunch& launch);
    void subtract_next_block(const BlockProduct& product) const;
    void subtract_rest(const BlockProduct& product) const;
    struct Target {
        index_t row, rows, column, columns;
    };
    void subtract(const BlockProduct& product, const Target& to, std::size_t queue) const;
    void store(const typename StorePlan<T>::Level& to) const;
    void store_to_host(const typename StorePlan<T>::Level& to) const;
    Stream stream() const { return queue_.stream(); }

    Factorization kind_;
    const TreeTables<T>& tables_;
    const Queue& queue_;
    ProductQueues* product_queues_;  // null: there are no products
    StoreQueue* store_queue_;  // null: no block goes to the host
    std::map<index_t, ProductQueues::Share> share_of_front_;  // of the level
    const StoreBlock<T>* blocks_;
    unsigned char* const* parts_;
    EliminateAnswer* answer_;
};

}  // namespace frond::gpu

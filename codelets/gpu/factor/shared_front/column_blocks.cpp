// SPDX-License-Identifier: BSD-3-Clause
#include "factor/shared_front/column_blocks.hpp"

#include <algorithm>

#include "blas.hpp"
#include "factor/shared_front/columns_to_store.hpp"
#include "factor/subtract_panel.hpp"
#include "factor/tree_launch.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::gpu {
namespace {

template <class S>
void have_room(unsigned node, std::size_t count, DeviceMemory<S>& memory) {
    if (memory.bytes() < count * sizeof(S)) memory = DeviceMemory<S>(node, static_cast<count_t>(count));
}

}  // namespace

template <class T>
ColumnBlocks<T>::ColumnBlocks(const TreePlan<T>& plan, TreeTables<T>& tables, unsigned node, const Queue& queue)
    : plan_(plan),
      tables_(tables),
      node_(node),
      kind_(plan.analysis.factorization),
      queue_(queue),
      staged_(eliminated_blocks(plan, static_cast<index_t>(plan.tree.shared().size()))) {}

/// The vectors stay until the copies have ended.
template <class T>
template <class S>
void ColumnBlocks<T>::send(const std::vector<S>& from, S* to) const {
    check(FROND_GPU(MemcpyAsync)(to, from.data(), from.size() * sizeof(S), FROND_GPU(MemcpyHostToDevice),
                                 queue_.stream()),
          "sending where blocks of columns are");
    queue_.drain();
}

template <class T>
void ColumnBlocks<T>::gather(const ColumnsRun& run, unsigned char* const* parts) {
    std::vector<DenseFront<T>> blocks;
    index_t most_columns = 0;
    for (const ColumnsRun::Block& block : run.blocks) {
        blocks.push_back(view(shared(run), block));
        most_columns = std::max(most_columns, shared(run).columns(block.number));
    }
    const std::vector<FrontSources> sources(blocks.size(), tables_.sources_of(shared(run).front));
    have_room(node_, blocks.size(), fronts_);
    have_room(node_, blocks.size(), sources_);
    send(blocks, fronts_.data());
    send(sources, sources_.data());
    gather_level<T>(queue_.stream(), static_cast<index_t>(blocks.size()), most_columns, fronts_.data(), sources_.data(),
                    tables_.entries(), tables_.children(), kind_ != Factorization::lu, parts);
}

template <class T>
void ColumnBlocks<T>::subtract(const ColumnsRun& run, const Queue& queue) const {
    const SharedFront& front = shared(run);
    const SubtractPanel<T> products(kind_, queue.stream(), queue.blas(), [this, &front](index_t first) {
        return SubtreePlan::end_of_ordered_rows(plan_.analysis, front.front, first);
    });
    for (const ColumnsRun::Block& panel : run.panel)
        for (const ColumnsRun::Block& block : run.blocks) products.from(view(front, block), panel_view(front, panel));
}

template <class T>
void ColumnBlocks<T>::update(const ColumnsRun& run) const {
    subtract(run, update_queue_);
    update_queue_.drain();
}

/// Columns have the same height in both.
template <class T>
void ColumnBlocks<T>::join(const ColumnsRun& run, ProductQueues* product_queues, EliminateAnswer* answer) {
    unsigned char* to = run.blocks.front().begin;
    const count_t ld = plan_.squares[at(shared(run).first_square)].ld;
    for (const ColumnsRun::Block& block : run.panel) {
        const std::size_t bytes = at(ld * shared(run).columns(block.number)) * sizeof(T);
        check(FROND_GPU(MemcpyAsync)(to, block.begin, bytes, FROND_GPU(MemcpyDeviceToDevice), queue_.stream()),
              "joining the last columns of a front");
        to += bytes;
    }
    eliminate(run, product_queues, answer);
}

template <class T>
void ColumnBlocks<T>::advance(const ColumnsRun& run, ProductQueues* product_queues, EliminateAnswer* answer) {
    subtract(run, queue_);
    eliminate(run, product_queues, answer);
}

template <class T>
void ColumnBlocks<T>::eliminate(const ColumnsRun& run, ProductQueues* product_queues, EliminateAnswer* answer) {
    const ColumnsRun::Block& number = run.blocks.front();
    const index_t among_squares = std::min(number.number, shared(run).tail);
    const index_t square = shared(run).first_square + among_squares;
    const DenseFront<T> block = view(shared(run), number);
    DenseFront<T> of_steps = block;
    of_steps.order = plan_.squares[at(square)].order;
    of_steps.missing = plan_.squares[at(square)].missing;
    place_block(run, among_squares, of_steps);
    const SubtreePlan::Range& range = plan_.tree.ranges()[at(shared(run).range)];
    TreeLaunch<T> launch(kind_, tables_, queue_, product_queues, nullptr, nullptr, nullptr, answer);
    launch.eliminate_block(plan_.tree.levels()[at(range.first_level + among_squares)]);
    if (of_steps.order < block.order) solve_rows_below(block);
    if (kind_ == Factorization::llt || kind_ == Factorization::lu)
        store_diagonals<T>(queue_.stream(), 1, tables_.fronts() + square);
    if (kind_ != Factorization::llt) keep_pivots(block, panel_view(shared(run), number));
}

/// Beside what is under way: nothing waits for the copy.
template <class T>
void ColumnBlocks<T>::place_block(const ColumnsRun& run, index_t number, const DenseFront<T>& block) {
    const index_t square = shared(run).first_square + number;
    tables_.place_block(square, block);
    DenseFront<T>& staged = staged_.data()[eliminated_blocks(plan_, run.front) + number];
    staged = block;
    check(FROND_GPU(MemcpyAsync)(tables_.fronts() + square, &staged, sizeof(staged), FROND_GPU(MemcpyHostToDevice),
                                 queue_.stream()),
          "sending where a block of columns is");
}

/// L L^T, whose pivots need no test of these rows: by one product-rich solve, and not step by step.
template <class T>
void ColumnBlocks<T>::solve_rows_below(const DenseFront<T>& block) const {
    const index_t pivots = block.npiv - block.first;
    const auto ld = static_cast<index_t>(block.ld);
    constexpr bool unit = false, adjoint = true;
    solve_right_lower<T>(queue_.blas(), unit, adjoint, {block.data + block.first * (1 + block.ld), pivots, pivots, ld},
                         {block.data + block.npiv + block.first * block.ld, rows_from(block, block.npiv), pivots, ld});
}

/// Behind the columns, for other devices.
template <class T>
void ColumnBlocks<T>::keep_pivots(const DenseFront<T>& block, const DenseFront<T>& panel) const {
    const auto copy = [this](const void* from, void* to, std::size_t bytes) {
        check(FROND_GPU(MemcpyAsync)(to, from, bytes, FROND_GPU(MemcpyDeviceToDevice), queue_.stream()),
              "keeping pivots beside their columns");
    };
    const std::size_t columns = at(block.npiv - block.first);
    copy(block.perm + block.first, panel.perm + block.first, columns * sizeof(index_t));
    if (has_block_diagonal(kind_))
        copy(block.pivots + 2 * block.first, panel.pivots + 2 * block.first, 2 * columns * sizeof(T));
}

template <class T>
void ColumnBlocks<T>::store(const ColumnsRun& run, const TreeFactorViews<T>& places, unsigned char* const* parts) {
    ColumnsToStore<T> to(kind_, places[at(shared(run).front)]);
    for (const ColumnsRun::Block& block : run.blocks) to.add(panel_view(shared(run), block));
    have_room(node_, to.blocks.size(), store_blocks_);
    send(to.blocks, store_blocks_.data());
    store_blocks<T>(queue_.stream(), static_cast<index_t>(to.blocks.size()), to.most_columns, store_blocks_.data(),
                    parts);
    if (to.pivots.empty()) return;
    have_room(node_, to.pivots.size(), store_pivots_);
    send(to.pivots, store_pivots_.data());
    store_pivots<T>(queue_.stream(), static_cast<index_t>(to.pivots.size()), store_pivots_.data(), parts);
}

#define FROND_INSTANTIATE(T) template class ColumnBlocks<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu

// SPDX-License-Identifier: BSD-3-Clause
#include "factor/device_tree.hpp"

#include <algorithm>

#include "factor/tree_launch.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "plans/step_plan.hpp"

namespace frond::gpu {

template <class T>
DeviceTree<T>::DeviceTree(const Device& place, const TreePlan<T>& plan, index_t device)
    : place_(place),
      plan_(plan),
      kind_(plan.analysis.factorization),
      tables_(plan, device),
      column_blocks_(plan, tables_, place.memory_node, queue_),
      scaler_(place.memory_node, queue_.stream(), plan.analysis),
      host_pivots_(plan.pivot_scalars()),
      host_perm_(plan.perm_size()),
      host_answers_(static_cast<count_t>(plan.tree.ranges().size()) + 1),
      answer_(place.memory_node, 1),
      recorded_(plan.tree.ranges().size()) {
    std::fill(answers().begin(), answers().end(), EliminateAnswer());
    if (!plan.steps.products.empty()) product_queues_.emplace();
    tables_.send(place.memory_node, stream());
}

template <class T>
void DeviceTree<T>::forget_recorded() noexcept {
    for (RecordedPiece& piece : recorded_) piece.forget();
}

template <class T>
void DeviceTree<T>::begin(const PieceRun<T>& piece) {
    const TreeRun<T>& run = *piece.run;
    has_run_ = true;
    block_copies_.begin(run.most_block_copy_bytes, run.block_copies);
    std::fill(answers().begin(), answers().end(), EliminateAnswer());
    scaler_.scale(piece.values, *run.pattern, *run.scaling, run.largest_elsewhere, tables_.values());
    begin_answer<T>(stream(), relative_rule<T>(kind_, run.rule_of_one, run.rule_of_one.threshold > 0),
                    scaler_.largest_bits(), answer_.data());
    clear_marks();
    place(run);
    make_table_of_parts(run);
}

template <class T>
void DeviceTree<T>::record(index_t first_level, index_t last_level, LevelTimes& times) {
    TreeLaunch<T> tree(kind_, tables_, queue_, product_queues_ ? &*product_queues_ : nullptr,
                       store_queue_ ? &*store_queue_ : nullptr, blocks_.data(), parts_.data(), answer_.data());
    for (index_t l = first_level; l < last_level; ++l) {
        const SubtreePlan::Level& level = plan_.tree.levels()[at(l)];
        tree.level(level, store_levels_[at(l)]);
        for (index_t s = level.first_strip; s < level.last_strip; ++s) tree.strip(level, s, store_strips_[at(s)]);
        times.mark(stream());
    }
    tree.wait_for_stores();
}

/// Launching thousands of kernels takes the host longer than they take the device: they are recorded once.
template <class T>
template <class Visit>
void DeviceTree<T>::for_each_graph(index_t piece, Visit visit) {
    RecordedPiece& one = recorded_[at(piece)];
    const SubtreePlan::Range& range = plan_.tree.ranges()[at(piece)];
    if (!one.has_begun()) one.begin(plan_.tree, range, store_queue_.has_value());
    const auto record_levels = [&](index_t first, index_t last) {
        if (first == range.first_level) one.times().mark(stream());
        record(first, last, one.times());
    };
    one.for_each(stream(), record_levels, visit);
}

/// Beside the work of this piece. That of the next one waits for its data, but not what is recorded of it.
template <class T>
void DeviceTree<T>::record_next(const PieceRun<T>& piece) {
    const index_t next = next_with_task(*piece.run, piece.piece + 1);
    if (next < pieces()) for_each_graph(next, [](const Graph&) {});
}

template <class T>
void DeviceTree<T>::trace_levels(index_t piece) {
    const std::vector<double> seconds = recorded_[at(piece)].times().seconds();
    if (seconds.empty()) return;
    const SubtreePlan::Range& range = plan_.tree.ranges()[at(piece)];
    add_to_trace(piece, std::span(plan_.tree.levels()).subspan(at(range.first_level), seconds.size()), seconds);
    level_seconds_.resize(plan_.tree.levels().size(), 0.0);
    std::copy(seconds.begin(), seconds.end(), level_seconds_.begin() + range.first_level);
}

template <class T>
void DeviceTree<T>::put_on_stream(const PieceRun<T>& piece) {
    if (next_with_task(*piece.run, 0) == piece.piece) begin(piece);
    block_copies_.before<T>(plan_.saved, piece, answers(), stream());
    place_kept(piece);
    send_parts(piece.parts);
    for_each_graph(piece.piece, [this](const Graph& graph) { graph.launch(stream()); });
    const index_t first = pivots_begin_[at(piece.piece)], last = pivots_begin_[at(piece.piece) + 1];
    store_pivots<T>(stream(), last - first, pivots_.data() + first, parts_.data());
    end_piece(piece.piece);
    if (next_with_task(*piece.run, piece.piece + 1) == pieces() && plan_.tree.shared().empty()) end();
}

/// The next piece from this one on that has a task on this device; pieces(): there is none.
template <class T>
index_t DeviceTree<T>::next_with_task(const TreeRun<T>& run, index_t piece) const {
    const auto has_task = [&](index_t p) {
        return tables_.is_own(plan_.tree.ranges()[at(p)]) && (run.is_kept.empty() || run.is_kept[at(p)] == 0);
    };
    while (piece < pieces() && !has_task(piece)) ++piece;
    return piece;
}

template <class T>
void DeviceTree<T>::put_on_stream(const ColumnsRun& columns) {
    if (!columns.parts.empty()) send_parts(columns.parts);
    switch (columns.step) {
        case ColumnStep::gather:
            return column_blocks_.gather(columns, parts_.data());
        case ColumnStep::advance:
            return column_blocks_.advance(columns, product_queues_ ? &*product_queues_ : nullptr, answer_.data());
        case ColumnStep::update:
            return column_blocks_.update(columns);
        case ColumnStep::join:
            return column_blocks_.join(columns, product_queues_ ? &*product_queues_ : nullptr, answer_.data());
        case ColumnStep::store:
            return column_blocks_.store(columns, *places_, parts_.data());
        case ColumnStep::fetch_pivots:
            return end();
    }
}

template <class T>
void DeviceTree<T>::run(const PieceRun<T>& piece) {
    run_work([&] {
        put_on_stream(piece);
        record_next(piece);
        queue_.drain();
        trace_levels(piece.piece);
    });
}

template <class T>
void DeviceTree<T>::run(const ColumnsRun& columns) {
    run_work([&] {
        put_on_stream(columns);
        if (columns.step != ColumnStep::update) queue_.drain();
    });
}

template <class T>
template <class Work>
void DeviceTree<T>::run_work(Work work) {
    try {
        work();
    } catch (...) {
        ignore(FROND_GPU(StreamSynchronize)(stream()));  // before memory goes that kernels write
        static_cast<void>(works(place_.memory_node));  // a lost device is known from now on
        throw;
    }
}

#define FROND_INSTANTIATE(T) template class DeviceTree<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu

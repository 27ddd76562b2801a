// SPDX-License-Identifier: BSD-3-Clause
#include "subtree_batch_gpu.hpp"

#include <algorithm>

#include "frond/analysis/front_panels.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/cpu/subtree.hpp"
#include "kernels/level_batch/panel.hpp"
#include "worker/copies.hpp"
#include "worker/count_eliminated.hpp"
#include "worker/drain.hpp"
#include "worker/worker_context.hpp"

namespace frond::gpu {
namespace {

std::size_t size(count_t n) { return static_cast<std::size_t>(n); }

/// A thirty-second of the card, or of what StarPU may use of it: its workers keep their scratch memory, and the tiles
/// need room. In deterministic runs it must not depend on a limit which subtrees the card does.
std::size_t most_scratch_bytes(bool is_deterministic) {
    thread_local std::size_t card_bytes = 0;  // asked once a worker, which has one card
    if (card_bytes == 0) {
        std::size_t free_bytes = 0;
        check(FROND_GPU(MemGetInfo)(&free_bytes, &card_bytes), "asking for the size of the memory");
    }
    const auto limit = starpu_memory_get_total(starpu_worker_get_local_memory_node());
    const bool is_limited = limit > 0 && !is_deterministic;
    return (is_limited ? std::min(card_bytes, static_cast<std::size_t>(limit)) : card_bytes) / 32;
}

template <class Value>
void copy_in(const std::vector<Value>& from, Value* to) {
    std::copy(from.begin(), from.end(), to);
}

}  // namespace

template <class T>
SubtreeBatch<T>::SubtreeBatch(const SubtreeArguments& a, const SubtreeBuffers<T>& buffers)
    : a_(a),
      analysis_(*a.analysis),
      tree_(analysis_.tree),
      subtree_(*a.subtree),
      kind_(analysis_.factorization),
      symmetric_(kind_ != Factorization::lu),
      indefinite_(kind_ == Factorization::ldlt || kind_ == Factorization::ldlh),
      chunk_(buffers.chunk),
      entries_(buffers.entries),
      pivots_(*buffers.pivots),
      contribution_(buffers.contribution),
      stream_(task_stream()),
      plan_(tree_, {{subtree_.first_front, subtree_.root_front}}) {
    const Front& first = front(subtree_.first_front);
    const Front& root = front(subtree_.root_front);
    columns_ = root.first_column + root.npiv - first.first_column;
}

template <class T>
bool SubtreeBatch<T>::run() {
    for (const index_t f : plan_.fronts()) {
        DenseFront<T> s;
        s.order = front(f).nfront;
        s.npiv = front(f).npiv;
        s.ld = square_ld(s.order);
        squares_.push_back(s);
    }
    plan_.add_steps(analysis_, squares_, steps_);
    if (!lay_out()) return false;
    describe_fronts();
    pack(pinned_);
    send(device_, pinned_, sent_bytes_, "sending a subtree");
    eliminate_levels();
    return fetch_answer();
}

template <class T>
bool SubtreeBatch<T>::lay_out() {
    const std::size_t fronts = squares_.size();
    const index_t first = subtree_.first_front, root = subtree_.root_front;
    const std::size_t entries = size(entry_begin(root + 1) - entry_begin(first));
    DeviceLayout layout;
    squares_at_ = layout.add<DenseFront<T>>(fronts);
    sources_at_ = layout.add<FrontSources>(fronts);
    results_at_ = layout.add<FrontResults<T>>(fronts);
    steps_at_ = layout.add<FrontStep>(steps_.steps.size());
    children_at_ = layout.add<ChildBlock<T>>(size(child_begin(root + 1) - child_begin(first)));
    child_rows_at_ = layout.add<index_t>(size(front(root).rows_begin - front(first).rows_begin));
    entry_row_at_ = layout.add<index_t>(entries);
    entry_column_at_ = layout.add<index_t>(entries);
    entry_value_at_ = layout.add<T>(entries);
    answer_at_ = layout.add<EliminateAnswer>(1);
    sent_bytes_ = layout.bytes();
    perm_at_ = layout.add<index_t>(size(kind_ == Factorization::llt ? 0 : columns_));
    pivots_at_ = layout.add<T>(size(indefinite_ ? 2 * static_cast<count_t>(columns_) : columns_));
    fetched_end_ = layout.bytes();
    squares_room_ = layout.add<T>(size(plan_.square_scalars()));
    WorkerContext& context = worker_context();
    if (layout.bytes() > most_scratch_bytes(analysis_.options.deterministic)) return false;
    device_ = context.device.if_there_is_room(layout.bytes());
    pinned_ = context.pinned.if_there_is_room(fetched_end_);
    return device_ != nullptr && pinned_ != nullptr;
}

/// Where each front is assembled, eliminated and brought to.
template <class T>
void SubtreeBatch<T>::describe_fronts() {
    std::vector<count_t> part(squares_.size());  // of the chunk, by tree front
    count_t chunk_at = 0;
    const index_t first = subtree_.first_front;
    for (index_t f = first; f <= subtree_.root_front; ++f) {
        part[static_cast<std::size_t>(f - first)] = chunk_at;
        chunk_at += front_panels(front(f), kind_).size;
    }
    for (std::size_t k = 0; k < squares_.size(); ++k) {
        const index_t f = plan_.fronts()[k];
        const count_t column = front(f).first_column - front(first).first_column;
        const FrontPanels at = front_panels(front(f), kind_);
        T* const to = chunk_ + part[static_cast<std::size_t>(f - first)];
        squares_[k].data = square(f);
        if (indefinite_) squares_[k].pivots = to + at.pivots;
        if (kind_ != Factorization::llt) squares_[k].perm = perm_at_.in(device_) + column;
        sources_.push_back({entry_begin(f) - entry_begin(first), entry_begin(f + 1) - entry_begin(first),
                            static_cast<index_t>(child_begin(f) - child_begin(first)),
                            static_cast<index_t>(child_begin(f + 1) - child_begin(first))});
        results_.push_back({to + at.panel, to + at.upper, pivots_at_.in(device_) + (indefinite_ ? 2 : 1) * column});
    }
}

template <class T>
void SubtreeBatch<T>::pack(void* host) const {
    const EntryMap& map = analysis_.entry_map;
    const index_t first = subtree_.first_front;
    const std::size_t begin = size(entry_begin(first)), entries = entry_value_at_.count;
    copy_in(squares_, squares_at_.in(host));
    copy_in(sources_, sources_at_.in(host));
    copy_in(results_, results_at_.in(host));
    copy_in(steps_.steps, steps_at_.in(host));
    pack_children(children_at_.in(host));
    std::copy_n(tree_.relative_rows.data() + front(first).rows_begin, child_rows_at_.count, child_rows_at_.in(host));
    std::copy_n(map.row.data() + begin, entries, entry_row_at_.in(host));
    std::copy_n(map.column.data() + begin, entries, entry_column_at_.in(host));
    std::copy_n(entries_, entries, entry_value_at_.in(host));
    *answer_at_.in(host) = EliminateAnswer(eliminate_rule<T>(kind_, a_.rule, a_.threshold));
}

template <class T>
void SubtreeBatch<T>::pack_children(ChildBlock<T>* children) const {
    const index_t first = subtree_.first_front;
    for (count_t c = child_begin(first); c < child_begin(subtree_.root_front + 1); ++c) {
        const index_t f = tree_.children[size(c)];
        const Front& child = front(f);
        const count_t ld = square_ld(child.nfront);
        *children++ = {square(f) + child.npiv * (1 + ld), ld, child.ncb(),
                       child_rows_at_.in(device_) + (child.rows_begin - front(first).rows_begin)};
    }
}

template <class T>
void SubtreeBatch<T>::eliminate_levels() {
    const LevelEntries<T> entries{entry_row_at_.in(device_), entry_column_at_.in(device_), entry_value_at_.in(device_)};
    for (const auto& level : plan_.levels()) {
        const index_t count = level.last - level.first;
        check(FROND_GPU(MemsetAsync)(squares_room_.in(device_) + level.begin, 0, sizeof(T) * size(level.scalars),
                                     stream_),
              "clearing fronts");
        assemble_level<T>(stream_, count, level.largest_order, squares_at_.in(device_) + level.first,
                          sources_at_.in(device_) + level.first, entries, children_at_.in(device_), symmetric_);
        for (index_t l = level.first_launch; l < level.last_launch; ++l)
            eliminate_step<T>(stream_, squares_at_.in(device_), steps_at_.in(device_),
                              steps_.launches[static_cast<std::size_t>(l)], kind_, answer_at_.in(device_));
        store_level<T>(stream_, count, level.largest_order, squares_at_.in(device_) + level.first,
                       results_at_.in(device_) + level.first, kind_);
    }
    if (contribution_.rows == 0) return;
    const DenseFront<T>& root = squares_.back();
    copy_block<T>(stream_,
                  {root.data + root.npiv * (1 + root.ld), contribution_.rows, contribution_.cols,
                   static_cast<index_t>(root.ld)},
                  contribution_);
}

template <class T>
bool SubtreeBatch<T>::fetch_answer() {
    fetch(answer_at_.in(pinned_), answer_at_.in(device_), fetched_end_ - answer_at_.at,
          "fetching the pivots of a subtree");
    drain();
    const EliminateAnswer& answer = *answer_at_.in(pinned_);
    if (answer.failed != 0) return false;
    std::copy_n(perm_at_.in(pinned_), perm_at_.count, pivots_.perm.begin());
    pivots_.second_passes = {};
    report(pivots_at_.in(pinned_), answer);
    return true;
}

template <class T>
void SubtreeBatch<T>::report(const T* pivots, const EliminateAnswer& answer) const {
    PivotReport counted = count_eliminated(kind_, columns_, pivots);
    if (a_.threshold) counted.largest_l = answer.largest();
    pivots_.outcome.begin(columns_);
    pivots_.outcome.counts = counted;
    announce_hand_over(can_hand_over(a_) ? &pivots_.second_passes.delayed : nullptr, pivots_.outcome);
}

#define FROND_INSTANTIATE(T) template class SubtreeBatch<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu

// SPDX-License-Identifier: BSD-3-Clause
#include "factor/device_tree.hpp"

#include <algorithm>

#include "factor/tree_launch.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "tasks/step_plan.hpp"

namespace frond::gpu {

template <class T>
DeviceTree<T>::DeviceTree(const Device& place, const TreePlan<T>& plan, index_t device, const SavedRoom<T>& saved)
    : place_(place),
      plan_(plan),
      kind_(plan.analysis.factorization),
      tables_(plan, device),
      scaler_(place.memory_node, queue_.stream(), plan.analysis),
      host_pivots_(plan.pivot_scalars()),
      host_perm_(plan.perm_size()),
      host_answer_(1),
      answer_(place.memory_node, 1) {
    if (!plan.steps.products.empty()) product_queues_.emplace();
    tables_.send(place.memory_node, stream(), saved);
}

/// For what differs from run to run; what is recorded has its addresses.
template <class T>
void DeviceTree<T>::make_room(const StorePlan<T>& store) {
    const auto wanted = static_cast<count_t>(store.blocks.size()), pieces = static_cast<count_t>(store.pivots.size());
    if (!segments_.empty() && blocks_.bytes() == at(wanted) * sizeof(StoreBlock<T>) &&
        pivots_.bytes() == at(pieces) * sizeof(StorePivots<T>))
        return;
    segments_.clear();
    blocks_ = DeviceMemory<StoreBlock<T>>(place_.memory_node, wanted);
    pivots_ = DeviceMemory<StorePivots<T>>(place_.memory_node, pieces);
    host_blocks_ = std::make_unique<PinnedMemory<StoreBlock<T>>>(wanted);
    host_store_pivots_ = std::make_unique<PinnedMemory<StorePivots<T>>>(pieces);
}

/// What goes to the host takes long, and has a queue of its own.
template <class T>
void DeviceTree<T>::choose_queue(bool on_host) {
    if (on_host == store_queue_.has_value()) return;
    segments_.clear();
    store_queue_.reset();
    if (on_host) store_queue_.emplace();
}

template <class T>
template <class Value>
void DeviceTree<T>::send(const Value* from, std::size_t bytes, Value* to) {
    if (bytes == 0) return;
    check(FROND_GPU(MemcpyAsync)(to, from, bytes, FROND_GPU(MemcpyHostToDevice), stream()), "sending where factors go");
}

template <class T>
template <class Value>
void DeviceTree<T>::fetch(const Value* from, count_t count, Value* to) {
    if (count == 0) return;
    check(FROND_GPU(MemcpyAsync)(to, from, at(count) * sizeof(Value), FROND_GPU(MemcpyDeviceToHost), stream()),
          "fetching the pivots of a tree");
}

template <class T>
void DeviceTree<T>::clear_marks() {
    const auto& marks = tables_.marks();
    if (marks.bytes() == 0) return;
    check(FROND_GPU(MemsetAsync)(marks.data(), 0, marks.bytes(), stream()), "clearing which pivots failed");
}

/// Tables of blocks are relative to the parts, so that they serve all runs of the same places.
template <class T>
void DeviceTree<T>::place(const TreeRun<T>& run) {
    if (places_ == run.places) return;
    const StorePlan<T> store(tables_, *run.places);
    choose_queue(run.on_host);
    make_room(store);
    store_levels_ = store.levels;
    pieces_of_pivots_ = static_cast<index_t>(store.pivots.size());
    std::copy(store.blocks.begin(), store.blocks.end(), host_blocks_->data());
    std::copy(store.pivots.begin(), store.pivots.end(), host_store_pivots_->data());
    send(host_blocks_->data(), blocks_.bytes(), blocks_.data());
    send(host_store_pivots_->data(), pivots_.bytes(), pivots_.data());
    places_ = run.places;
}

/// Part 0 begins at address 0.
template <class T>
void DeviceTree<T>::send_parts(const std::vector<unsigned char*>& parts) {
    const auto count = static_cast<count_t>(parts.size()) + 1;
    if (parts_.bytes() != at(count) * sizeof(unsigned char*)) {
        segments_.clear();
        parts_ = DeviceMemory<unsigned char*>(place_.memory_node, count);
        host_parts_ = std::make_unique<PinnedMemory<unsigned char*>>(count);
    }
    *host_parts_->data() = nullptr;
    std::copy(parts.begin(), parts.end(), host_parts_->data() + 1);
    send(host_parts_->data(), parts_.bytes(), parts_.data());
}

template <class T>
void DeviceTree<T>::begin(const TreeRun<T>& run, const T* values, bool values_are_there) {
    scaler_.scale(values, values_are_there, *run.pattern, *run.scaling, tables_.values());
    begin_answer<T>(stream(), relative_rule<T>(kind_, run.rule_of_one, run.rule_of_one.threshold > 0),
                    scaler_.largest_bits(), answer_.data());
    clear_marks();
    place(run);
    send_parts(run.parts);
}

/// Launching thousands of kernels takes the host longer than they take the device: they are recorded once.
template <class T>
const Graph& DeviceTree<T>::recorded(const TreeSegment& segment, Recorded& as) {
    if (as.graph == nullptr)
        as.graph = std::make_unique<Graph>(stream(), [&] {
            TreeLaunch<T> tree(kind_, tables_, queue_, product_queues_ ? &*product_queues_ : nullptr,
                               store_queue_ ? &*store_queue_ : nullptr, blocks_.data(), parts_.data(), answer_.data());
            for (const index_t r : segment.ranges) {
                const SubtreePlan::Range& range = plan_.tree.ranges()[at(r)];
                tree.wait_for_stores();
                for (index_t l = range.first_level; l < range.last_level; ++l)
                    tree.level(plan_.tree.levels()[at(l)], store_levels_[at(l)]);
            }
            tree.wait_for_stores();
        });
    return *as.graph;
}

template <class T>
void DeviceTree<T>::launch(const std::vector<TreeSegment>& segments, std::size_t number) {
    segments_.resize(segments.size());
    Recorded& own = segments_[number];
    recorded(segments[number], own).launch(stream());
    if (!segments[number].is_waited_for) return;
    if (own.end == nullptr) own.end = std::make_unique<Event>();
    own.end->record(stream());
}

template <class T>
void DeviceTree<T>::end(Stream waiting) {
    store_pivots<T>(stream(), pieces_of_pivots_, pivots_.data(), parts_.data());
    fetch(answer_.data(), 1, host_answer_.data());
    fetch(tables_.pivots(), plan_.pivot_scalars(), host_pivots_.data());
    fetch(tables_.perm(), plan_.perm_size(), host_perm_.data());
    end_.record(stream());
    end_.let_wait(waiting);
}

template <class T>
std::vector<PivotMark> DeviceTree<T>::marks() const {
    const auto& there = tables_.marks();
    std::vector<PivotMark> marks(there.bytes() / sizeof(PivotMark));
    if (marks.empty()) return marks;
    check(FROND_GPU(MemcpyAsync)(marks.data(), there.data(), there.bytes(), FROND_GPU(MemcpyDeviceToHost), stream()),
          "fetching which pivots failed");
    drain();
    return marks;
}

#define FROND_INSTANTIATE(T) template class DeviceTree<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "event.hpp"
#include "factor/product_queues.hpp"
#include "factor/store_plan.hpp"
#include "factor/store_queue.hpp"
#include "factor/tree_segments.hpp"
#include "factor/tree_tables.hpp"
#include "factor/value_scaler.hpp"
#include "frond/gpu/devices.hpp"
#include "frond/gpu/tree_run.hpp"
#include "graph.hpp"
#include "queue.hpp"

namespace frond::gpu {

/// One device's part of the factorization of a tree: its tables, its queue, and what it does recorded by segments.
/// Calls are for a thread whose current device is this one.
template <class T>
class DeviceTree {
public:
    /// Everything but factors and handed blocks, which are the caller's.
    DeviceTree(const Device& place, const TreePlan<T>& plan, index_t device, const SavedRoom<T>& saved);

    const Device& place() const noexcept { return place_; }
    /// Values, limits of the pivots, and the places of the factors. What is recorded stays while these have as many
    /// blocks and parts, and lie in memory of the device or of the host.
    void begin(const TreeRun<T>& run, const T* values, bool values_are_there);
    /// One of `segments`, of this device.
    void launch(const std::vector<TreeSegment>& segments, std::size_t number);
    /// Streams of other devices wait here for the end of that segment.
    const Event& end_of(std::size_t segment) const { return *segments_[segment].end; }
    /// After the last segment: pivots to the factors, and to the host; the stream waits for all of it.
    void end(Stream waiting);
    void drain() const { queue_.drain(); }
    Stream stream() const { return queue_.stream(); }

    // After drain().
    double largest_entry() const noexcept { return scaler_.largest(); }
    const EliminateAnswer& answer() const noexcept { return *host_answer_.data(); }
    T* host_pivots() const noexcept { return host_pivots_.data(); }
    index_t* host_perm() const noexcept { return host_perm_.data(); }
    /// [perm_size()], see DenseFront.
    std::vector<PivotMark> marks() const;

private:
    struct Recorded {
        std::unique_ptr<Graph> graph;
        std::unique_ptr<Event> end;
    };

    void clear_marks();
    void place(const TreeRun<T>& run);
    void make_room(const StorePlan<T>& store);
    void send_parts(const std::vector<unsigned char*>& parts);
    void choose_queue(bool on_host);
    const Graph& recorded(const TreeSegment& segment, Recorded& as);
    template <class Value>
    void send(const Value* from, std::size_t bytes, Value* to);
    template <class Value>
    void fetch(const Value* from, count_t count, Value* to);

    Device place_;
    const TreePlan<T>& plan_;
    Factorization kind_;
    Queue queue_{Queue::Urgency::urgent};
    std::optional<ProductQueues> product_queues_;
    std::optional<StoreQueue> store_queue_;  // where factors go to the host
    TreeTables<T> tables_;
    ValueScaler<T> scaler_;
    PinnedMemory<T> host_pivots_;
    PinnedMemory<index_t> host_perm_;
    PinnedMemory<EliminateAnswer> host_answer_;
    DeviceMemory<EliminateAnswer> answer_;
    // Of the factors' places, from run to run.
    std::vector<typename StorePlan<T>::Level> store_levels_;
    DeviceMemory<StoreBlock<T>> blocks_;
    DeviceMemory<StorePivots<T>> pivots_;
    std::unique_ptr<PinnedMemory<StoreBlock<T>>> host_blocks_;
    std::unique_ptr<PinnedMemory<StorePivots<T>>> host_store_pivots_;
    index_t pieces_of_pivots_ = 0;
    std::shared_ptr<const FrontFactorViewss<T>> places_;  // that these are of
    std::unique_ptr<PinnedMemory<unsigned char*>> host_parts_;
    DeviceMemory<unsigned char*> parts_;
    Event end_;
    std::vector<Recorded> segments_;  // before the queue goes
};

}  // namespace frond::gpu

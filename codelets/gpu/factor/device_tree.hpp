// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "factor/block_copies.hpp"
#include "factor/shared_front/column_blocks.hpp"
#include "factor/product_queues.hpp"
#include "factor/recording/recorded_piece.hpp"
#include "factor/store_plan.hpp"
#include "factor/store_queue.hpp"
#include "factor/tree_tables.hpp"
#include "factor/value_scaler.hpp"
#include "frond/gpu/devices.hpp"
#include "frond/gpu/tree_run.hpp"
#include "queue.hpp"

namespace frond::gpu {

/// One device's part of the factorization of a tree: its tables, its queue, and what it does recorded by pieces.
/// Calls are for a thread whose current device is this one.
template <class T>
class DeviceTree {
public:
    /// Everything but values, factors and saved blocks, which are data of the tasks.
    DeviceTree(const Device& place, const TreePlan<T>& plan, index_t device);

    const Device& place() const noexcept { return place_; }
    /// A piece of this device, the first after begin(), all in their order; returns when it is done. What is recorded
    /// stays while the places of the factors have as many blocks and parts, some of them on the host or none.
    void run(const PieceRun<T>& piece);
    /// After the first piece.
    void run(const ColumnsRun& columns);

    // After the last piece.
    /// False: all pieces of this device were kept, and it knows no value of the matrix.
    bool has_run() const noexcept { return has_run_; }
    double largest_entry() const noexcept { return scaler_.largest(); }
    bool has_failed() const noexcept;
    const BlockCopies& block_copies() const noexcept { return block_copies_; }
    /// [pieces + 1] of its pieces, also those kept, see put_pivots; of fronts that all devices do, the last.
    std::span<EliminateAnswer> answers() const noexcept { return {host_answers_.data(), recorded_.size() + 1}; }
    T* host_pivots() const noexcept { return host_pivots_.data(); }
    /// The seconds of all levels, 0 for those of other devices; empty where no trace is recorded.
    const std::vector<double>& level_seconds() const noexcept { return level_seconds_; }
    index_t* host_perm() const noexcept { return host_perm_.data(); }
    /// [perm_size()], see DenseFront.
    std::vector<PivotMark> marks() const;

private:
    void put_on_stream(const PieceRun<T>& piece);
    void put_on_stream(const ColumnsRun& columns);
    template <class Work>
    void run_work(Work work);
    index_t pieces() const noexcept { return static_cast<index_t>(recorded_.size()); }
    index_t next_with_task(const TreeRun<T>& run, index_t piece) const;
    void begin(const PieceRun<T>& piece);
    void place_kept(const PieceRun<T>& piece);
    void end_piece(index_t piece);
    void end();
    Stream stream() const { return queue_.stream(); }
    void clear_marks();
    void place(const TreeRun<T>& run);
    void make_room(const StorePlan<T>& store);
    void make_table_of_parts(const TreeRun<T>& run);
    void send_parts(const std::vector<PlacedPart>& parts);
    void choose_queue(bool to_host);
    void forget_recorded() noexcept;
    template <class Visit>
    void for_each_graph(index_t piece, Visit visit);
    void record(index_t first_level, index_t last_level, LevelTimes& times);
    void record_next(const PieceRun<T>& piece);
    void trace_levels(index_t piece);
    template <class Value>
    void send(const Value* from, std::size_t bytes, Value* to);
    template <class Value>
    void fetch(const Value* from, count_t count, Value* to);

    Device place_;
    const TreePlan<T>& plan_;
    Factorization kind_;
    Queue queue_{Queue::Urgency::urgent};
    std::optional<ProductQueues> product_queues_;
    std::optional<StoreQueue> store_queue_;  // where blocks go to the host
    TreeTables<T> tables_;
    ColumnBlocks<T> column_blocks_;
    ValueScaler<T> scaler_;
    PinnedMemory<T> host_pivots_;
    PinnedMemory<index_t> host_perm_;
    PinnedMemory<EliminateAnswer> host_answers_;
    DeviceMemory<EliminateAnswer> answer_;
    // Tables of where the factors lie, kept from run to run.
    std::vector<typename StorePlan<T>::Level> store_levels_, store_strips_;
    DeviceMemory<StoreBlock<T>> blocks_;
    DeviceMemory<StorePivots<T>> pivots_;
    std::unique_ptr<PinnedMemory<StoreBlock<T>>> host_blocks_;
    std::unique_ptr<PinnedMemory<StorePivots<T>>> host_store_pivots_;
    std::vector<index_t> pivots_begin_;
    std::shared_ptr<const TreeFactorViews<T>> places_;  // that these are of
    std::unique_ptr<PinnedMemory<unsigned char*>> host_parts_;
    DeviceMemory<unsigned char*> parts_;
    BlockCopies block_copies_;
    bool has_run_ = false;
    std::vector<RecordedPiece> recorded_;  // [pieces] before the queue goes
    std::vector<double> level_seconds_;  // of the last run; empty without a trace
};

}  // namespace frond::gpu

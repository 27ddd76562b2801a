// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "frond/analysis/rank_mapping.hpp"
#include "frond/cpu/failed_parts.hpp"
#include "frond/cpu/pivot_record.hpp"
#include "engine/data_handle.hpp"
#include "tasks/pivots/decide_pivots.hpp"

namespace frond::detail {

/// Counts on the account of a unit, and gives all back at once.
class CollectedBytes final : public cpu::MemoryAccount {
public:
    explicit CollectedBytes(cpu::MemoryAccount& account) : account_(account) {}

    void take(count_t bytes) override {
        account_.take(bytes);
        taken_.fetch_add(bytes, std::memory_order_relaxed);
    }
    void give(count_t bytes) noexcept override {
        taken_.fetch_sub(bytes, std::memory_order_relaxed);
        account_.give(bytes);
    }
    void give_all() noexcept { account_.give(taken_.exchange(0)); }

private:
    cpu::MemoryAccount& account_;
    std::atomic<count_t> taken_{0};
};

/// What threshold pivoting needs in addition to tiles for a front that ranks share: objects of run-time size, empty
/// while nothing fails. They stay until the front is factored.
template <class T>
class SharedPivots {
public:
    template <class Object>
    struct Data {
        Object object;
        DataHandle handle;  // after what it stands for
    };
    using Parts = Data<cpu::FailedParts<T>>;

    SharedPivots(const TileGrid& grid, const RankGrid& table, index_t rank, cpu::MemoryAccount& account)
        : grid_(grid),
          table_(table),
          rank_(rank),
          bytes_(account),
          accepted_(at(grid.own_tiles)),
          parts_(at(grid.tiles())) {}

    const TileGrid& grid() const { return grid_; }
    const RankGrid& table() const { return table_; }
    index_t rank() const { return rank_; }
    bool leads() const { return table_.rank.front() == rank_; }
    CollectedBytes& account() { return bytes_; }

    // Handles are made when they are first asked for.
    /// The limit of a panel whose diagonal tile came from another rank, else of this one.
    DataRef limit(index_t panel, Rank other);
    DataRef accepted(index_t panel) { return object_handle(accepted_[at(panel)]); }
    DataRef part(index_t tile) { return object_handle(parts_[at(tile)]); }
    /// What the first rank gives back to the second one; one of them is this rank.
    DataRef given_back(index_t panel, std::pair<Rank, Rank> way) {
        return object_handle(of(given_back_, {panel, way}));
    }
    /// Parts on their way from the rank that leads to `other`, and at the end the opposite way.
    DataRef start_parts(Rank other) { return object_handle(of(start_parts_, other)); }
    DataRef end_parts(Rank other) { return object_handle(of(end_parts_, other)); }
    DataRef second_pass() { return object_handle(second_pass_); }

    /// The outcome of the second pass, on the rank that leads.
    DataRef outcome_handle() { return object_handle(outcome_); }
    const PivotOutcome& outcome() const { return outcome_.object; }

    /// What a message that has arrived takes is counted. @throws what the account refuses with
    void count_arrived(const Message& message);

    void unregister();
    void free() noexcept;

private:
    static std::size_t at(index_t i) { return static_cast<std::size_t>(i); }
    template <class Object>
    static DataRef object_handle(Data<Object>& data) {
        if (!data.handle) data.handle = DataHandle::object(data.object);
        return data.handle.get();
    }
    /// Messages that arrive are counted while further ones are submitted.
    template <class Key>
    Parts& of(std::map<Key, Parts>& parts, const Key& key) {
        const std::lock_guard lock(mutex_);
        return parts[key];
    }
    template <class Visit>
    void for_each_data(const Visit& visit);

    const TileGrid& grid_;
    const RankGrid& table_;
    index_t rank_;
    CollectedBytes bytes_;
    Data<PivotOutcome> outcome_;  // which stays for the report
    std::map<std::pair<index_t, Rank>, Data<TileLimit>> limits_;
    std::vector<Data<cpu::AcceptedPanel<T>>> accepted_;  // [own tiles]
    std::vector<Data<cpu::FailedPart<T>>> parts_;  // [tiles]
    std::mutex mutex_;  // of the three maps
    std::map<std::pair<index_t, std::pair<Rank, Rank>>, Parts> given_back_;
    std::map<Rank, Parts> start_parts_, end_parts_;
    Data<cpu::SecondPass<T>> second_pass_;
};

}  // namespace frond::detail

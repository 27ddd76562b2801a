// SPDX-License-Identifier: BSD-3-Clause
// Columns of run-time size with something different in every member, and all their members to compare.
#pragma once

#include "frond/cpu/failed_parts.hpp"
#include "frond/cpu/packing.hpp"
#include "frond/cpu/pivot_record.hpp"
#include "frond/cpu/pivot_record.hpp"
#include "frond/cpu/subtree.hpp"

#include <tuple>
#include <vector>

namespace frond::test {

template <class Columns>
std::vector<unsigned char> packed(const Columns& columns) {
    std::vector<unsigned char> memory(static_cast<std::size_t>(cpu::packed_bytes(columns)));
    cpu::pack(columns, memory.data());
    return memory;
}

/// Lists of lengths that all differ, with values that all differ; another `seed` gives other lengths.
class SampleValues {
public:
    explicit SampleValues(int seed) : next_(seed) {}

    void operator()(index_t& x) { x = next_++; }
    void operator()(count_t& x) { x = next_++; }
    void operator()(double& x) { x = 0.5 + next_++; }
    void operator()(bool& x) { x = next_++ % 2 == 0; }
    template <class Value, class Allocator>
    void operator()(std::vector<Value, Allocator>& list) {
        list.clear();
        for (int i = 0, size = next_++; i < size; ++i) list.push_back(value<Value>());
    }

private:
    template <class Value>
    Value value() {
        if constexpr (is_complex<Value>)
            return Value(static_cast<real_t<Value>>(next_), static_cast<real_t<Value>>(-next_));
        else
            return static_cast<Value>(next_);
    }

    int next_;
};

template <class T>
auto all_members(const cpu::FailedColumns<T>& c) {
    return std::tie(c.npiv, c.ncb, c.row_position, c.column_position, c.own_rows, c.own_columns, c.square, c.below,
                    c.right);
}
template <class T>
auto all_members(const cpu::DelayedColumns<T>& c) {
    return std::tie(c.row_position, c.column_position, c.ncb, c.columns, c.row_part);
}
template <class T>
auto all_members(const cpu::SecondPass<T>& c) {
    return std::tie(c.npiv, c.ncb, c.kept, c.row_position, c.column_position, c.row_position_after, c.null_columns,
                    c.null_rows, c.null_rest, c.search_flops, c.own_rows, c.own_columns, c.panel, c.upper, c.pivots);
}
template <class T>
auto all_members(const cpu::AcceptedPanel<T>& c) {
    return std::tie(c.made, c.n, c.kept, c.rows, c.cols, c.left, c.left_d, c.upper, c.square);
}
template <class T>
auto all_members(const cpu::FailedPart<T>& c) {
    return std::tie(c.is_void, c.rows, c.cols, c.row_part, c.column_part);
}
inline auto all_members(const cpu::RowExchanges& c) { return std::tie(c.list); }
template <class T>
auto all_members(const cpu::FailedParts<T>& c) {
    std::vector<decltype(all_members(cpu::FailedPart<T>()))> parts;
    for (const cpu::FailedPart<T>& part : c.parts) parts.push_back(all_members(part));
    return std::make_tuple(c.made, c.tiles, parts);
}
inline auto all_members(const PivotReport& r) {
    return std::tie(r.perturbed, r.two_by_two, r.negative, r.zero, r.positive, r.delayed, r.failed_column, r.rejected,
                    r.rejected_by_rows, r.log_abs_determinant, r.largest_l, r.sizes.smallest, r.sizes.largest);
}
inline auto all_members(const PivotOutcome& c) {
    return std::tuple_cat(std::make_tuple(c.limit.columns.load(), c.limit.largest_l.load()),
                          std::tie(c.kept, c.failed_rows, c.failed_columns, c.hand_over_bytes), all_members(c.counts));
}
template <class T>
auto all_members(const cpu::PiecePivots<T>& c) {
    return std::tuple_cat(std::tie(c.first_column, c.pivots, c.perm, c.are_good), all_members(c.report));
}
/// With all fronts.
template <class T>
auto all_members(const cpu::SubtreePivots<T>& c) {
    using Front = decltype(std::tuple_cat(std::make_tuple(index_t{}, true, true), all_members(cpu::SecondPass<T>())));
    std::vector<Front> fronts;
    for (const auto& failed : c.second_passes.fronts)
        fronts.push_back(std::tuple_cat(std::make_tuple(failed.front, failed.tried_pivots, failed.tried_rows),
                                        all_members(failed.second_pass)));
    return std::make_tuple(c.perm, all_members(c.outcome), fronts);
}
/// A record with memory of its own.
template <class T>
struct PivotSample {
    explicit PivotSample(index_t columns)
        : n(columns), memory(static_cast<std::size_t>(PivotRecord<T>::bytes(columns)) + 63) {}
    PivotRecord<T> record() const {
        const std::size_t past = reinterpret_cast<std::uintptr_t>(memory.data()) % 64;
        return PivotRecord<T>::at(const_cast<unsigned char*>(memory.data()) + (past > 0 ? 64 - past : 0), n);
    }
    cpu::PanelPivots<T> pivots() { return {n, &outcome, record()}; }

    index_t n;
    std::vector<unsigned char> memory;
    PivotOutcome outcome;
};
template <class T>
auto all_members(const PivotSample<T>& c) {
    const PivotRecord<T> r = c.record();
    const auto list = [](const auto* values, index_t size) { return std::vector(values, values + size); };
    return std::make_tuple(all_members(c.outcome), list(r.perm, c.n), list(r.pivots, 2 * c.n), list(r.replaced, c.n));
}

/// Something in each member.
template <class Columns>
void fill(Columns& columns, int seed) {
    SampleValues next(seed);
    std::apply([&next](
                   const auto&... member) { (next(const_cast<std::remove_cvref_t<decltype(member)>&>(member)), ...); },
               all_members(columns));
}
inline void fill(PivotOutcome& outcome, int seed) {
    SampleValues next(seed);
    const auto each = [&next](auto&... member) { (next(member), ...); };
    PivotReport& r = outcome.counts;
    index_t columns = 0;
    double largest_l = 0;
    each(columns, largest_l, outcome.kept, outcome.failed_rows, outcome.failed_columns, outcome.hand_over_bytes,
         r.perturbed, r.two_by_two, r.negative, r.zero, r.positive, r.delayed, r.failed_column, r.rejected,
         r.rejected_by_rows, r.log_abs_determinant, r.largest_l, r.sizes.smallest, r.sizes.largest);
    outcome.limit.columns = columns;
    outcome.limit.largest_l = largest_l;
}
inline void fill(cpu::RowExchanges& exchanges, int seed) {
    exchanges.list.clear();
    for (int k = 0; k <= seed; ++k) exchanges.list.push_back({seed + k, 100 - k});
}
template <class T>
void fill(cpu::FailedParts<T>& parts, int seed) {
    parts = {};
    parts.made = seed;
    for (int k = 0; k <= seed; ++k) fill(parts.add(seed + 2 * k), seed + k);
}
template <class T>
void fill(cpu::SubtreePivots<T>& pivots, int seed) {
    SampleValues next(seed);
    next(pivots.perm);
    fill(pivots.outcome, seed);
    pivots.second_passes.fronts.resize(static_cast<std::size_t>(seed) + 1);
    for (auto& failed : pivots.second_passes.fronts) {
        next(failed.front);
        next(failed.tried_pivots);
        next(failed.tried_rows);
        fill(failed.second_pass, seed);
    }
}
template <class T>
void fill(PivotSample<T>& pivots, int seed) {
    fill(pivots.outcome, seed);
    const PivotRecord<T> record = pivots.record();
    for (index_t k = 0; k < pivots.n; ++k) {
        record.perm[k] = seed + k;
        record.pivots[2 * k] = T(static_cast<real_t<T>>(seed + 2 * k));
        record.pivots[2 * k + 1] = T(static_cast<real_t<T>>(-seed - k));
        record.replaced[k] = T(static_cast<real_t<T>>(seed + 3 * k));
    }
}

}  // namespace frond::test

// SPDX-License-Identifier: BSD-3-Clause
// Columns of run-time size with something different in every member, and all their members to compare.
#pragma once

#include "frond/cpu/failed_columns.hpp"
#include "frond/cpu/packing.hpp"
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
/// Of all fronts.
template <class T>
auto all_members(const cpu::SubtreeSecondPasses<T>& c) {
    using Front = decltype(std::tuple_cat(std::make_tuple(index_t{}, true, true), all_members(cpu::SecondPass<T>())));
    std::vector<Front> fronts;
    for (const auto& hard : c.fronts)
        fronts.push_back(std::tuple_cat(std::make_tuple(hard.front, hard.tried_pivots, hard.tried_rows),
                                        all_members(hard.second_pass)));
    return fronts;
}

/// Something in each member.
template <class Columns>
void fill(Columns& columns, int seed) {
    SampleValues next(seed);
    std::apply([&next](
                   const auto&... member) { (next(const_cast<std::remove_cvref_t<decltype(member)>&>(member)), ...); },
               all_members(columns));
}
template <class T>
void fill(cpu::SubtreeSecondPasses<T>& columns, int seed) {
    columns.fronts.resize(static_cast<std::size_t>(seed) + 1);
    SampleValues next(seed);
    for (auto& hard : columns.fronts) {
        next(hard.front);
        next(hard.tried_pivots);
        next(hard.tried_rows);
        fill(hard.second_pass, seed);
    }
}

}  // namespace frond::test

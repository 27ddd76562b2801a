// SPDX-License-Identifier: BSD-3-Clause
#include "ranked/distributed/placed_entries.hpp"

#include <compare>
#include <numeric>
#include <utility>

#include "system/rows/for_chunks.hpp"

namespace frond::detail {

namespace {

count_t place_in_map(const Placed& p, const LocalNumbers& numbers, const EntryMap& map) {
    const index_t f = numbers.front(p);
    const std::pair<index_t, index_t> wanted{numbers.number(f, p.column), numbers.number(f, p.row)};
    count_t low = map.front_begin[at(f)], high = map.front_begin[at(f) + 1];
    while (low < high) {
        const count_t middle = low + (high - low) / 2;
        if (std::pair(map.column[at(middle)], map.row[at(middle)]) < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

}  // namespace

LargeVector<count_t> places_in_map(std::span<const Placed> in, const Analysis& analysis,
                                   const ParallelFor& parallel_for) {
    const LocalNumbers numbers(analysis.tree);
    LargeVector<count_t> to(in.size());
    for_chunks(static_cast<count_t>(in.size()), parallel_for, [&](count_t, count_t first, count_t end) {
        for (count_t k = first; k < end; ++k) to[at(k)] = place_in_map(in[at(k)], numbers, analysis.entry_map);
    });
    return to;
}

std::vector<count_t> fill_map(std::span<const Placed> in, const AssemblyTree& tree, EntryMap& map) {
    struct Local {
        index_t front, column, row;
        auto operator<=>(const Local&) const = default;
    };
    const LocalNumbers numbers(tree);
    std::vector<Local> local;
    local.reserve(in.size());
    for (const Placed& p : in) {
        const index_t f = numbers.front(p);
        local.push_back({f, numbers.number(f, p.column), numbers.number(f, p.row)});
    }
    std::vector<count_t> sorted(in.size()), to(in.size());
    std::iota(sorted.begin(), sorted.end(), 0);
    std::sort(sorted.begin(), sorted.end(), [&](count_t x, count_t y) { return local[at(x)] < local[at(y)]; });
    map = {};
    map.front_begin.assign(tree.fronts.size() + 1, 0);
    map.row.reserve(in.size());
    map.column.reserve(in.size());
    for (const count_t k : sorted) {
        to[at(k)] = static_cast<count_t>(map.row.size());
        map.row.push_back(local[at(k)].row);
        map.column.push_back(local[at(k)].column);
        ++map.front_begin[at(local[at(k)].front) + 1];
    }
    std::partial_sum(map.front_begin.begin(), map.front_begin.end(), map.front_begin.begin());
    return to;
}

}  // namespace frond::detail

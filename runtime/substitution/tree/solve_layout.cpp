// SPDX-License-Identifier: BSD-3-Clause
#include "substitution/tree/solve_layout.hpp"

#include <algorithm>

#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::detail {

SolveLayout::SolveLayout(const std::vector<PlannedUnit>& units, const TreeShare& share,
                         const std::map<index_t, index_t>& moved)
    : parts_(at(share.mapping.ranks)) {
    auto exception = moved.begin();
    for (const PlannedUnit& unit : units) {
        const index_t owner = share.owner(unit.front);
        index_t begin = unit.first_column;
        for (; exception != moved.end() && exception->first < unit.end_column; ++exception) {
            add(owner, begin, exception->first);
            add(exception->second, exception->first, exception->first + 1);
            begin = exception->first + 1;
        }
        add(owner, begin, unit.end_column);
    }
}

void SolveLayout::add(index_t rank, index_t begin, index_t end) {
    if (begin == end) return;
    Part& part = parts_[at(rank)];
    part.count += end - begin;
    if (!part.intervals.empty() && part.intervals.back().end == begin)
        part.intervals.back().end = end;
    else
        part.intervals.push_back({begin, end});
}

template <class T>
LargeVector<T> SolveLayout::pack(index_t rank, DenseView<const T> x) const {
    LargeVector<T> values;
    values.reserve(at(positions(rank)) * at(x.cols));
    for (index_t j = 0; j < x.cols; ++j)
        for (const Interval& i : parts_[at(rank)].intervals)
            values.insert(values.end(), x.column(j) + i.begin, x.column(j) + i.end);
    return values;
}

template <class T>
void SolveLayout::unpack(index_t rank, std::span<const T> values, DenseView<T> x) const {
    FROND_EXPECTS(values.size() == at(positions(rank)) * at(x.cols),
                  std::to_string(values.size()) + " values came for " + std::to_string(positions(rank)) +
                      " positions of rank " + std::to_string(rank) + " in " + std::to_string(x.cols) + " columns");
    const T* next = values.data();
    for (index_t j = 0; j < x.cols; ++j)
        for (const Interval& i : parts_[at(rank)].intervals) {
            std::copy_n(next, i.end - i.begin, x.column(j) + i.begin);
            next += i.end - i.begin;
        }
}

SolveLayouts solve_layouts(const Analysis& analysis, const TreeShare& share,
                           const std::vector<SecondPassPositions>& named, SolvePart part) {
    const std::vector<PlannedUnit> units = plan_units(analysis);
    const SolveLayout below(units, share, {}), above(units, share, position_routes(units, share, named).moved);
    const bool begins_below = part == SolvePart::all || part == SolvePart::forward;
    const bool ends_below = part == SolvePart::all || part == SolvePart::backward;
    return {begins_below ? below : above, ends_below ? below : above};
}

#define FROND_INSTANTIATE(T)                                                         \
    template LargeVector<T> SolveLayout::pack<T>(index_t, DenseView<const T>) const; \
    template void SolveLayout::unpack<T>(index_t, std::span<const T>, DenseView<T>) const;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

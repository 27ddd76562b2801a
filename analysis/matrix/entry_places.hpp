// SPDX-License-Identifier: BSD-3-Clause
// The positions of the values of the canonical matrix among those of the caller.
#pragma once

#include "frond/base/vector_index.hpp"
#include "frond/matrix/sparse_matrix.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace frond::detail {

inline constexpr count_t nowhere = std::numeric_limits<count_t>::max();

/// A caller's entry among those of the canonical matrix.
struct EntryPlace {
    index_t row = 0, column = 0;
    count_t position = 0;  // ~position: mirrored
};

/// visit(EntryPlace) for every canonical entry that a caller's entry stands for, in the caller's order. upper_too: of both
/// triangles of a symmetric matrix also the upper one, mirrored.
template <class Source, class Visit>
void for_each_place(const Source& source, Triangle stored, bool upper_too, Visit&& visit) {
    const count_t base = source.base();
    const bool symmetric = source.symmetry() != Symmetry::general;
    const bool skew = source.symmetry() == Symmetry::skew_symmetric;
    source.for_each([&](count_t e, count_t i, count_t j, auto) {
        auto row = static_cast<index_t>(i - base), column = static_cast<index_t>(j - base);
        const bool is_upper = symmetric && (row < column || (row == column && stored == Triangle::upper));
        if (is_upper && stored == Triangle::both && !upper_too) return;
        if (is_upper) std::swap(row, column);
        const count_t position = is_upper ? ~e : e;
        visit(EntryPlace{row, column, position});
        if (skew && row != column) visit(EntryPlace{column, row, ~position});
    });
}

/// Places in the order of the columns, if that is the canonical one: no entry twice, none missing, rows ascending.
template <class Source>
bool fill_in_order(const Source& source, Triangle stored, const Pattern& p, std::vector<count_t>& list) {
    std::vector<count_t> next(p.begin.begin(), p.begin.end() - 1);
    list.assign(at(p.entries()), nowhere);
    bool in_order = true;
    count_t filled = 0;
    for_each_place(source, stored, false, [&](const EntryPlace& place) {
        const count_t e = next[at(place.column)];
        in_order = in_order && e < p.begin[at(place.column) + 1] && p.row[at(e)] == place.row;
        if (!in_order) return;
        list[at(e)] = place.position;
        ++next[at(place.column)];
        ++filled;
    });
    return in_order && filled == p.entries();
}

inline count_t entry_at(const Pattern& p, index_t i, index_t j) {
    const auto first = p.row.begin() + p.begin[at(j)], last = p.row.begin() + p.begin[at(j) + 1];
    return std::lower_bound(first, last, i) - p.row.begin();
}

struct AddedValue {
    count_t entry = 0, position = 0;
};

/// Finds positions by search; what comes to a position that is taken is added there.
template <class Source>
std::vector<AddedValue> fill_by_search(const Source& source, Triangle stored, const Pattern& p,
                                       std::vector<count_t>& list) {
    std::vector<AddedValue> added;
    list.assign(at(p.entries()), nowhere);
    for_each_place(source, stored, false, [&](const EntryPlace& place) {
        const count_t e = entry_at(p, place.row, place.column);
        if (list[at(e)] == nowhere)
            list[at(e)] = place.position;
        else
            added.push_back({e, place.position});
    });
    if (std::find(list.begin(), list.end(), nowhere) != list.end()) {
        std::vector<char> lacks(list.size());
        for (std::size_t e = 0; e < list.size(); ++e) lacks[e] = list[e] == nowhere;
        for_each_place(source, stored, true, [&](const EntryPlace& place) {
            const count_t e = entry_at(p, place.row, place.column);
            if (!lacks[at(e)]) return;
            if (list[at(e)] == nowhere)
                list[at(e)] = place.position;
            else
                added.push_back({e, place.position});
        });
    }
    std::stable_sort(added.begin(), added.end(),
                     [](const AddedValue& x, const AddedValue& y) { return x.entry < y.entry; });
    return added;
}

}  // namespace frond::detail

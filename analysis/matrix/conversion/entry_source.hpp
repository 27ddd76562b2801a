// SPDX-License-Identifier: BSD-3-Clause
// One way to walk the caller's matrix, whatever its layout.
#pragma once

#include "frond/matrix/sparse_matrix.hpp"

#include <algorithm>

namespace frond::detail {

/// for_range() calls visit(position, row, column, value) for the entries first .. last - 1, for_each() for all, in the
/// caller's order and in the caller's numbering (0- or 1-based). visit takes 64-bit numbers.
template <class T, class I>
struct CompressedSource {
    const CompressedView<T, I>& a;

    count_t rows() const { return a.rows; }

    count_t cols() const { return a.cols; }

    count_t base() const { return a.one_based ? 1 : 0; }

    count_t major() const { return a.layout == Layout::columns ? a.cols : a.rows; }

    count_t entries() const { return major() == 0 ? 0 : count_t{a.begin[major()]} - base(); }

    Symmetry symmetry() const { return a.symmetry; }

    Triangle stored() const { return a.stored; }

    template <class Visit>
    void for_each(Visit&& visit) const {
        for_range(0, entries(), visit);
    }

    template <class Visit>
    void for_range(count_t first, count_t last, Visit&& visit) const {
        if (a.layout == Layout::columns)
            walk(first, last, [&](count_t e, count_t j) { visit(e, count_t{a.index[e]}, j, a.value[e]); });
        else
            walk(first, last, [&](count_t e, count_t i) { visit(e, i, count_t{a.index[e]}, a.value[e]); });
    }

private:
    template <class Visit>
    void walk(count_t first, count_t last, Visit&& visit) const {
        if (first >= last) return;
        const I* const line_after = std::upper_bound(a.begin, a.begin + major() + 1, static_cast<I>(first + base()));
        count_t e = first;
        for (count_t k = line_after - a.begin - 1; e < last; ++k)
            for (const count_t end = std::min(last, a.begin[k + 1] - base()); e < end; ++e) visit(e, k + base());
    }
};

template <class T, class I>
struct TripletSource {
    const TripletView<T, I>& a;

    count_t rows() const { return a.rows; }

    count_t cols() const { return a.cols; }

    count_t base() const { return a.one_based ? 1 : 0; }

    count_t entries() const { return a.entries; }

    Symmetry symmetry() const { return a.symmetry; }

    Triangle stored() const { return a.stored; }

    template <class Visit>
    void for_each(Visit&& visit) const {
        for_range(0, a.entries, visit);
    }

    template <class Visit>
    void for_range(count_t first, count_t last, Visit&& visit) const {
        for (count_t e = first; e < last; ++e) visit(e, count_t{a.row[e]}, count_t{a.column[e]}, a.value[e]);
    }
};

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
// One way to walk the caller's matrix, whatever its layout.
#pragma once

#include "frond/matrix/sparse_matrix.hpp"

namespace frond::detail {

/// Calls visit(position, row, column, value) for every entry, in the caller's order and in the
/// caller's numbering (0- or 1-based). visit takes 64-bit numbers.
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
        if (a.layout == Layout::columns)
            walk([&](count_t e, count_t j) { visit(e, count_t{a.index[e]}, j, a.value[e]); });
        else
            walk([&](count_t e, count_t i) { visit(e, i, count_t{a.index[e]}, a.value[e]); });
    }

private:
    template <class Visit>
    void walk(Visit&& visit) const {
        const count_t last = major();
        for (count_t k = 0; k < last; ++k)
            for (count_t e = a.begin[k] - base(); e < a.begin[k + 1] - base(); ++e) visit(e, k + base());
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
        for (count_t e = 0; e < a.entries; ++e) visit(e, count_t{a.row[e]}, count_t{a.column[e]}, a.value[e]);
    }
};

}  // namespace frond::detail

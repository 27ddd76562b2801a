// SPDX-License-Identifier: BSD-3-Clause
// One way to walk the caller's matrix, whatever its layout.
#pragma once

#include "../../base/on_threads.hpp"
#include "../canonical_form.hpp"
#include "frond/matrix/sparse_matrix.hpp"

#include <algorithm>

namespace frond::detail {

/// The scalar of a view whose positions alone count: one instance serves the views of all scalars.
struct NoValue {};

template <class T>
T value_at(const T* values, count_t e) {
    return values[e];
}

inline NoValue value_at(const NoValue*, count_t) { return {}; }

template <class T, class I>
CompressedView<NoValue, I> positions_of(const CompressedView<T, I>& a) {
    return {a.rows, a.cols, a.begin, a.index, nullptr, a.layout, a.symmetry, a.stored, a.one_based};
}

template <class T, class I>
TripletView<NoValue, I> positions_of(const TripletView<T, I>& a) {
    return {a.rows, a.cols, a.entries, a.row, a.column, nullptr, a.symmetry, a.stored, a.one_based};
}

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
            walk(first, last, [&](count_t e, count_t j) { visit(e, count_t{a.index[e]}, j, value_at(a.value, e)); });
        else
            walk(first, last, [&](count_t e, count_t i) { visit(e, i, count_t{a.index[e]}, value_at(a.value, e)); });
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
        for (count_t e = first; e < last; ++e) visit(e, count_t{a.row[e]}, count_t{a.column[e]}, value_at(a.value, e));
    }
};

// The entries of a list at their positions in the canonical form.

/// Blocks of a list that threads take; they depend on nothing but its length.
inline ChunkedRange blocks_of(count_t entries) {
    constexpr count_t least = 1 << 16, most_blocks = 256;
    return {entries, std::max(least, (entries + most_blocks - 1) / most_blocks)};
}

/// The values of checked entries: rows and columns count from 0, and an upper triangle is mirrored into the lower one.
template <class V, class Source>
struct PlacedValues {
    using Value = V;

    const Source& source;
    bool upper;

    count_t entries() const { return source.entries(); }
    index_t rows() const { return static_cast<index_t>(source.rows()); }
    index_t cols() const { return static_cast<index_t>(source.cols()); }

    /// visit(position, row, column, value) of the entries first .. last - 1.
    template <class Visit>
    void for_range(count_t first, count_t last, Visit&& visit) const {
        const count_t base = source.base();
        if (upper)
            source.for_range(first, last, [&, symmetry = source.symmetry()](count_t e, count_t i, count_t j, V value) {
                visit(e, static_cast<index_t>(j - base), static_cast<index_t>(i - base), mirrored(value, symmetry));
            });
        else
            source.for_range(first, last, [&](count_t e, count_t i, count_t j, V value) {
                visit(e, static_cast<index_t>(i - base), static_cast<index_t>(j - base), value);
            });
    }
};

/// The entries with their position in place of their value; mirrors: ~position, since its value changes.
template <class Source>
struct PlacedPositions {
    using Value = count_t;

    const Source& source;
    bool upper;
    bool mirrors;

    count_t entries() const { return source.entries(); }
    index_t rows() const { return static_cast<index_t>(source.rows()); }
    index_t cols() const { return static_cast<index_t>(source.cols()); }

    template <class Visit>
    void for_range(count_t first, count_t last, Visit&& visit) const {
        source.for_range(first, last, [&, base = source.base()](count_t e, count_t i, count_t j, auto) {
            const auto row = static_cast<index_t>(i - base), column = static_cast<index_t>(j - base);
            visit(e, upper ? column : row, upper ? row : column, mirrors ? ~e : e);
        });
    }
};

/// The entries of the transpose of a.
template <class T>
struct TransposedEntries {
    using Value = T;

    const SparseMatrix<T>& a;

    count_t entries() const { return a.entries(); }
    index_t rows() const { return a.cols(); }
    index_t cols() const { return a.rows(); }

    template <class Visit>
    void for_range(count_t first, count_t last, Visit&& visit) const {
        const std::vector<count_t>& begin = a.pattern.begin;
        auto j = static_cast<index_t>(std::upper_bound(begin.begin(), begin.end(), first) - begin.begin() - 1);
        for (count_t e = first; e < last; ++j)
            for (const count_t end = std::min(last, begin[static_cast<std::size_t>(j) + 1]); e < end; ++e)
                visit(e, j, a.pattern.row[static_cast<std::size_t>(e)], a.value[static_cast<std::size_t>(e)]);
    }
};

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
// The entries of a list at their positions in the canonical form.
#pragma once

#include "../../base/on_threads.hpp"
#include "../mirror.hpp"
#include "frond/matrix/sparse_matrix.hpp"

#include <algorithm>

namespace frond::detail {

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

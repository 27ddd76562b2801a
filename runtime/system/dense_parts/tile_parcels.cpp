// SPDX-License-Identifier: BSD-3-Clause
#include "system/dense_parts/tile_parcels.hpp"

#include "frond/analysis/dense_steps.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::detail {
namespace {

enum class Mirrored : bool { no, yes };

IndexRange common(IndexRange a, IndexRange b) { return {std::max(a.begin, b.begin), std::min(a.end, b.end)}; }

/// visit(positions of rows, position of the column, whether they go to the other side of the diagonal), for what the
/// part has of the entries that the tile reads: of a symmetric matrix an entry (i, j) stands for (j, i), too.
template <class Visit>
void for_columns_of_tile(const DenseParts& parts, const DenseParts::Part& part, const TilePlace& tile,
                         const Visit& visit) {
    const auto walk = [&](IndexRange rows, IndexRange columns, Mirrored mirrored, bool with_diagonal) {
        const IndexRange places = places_of(part.column, columns);
        for (index_t q = places.begin; q < places.end; ++q) {
            const index_t column = part.column[at(q)];
            IndexRange read = common(rows, parts.rows_read(column));
            if (!with_diagonal && parts.upper) read.end = std::min(read.end, column);
            if (!with_diagonal && !parts.upper) read.begin = std::max(read.begin, column + 1);
            const IndexRange found = places_of(part.row, read);
            if (found.size() > 0) visit(found, q, mirrored);
        }
    };
    const bool one_triangle = parts.has_one_triangle();
    const bool all_mirrored = tile.lower && parts.upper, none_mirrored = !one_triangle || (tile.lower && !parts.upper);
    if (!all_mirrored) walk(tile.rows, tile.columns, Mirrored::no, true);
    if (!none_mirrored) walk(tile.columns, tile.rows, Mirrored::yes, all_mirrored);
}

}  // namespace

count_t entries_of_tile(const DenseParts& parts, const DenseParts::Part& part, const TilePlace& tile) {
    count_t entries = 0;
    for_columns_of_tile(parts, part, tile, [&](IndexRange rows, index_t, Mirrored) { entries += rows.size(); });
    return entries;
}

template <class T>
T* pack_tile(const DensePart<T>& from, const TilePlace& tile, T* to) {
    for_columns_of_tile(from.all(), from.mine(), tile, [&](IndexRange rows, index_t q, Mirrored) {
        from.copy(rows, q, to);
        to += rows.size();
    });
    return to;
}

template <class T>
const T* unpack_tile(const DenseParts& parts, const DenseParts::Part& giver, const TilePlace& place,
                     const Scaling& scaling, const T* from, DenseView<T> tile) {
    const bool hermitian = parts.symmetry == Symmetry::hermitian, scaled = !scaling.row.empty();
    const auto put = [&](index_t i, index_t j, T value) {
        if (hermitian && i == j) value = T(real_part(value));
        if (scaled) value = scaled_entry(value, scaling.row[at(i)], scaling.column[at(j)]);
        tile(i - place.rows.begin, j - place.columns.begin) = value;
    };
    for_columns_of_tile(parts, giver, place, [&](IndexRange rows, index_t q, Mirrored mirrored) {
        const index_t column = giver.column[at(q)];
        for (index_t p = rows.begin; p < rows.end && tile.data != nullptr; ++p) {
            const T value = from[p - rows.begin];
            if (mirrored == Mirrored::yes)
                put(column, giver.row[at(p)], hermitian ? conjugate(value) : value);
            else
                put(giver.row[at(p)], column, value);
        }
        from += rows.size();
    });
    return from;
}

#define FROND_INSTANTIATE(T)                                                                                       \
    template T* pack_tile<T>(const DensePart<T>&, const TilePlace&, T*);                                           \
    template const T* unpack_tile<T>(const DenseParts&, const DenseParts::Part&, const TilePlace&, const Scaling&, \
                                     const T*, DenseView<T>);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

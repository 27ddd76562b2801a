// SPDX-License-Identifier: BSD-3-Clause
#include "system/dense_parts/dense_parts.hpp"

#include <numeric>
#include <string>

#include "system/dense_parts/check_parts.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/enum_text.hpp"
#include "ranks/collectively.hpp"
#include "ranks/message.hpp"

namespace frond::detail {
namespace {

/// What must be the same on all ranks.
template <class T>
NamedValues shape_of(const DenseMatrixView<T>& a) {
    const DenseLayout& l = a.layout;
    return {{"the order of the dense matrix", std::to_string(a.order)},
            {"the symmetry of the dense matrix", to_string(a.symmetry)},
            {"the triangle of the dense matrix", a.reads_upper() ? "upper" : "lower"},
            {"how the dense matrix is given", a.has_maps() ? "by row_map and column_map" : "by a layout"},
            {"the layout of the dense matrix",
             "blocks of " + std::to_string(l.row_block) + " x " + std::to_string(l.column_block) + " on a grid of " +
                 std::to_string(l.process_rows) + " x " + std::to_string(l.process_columns)}};
}

/// numbers := themselves in ascending order; returns where each was.
std::vector<index_t> sort_numbers(std::vector<index_t>& numbers) {
    std::vector<index_t> place(numbers.size());
    std::iota(place.begin(), place.end(), 0);
    if (std::is_sorted(numbers.begin(), numbers.end())) return place;
    std::sort(place.begin(), place.end(), [&](index_t a, index_t b) { return numbers[at(a)] < numbers[at(b)]; });
    std::vector<index_t> sorted;
    for (const index_t p : place) sorted.push_back(numbers[at(p)]);
    numbers = std::move(sorted);
    return place;
}

std::vector<index_t> numbers_of_map(const std::optional<std::span<const index_t>>& map, count_t order) {
    if (map) return {map->begin(), map->end()};
    std::vector<index_t> all(at(order));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

/// The numbers of the rank's rows and columns, in the order of the array.
template <class T>
DenseParts::Part numbers_of(const DenseMatrixView<T>& a, index_t rank) {
    if (!a.has_maps()) return {a.layout.rows_of(rank, a.order), a.layout.columns_of(rank, a.order)};
    return {numbers_of_map(a.row_map, a.order), numbers_of_map(a.column_map, a.order)};
}

/// parts.part of all ranks, of which this one has its own.
void share_parts(Communicator& ranks, DenseParts& parts) {
    for (index_t r = 0; r < ranks.size(); ++r) {
        DenseParts::Part& part = parts.part[at(r)];
        std::vector<std::byte> bytes;
        collectively(ranks, [&] {
            if (r != ranks.rank()) return;
            Packer pack;
            pack(part.row, part.column);
            bytes = pack.bytes();
        });
        broadcast_bytes(ranks, bytes, r);
        collectively(ranks, [&] {
            if (r == ranks.rank()) return;
            Unpacker unpack(bytes);
            unpack(part.row, part.column);
        });
    }
}

}  // namespace

IndexRange places_of(const std::vector<index_t>& list, IndexRange range) {
    const auto first = std::lower_bound(list.begin(), list.end(), range.begin);
    const auto last = std::lower_bound(first, list.end(), std::max(range.begin, range.end));
    return {static_cast<index_t>(first - list.begin()), static_cast<index_t>(last - list.begin())};
}

template <class T>
DensePart<T>::DensePart(Communicator& ranks, const DenseMatrixView<T>& a) : view_(a), rank_(ranks.rank()) {
    expect_agreement(ranks, shape_of(a));
    auto parts = std::make_shared<DenseParts>();
    collectively(ranks, [&] {
        check_dense_part(a, rank_, ranks.size());
        parts->order = static_cast<index_t>(a.order);
        parts->symmetry = a.symmetry;
        parts->upper = a.reads_upper();
        parts->part.resize(at(ranks.size()));
        DenseParts::Part part = numbers_of(a, rank_);
        ld_ = a.ld > 0 ? a.ld : static_cast<count_t>(part.row.size());
        row_place_ = sort_numbers(part.row);
        column_place_ = sort_numbers(part.column);
        parts->part[at(rank_)] = std::move(part);
    });
    view_.row_map = view_.column_map = std::nullopt;  // the caller's, who may drop them
    share_parts(ranks, *parts);
    collectively(
        ranks, [&] { expect_each_once(*parts); }, NameRank::no);
    all_ = std::move(parts);
}

#define FROND_INSTANTIATE(T) template class DensePart<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#include "row_blocks/entry_plan.hpp"

#include <algorithm>

#include "frond/base/instantiate.hpp"
#include "frond/base/large_vector.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/matrix/operations.hpp"
#include "ranks/collectively.hpp"
#include "row_blocks/for_chunks.hpp"
#include "row_blocks/parcel_places.hpp"
#include "row_blocks/row_plan.hpp"

namespace frond::detail {
namespace {

/// visit(position, row, column) of all entries of a canonical matrix.
template <class T, class Visit>
void for_entries(const SparseMatrix<T>& a, Visit visit) {
    for (index_t j = 0; j < a.cols(); ++j)
        for (count_t e = a.pattern.begin[static_cast<std::size_t>(j)];
             e < a.pattern.begin[static_cast<std::size_t>(j) + 1]; ++e)
            visit(e, a.pattern.row[static_cast<std::size_t>(e)], j);
}

template <class T>
T mirror_value(T x, Symmetry symmetry) {
    if (symmetry == Symmetry::hermitian) return conjugate(x);
    return symmetry == Symmetry::skew_symmetric ? -x : x;
}

/// Columns that are mirrored entries', for the way.
index_t marked(index_t column, bool mirrored) { return mirrored ? ~column : column; }

}  // namespace

template <class T>
EntryPlan<T>::EntryPlan(Communicator& ranks, const RankPart<T>& part, const RowCuts* cuts)
    : declared_(part.declared),
      both_triangles_(part.both_triangles),
      mirrors_(part.both_triangles || part.entries->symmetry != Symmetry::general) {
    const SparseMatrix<T>& a = *part.entries;
    auto pattern = std::make_shared<BlockPattern>();
    std::vector<count_t> entries = entries_of_rows(ranks, part);
    if (cuts == nullptr) ranks.all_reduce_sum(entries);
    pattern->cuts = cuts != nullptr ? *cuts : equal_cuts(entries, ranks.size());
    pattern->rank = ranks.rank();
    // Skew-symmetric matrices are general ones inside Frond, and real Hermitian ones symmetric.
    const Symmetry kept = both_triangles_ ? declared_ : a.symmetry;
    pattern->symmetry = kept == Symmetry::skew_symmetric ? Symmetry::general : kept;
    if (!is_complex<T> && kept == Symmetry::hermitian) pattern->symmetry = Symmetry::symmetric;
    pattern_ = std::move(pattern);
    if (part.by_rows) RowPlan(ranks, pattern_->cuts, part.rows, RowsGiven::once, "A");
    entries_ = a.entries();
    hash_ = hash_pattern(a.pattern);
    send_pattern(ranks, a);
}

/// Of both triangles, as this rank has them.
template <class T>
std::vector<count_t> EntryPlan<T>::entries_of_rows(Communicator& ranks, const RankPart<T>& part) const {
    const SparseMatrix<T>& a = *part.entries;
    std::vector<count_t> entries;
    collectively(ranks, [&] {
        entries.assign(static_cast<std::size_t>(a.rows()), 0);
        for_entries(a, [&](count_t, index_t i, index_t j) {
            if (i < 0 || i >= a.rows())
                throw InvalidMatrix("a sparse matrix has an entry in row " + std::to_string(i) + ", but order " +
                                    std::to_string(a.rows()) + "; make it by make_sparse()");
            ++entries[static_cast<std::size_t>(i)];
            if (mirrors_ && i != j) ++entries[static_cast<std::size_t>(j)];
        });
    });
    return entries;
}

template <class T>
void EntryPlan<T>::send_pattern(Communicator& ranks, const SparseMatrix<T>& a) {
    const RowCuts& cuts = pattern_->cuts;
    Parcels<BlockEntry> out;
    collectively(ranks, [&] {
        std::vector<count_t> sizes(static_cast<std::size_t>(ranks.size()), 0);
        const auto both_ways = [&](auto visit) {
            for_entries(a, [&](count_t e, index_t i, index_t j) {
                visit(cuts.owner(i), e, i, j, false);
                if (mirrors_ && i != j) visit(cuts.owner(j), e, j, i, true);
            });
        };
        both_ways([&](index_t to, count_t, index_t, index_t, bool) { ++sizes[static_cast<std::size_t>(to)]; });
        out_begin_ = out.begin = begin_of_sizes(sizes);
        std::vector<count_t> next(out.begin.begin(), out.begin.end() - 1);
        std::vector<count_t> from(static_cast<std::size_t>(out.begin.back()));
        out.data.resize(from.size());
        both_ways([&](index_t to, count_t e, index_t row, index_t column, bool mirrored) {
            const auto at = static_cast<std::size_t>(next[static_cast<std::size_t>(to)]++);
            from[at] = mirrored ? ~e : e;
            out.data[at] = {row - cuts.begin(to), marked(column, mirrored)};
        });
        from_ = Positions(from);
    });
    Parcels<BlockEntry> in = exchanged(ranks, out);
    in_begin_ = std::move(in.begin);
    collectively(ranks, [&] {
        std::vector<bool> mirrored(in.data.size());
        for (std::size_t k = 0; k < in.data.size(); ++k)
            if ((mirrored[k] = in.data[k].column < 0)) in.data[k].column = ~in.data[k].column;
        auto pattern = std::make_shared<BlockPattern>(*pattern_);
        std::vector<count_t> to = sort_entries(in.data, *pattern);
        pattern_ = std::move(pattern);
        for (std::size_t k = 0; k < to.size(); ++k)
            if (both_triangles_ && mirrored[k]) to[k] = ~to[k];
        each_comes_once_ = !both_triangles_ && to.size() == pattern_->column.size();
        to_ = Positions(to);
    });
}

template <class T>
bool EntryPlan<T>::suits(const RankPart<T>& part) const {
    const SparseMatrix<T>& a = *part.entries;
    return part.declared == declared_ && part.both_triangles == both_triangles_ && a.rows() == pattern_->cuts.order() &&
           a.entries() == entries_ && hash_pattern(a.pattern) == hash_;
}

template <class T>
count_t EntryPlan<T>::bytes() const {
    const std::size_t of_rows = pattern_->begin.size() * sizeof(count_t);
    return from_.bytes() + to_.bytes() +
           static_cast<count_t>(of_rows + pattern_->column.size() * (sizeof(index_t) + sizeof(T)));
}

/// What goes to a place in the parcels of all ranks.
template <class T>
T EntryPlan<T>::given(std::span<const T> mine, count_t place) const {
    const count_t e = from_[at(place)];
    return e < 0 ? mirror_value(mine[at(~e)], declared_) : mine[at(e)];
}

template <class T>
LargeVector<T> EntryPlan<T>::values(Communicator& ranks, std::span<const T> mine,
                                    const ParallelFor& parallel_for) const {
    const ParcelPlaces out_places(out_begin_, ranks.rank()), in_places(in_begin_, ranks.rank());
    LargeVector<T> out, in;
    collectively(ranks, [&] {
        out.resize(out_places.size());
        in.resize(in_places.size());
        // The thread that receives would have the system clear all pages itself.
        for_chunks(static_cast<count_t>(in.size()), parallel_for, [&](count_t, count_t first, count_t last) {
            std::fill(in.begin() + first, in.begin() + last, T(0));
        });
        for_chunks(out_begin_.back(), parallel_for, [&](count_t, count_t first, count_t last) {
            for (count_t place = first; place < last; ++place)
                if (!out_places.is_own(place)) out[out_places.other(place)] = given(mine, place);
        });
    });
    exchange_parcels<T>(ranks, out, out_places.begin(), in, in_places.begin());
    const auto incoming = [&](count_t place) {
        if (in_places.is_own(place)) return given(mine, out_places.own_begin() + in_places.own(place));
        return in[in_places.other(place)];
    };
    LargeVector<T> value, mirrored;
    collectively(ranks, [&] {
        value = sums(incoming, false, parallel_for);
        if (both_triangles_) mirrored = sums(incoming, true, parallel_for);
    });
    if (both_triangles_) return agreed(ranks, std::move(value), mirrored);
    return value;
}

/// Of those that are mirrored, or are not.
template <class T>
template <class Incoming>
LargeVector<T> EntryPlan<T>::sums(const Incoming& incoming, bool mirrored, const ParallelFor& parallel_for) const {
    LargeVector<T> value;
    if (each_comes_once_) {
        value.resize(pattern_->column.size());
        for_chunks(in_begin_.back(), parallel_for, [&](count_t, count_t first, count_t last) {
            for (count_t place = first; place < last; ++place) value[at(to_[at(place)])] = incoming(place);
        });
        return value;
    }
    value.assign(pattern_->column.size(), T(0));
    for (count_t place = 0; place < in_begin_.back(); ++place) {
        const count_t to = to_[at(place)];
        if ((to < 0) == mirrored) value[at(mirrored ? ~to : to)] += incoming(place);
    }
    return value;
}

#define FROND_INSTANTIATE(T) template class EntryPlan<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

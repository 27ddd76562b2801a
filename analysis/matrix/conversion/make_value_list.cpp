// SPDX-License-Identifier: BSD-3-Clause
// The positions of the values of the canonical matrix among those of the caller.
#include "../canonical_form.hpp"
#include "entry_source.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/matrix/sparse_matrix.hpp"
#include "frond/matrix/value_list.hpp"
#include "ordered_list.hpp"
#include "sort_columns.hpp"

#include <algorithm>
#include <array>
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

namespace frond {

// Finds, from a list of entries and its canonical form, the positions of the values.

namespace {

using namespace detail;

/// True: one triangle is given, so that each entry is there once, and ColumnSort brings the same to the columns.
bool has_place_of_its_own(Symmetry declared, Triangle stored) {
    return declared == Symmetry::general || (declared != Symmetry::skew_symmetric && stored != Triangle::both);
}

/// Which lists have the same meaning of their arrays.
template <class View>
std::uint64_t hash_of_kind(const View& a, std::size_t index_bytes, int form, count_t entries) {
    const std::array<std::int64_t, 8> kind{a.rows,
                                           a.cols,
                                           entries,
                                           form,
                                           static_cast<std::int64_t>(index_bytes),
                                           static_cast<std::int64_t>(a.symmetry),
                                           static_cast<std::int64_t>(a.stored),
                                           a.one_based ? 1 : 0};
    return hash_array(kind.data(), sizeof kind, 1);
}

template <class I>
std::uint64_t hash_of_indices(const I* indices, count_t entries, std::uint64_t seed, const ParallelFor& parallel_for) {
    return hash_array(indices, at(entries) * sizeof(I), seed, parallel_for);
}

ParallelFor on_threads_for(index_t threads, count_t entries) {
    return [threads = threads_for(threads, entries)](count_t chunks, const std::function<void(count_t)>& body) {
        for_each_chunk(threads, chunks, body);
    };
}

}  // namespace

template <class T, class I>
ValueList::ValueList(const CompressedView<T, I>& a, const SparseMatrix<T>& canonical, index_t threads) {
    const CompressedView<NoValue, I> positions = positions_of(a);
    make(CompressedSource<NoValue, I>{positions}, a.stored, canonical.pattern, threads);
    hash_ = hash_of_list(a, threads);
}

template <class T, class I>
ValueList::ValueList(const TripletView<T, I>& a, const SparseMatrix<T>& canonical, index_t threads) {
    const TripletView<NoValue, I> positions = positions_of(a);
    make(TripletSource<NoValue, I>{positions}, a.stored, canonical.pattern, threads);
    hash_ = hash_of_list(a, threads);
}

/// Null: it has other entries, or values that count at more than one position.
template <class T, class I>
std::optional<std::uint64_t> ValueList::hash_of_list(const CompressedView<T, I>& a, index_t threads) const {
    const count_t major = a.layout == Layout::columns ? a.cols : a.rows, base = a.one_based ? 1 : 0;
    if (!is_alike(a) || major < 1 || a.begin == nullptr || a.begin[major] != given_ + base) return {};
    if (given_ > 0 && (a.index == nullptr || a.value == nullptr)) return {};
    const ParallelFor parallel_for = on_threads_for(threads, given_);
    const std::uint64_t kind = hash_of_kind(a, sizeof(I), a.layout == Layout::columns ? 1 : 2, given_);
    return hash_of_indices(a.index, given_, hash_of_indices(a.begin, major + 1, kind, parallel_for), parallel_for);
}

template <class T, class I>
std::optional<std::uint64_t> ValueList::hash_of_list(const TripletView<T, I>& a, index_t threads) const {
    if (!is_alike(a) || a.entries != given_) return {};
    if (given_ > 0 && (a.row == nullptr || a.column == nullptr)) return {};
    const ParallelFor parallel_for = on_threads_for(threads, given_);
    const std::uint64_t kind = hash_of_kind(a, sizeof(I), 0, given_);
    return hash_of_indices(a.column, given_, hash_of_indices(a.row, given_, kind, parallel_for), parallel_for);
}

template <class Source>
void ValueList::make(const Source& source, Triangle stored, const Pattern& p, index_t threads) {
    rows_ = source.rows();
    cols_ = source.cols();
    given_ = source.entries();
    declared_ = source.symmetry();
    base_ = source.base();
    swaps_ = stored == Triangle::upper && (declared_ == Symmetry::symmetric || declared_ == Symmetry::hermitian);
    if (has_place_of_its_own(declared_, stored))
        sort_places(source, stored, p, threads_for(threads, given_));
    else
        find_places(source, stored, p);
    if (declared_ == Symmetry::hermitian || declared_ == Symmetry::skew_symmetric)
        for (index_t j = 0; j < p.cols; ++j) {
            const count_t e = entry_at(p, j, j);
            if (e < p.begin[at(j) + 1] && p.row[at(e)] == j) diagonal_.push_back(e);
        }
    bool identity = more_entry_.empty() && given_ == p.entries();
    for (std::size_t e = 0; identity && e < source_.size(); ++e) identity = source_[e] == static_cast<count_t>(e);
    if (identity) source_ = {};
}

/// Sorts positions as values are sorted, except duplicates, which stand next to each other.
template <class Source>
void ValueList::sort_places(const Source& source, Triangle stored, const Pattern& p, index_t threads) {
    const bool upper = declared_ != Symmetry::general && stored == Triangle::upper;
    const PlacedPositions<Source> placed{source, upper, upper && declared_ == Symmetry::hermitian};
    if (!placed.mirrors && is_in_order(placed, threads)) return;
    bool strictly = true;
    SparseMatrix<count_t> places = ColumnSort(placed, threads).sorted(strictly);
    if (strictly) {
        source_ = std::move(places.value);
        return;
    }
    const Pattern& all = places.pattern;
    source_.resize(at(p.entries()));
    count_t e = -1;
    for (index_t j = 0; j < all.cols; ++j)
        for (count_t k = all.begin[at(j)]; k < all.begin[at(j) + 1]; ++k) {
            const count_t position = places.value[at(k)];
            if (k > all.begin[at(j)] && all.row[at(k) - 1] == all.row[at(k)]) {
                more_entry_.push_back(e);
                more_source_.push_back(position);
            } else {
                source_[at(++e)] = position;
            }
        }
}

template <class Source>
void ValueList::find_places(const Source& source, Triangle stored, const Pattern& p) {
    if (fill_in_order(source, stored, p, source_)) return;
    for (const AddedValue& a : fill_by_search(source, stored, p, source_)) {
        more_entry_.push_back(a.entry);
        more_source_.push_back(a.position);
    }
}

#define FROND_INSTANTIATE_INDEX(T, I)                                                                          \
    template ValueList::ValueList(const CompressedView<T, I>&, const SparseMatrix<T>&, index_t);               \
    template ValueList::ValueList(const TripletView<T, I>&, const SparseMatrix<T>&, index_t);                  \
    template std::optional<std::uint64_t> ValueList::hash_of_list(const CompressedView<T, I>&, index_t) const; \
    template std::optional<std::uint64_t> ValueList::hash_of_list(const TripletView<T, I>&, index_t) const;
#define FROND_INSTANTIATE(T)                 \
    FROND_INSTANTIATE_INDEX(T, std::int32_t) \
    FROND_INSTANTIATE_INDEX(T, std::int64_t)
FROND_FOR_EACH_MATRIX_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE
#undef FROND_INSTANTIATE_INDEX

}  // namespace frond

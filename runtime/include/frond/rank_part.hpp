// SPDX-License-Identifier: BSD-3-Clause
// A sparse matrix as a process gives it, in whatever form: the whole, or its part where several processes have it.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "frond/base/contract.hpp"
#include "frond/matrix/sparse_matrix.hpp"
#include "frond/matrix/value_list.hpp"
#include "frond/rows_view.hpp"

namespace frond {

namespace detail {

/// What a process gives of a matrix.
enum class Extent : bool { part, whole };

/// The canonical form of what one process gives, and from which array its values came.
template <class T>
struct RankPart {
    SharedMatrix<T> entries;  // order x order; general where both triangles of a symmetric kind were given
    Symmetry declared = Symmetry::general;
    bool both_triangles = false;  // of a symmetric kind: the partner of an entry may be with another process
    bool is_callers = false;  // entries are the caller's own, and live as long as the call
    bool by_rows = false;
    std::vector<index_t> rows;  // by_rows: those given
    bool is_of_view = false;  // else nothing was counted for input
    bool has_values = true;  // else the pattern alone is known, and all values are 0
    InputReport input;
    /// The order of the caller's array, for later values.
    std::function<std::shared_ptr<const ValueList>()> list;
};

/// The values of a list whose indices are known.
template <class T>
struct KnownValues {
    bool is_of_list = false;  // else the list is another one, and the rest says nothing
    const T* value = nullptr;
    Symmetry declared = Symmetry::general;
    bool both_triangles = false, by_rows = false;
    std::vector<index_t> rows;  // by_rows
};

/// A matrix whose form its users need not know.
template <class T>
struct GivenMatrix {
    /// By so many threads, 0: one a core. @throws InvalidMatrix
    std::function<RankPart<T>(Extent, index_t threads)> take;
    /// The values in the order of the list, if its indices are those of the list.
    std::function<KnownValues<T>(const ValueList& list, Extent, index_t threads)> in_order_of;
};

template <class T>
const SharedMatrix<T>& not_null(const SharedMatrix<T>& a) {
    FROND_EXPECTS(a != nullptr, "the shared matrix is null; give one that make_sparse() or read_matrix() made");
    return a;
}

template <class T>
RankPart<T> rank_part(const SharedMatrix<T>& a, Extent = Extent::part, index_t = 0) {
    RankPart<T> part;
    part.entries = not_null(a);
    part.declared = a->symmetry;
    part.list = [given = a->entries()] { return std::make_shared<const ValueList>(given); };
    return part;
}

template <class T>
RankPart<T> rank_part(const SparseMatrix<T>& a, Extent extent = Extent::part, index_t = 0) {
    RankPart<T> part = rank_part<T>(SharedMatrix<T>(SharedMatrix<T>(), &a), extent);
    part.is_callers = true;
    return part;
}

/// The entries of one process, of which both triangles are there, are a general matrix: the partner of one may be
/// elsewhere.
template <class View>
View entries_of(View a, Extent extent) {
    if (extent == Extent::part && a.symmetry != Symmetry::general && a.stored == Triangle::both)
        a.symmetry = Symmetry::general;
    return a;
}

template <class View>
bool has_both_triangles(const View& a) {
    return a.symmetry != Symmetry::general && a.stored == Triangle::both;
}

template <class T, class I>
count_t entries_in(const TripletView<T, I>& a) {
    return a.entries > 0 ? a.entries : 0;
}

/// 0 of what make_sparse refuses.
template <class T, class I>
count_t entries_in(const CompressedView<T, I>& a) {
    const count_t lines = a.layout == Layout::columns ? a.cols : a.rows;
    if (lines <= 0 || a.begin == nullptr || a.begin[lines] < a.begin[0]) return 0;
    return static_cast<count_t>(a.begin[lines]) - a.begin[0];
}

/// The part of a process that gives a compressed view or triplets. The whole may come without values.
template <class T, class View>
RankPart<T> part_of_view(const View& given, Extent extent, index_t threads) {
    RankPart<T> part;
    part.is_of_view = true;
    part.declared = given.symmetry;
    part.both_triangles = has_both_triangles(given);
    View a = entries_of(given, extent);
    std::vector<T> zeros;
    part.has_values = a.value != nullptr || entries_in(a) == 0 || extent == Extent::part;
    if (!part.has_values) {
        zeros.assign(static_cast<std::size_t>(entries_in(a)), T(0));
        a.value = zeros.data();
    }
    part.entries = std::make_shared<const SparseMatrix<T>>(make_sparse(a, &part.input, InputChecks::all, threads));
    return part;
}

template <class T, class View>
RankPart<T> rank_part(const View& a, Extent extent = Extent::part, index_t threads = 0) {
    RankPart<T> part = part_of_view<T>(a, extent, threads);
    part.list = [view = entries_of(a, extent), entries = part.entries, threads] {
        return std::make_shared<const ValueList>(view, *entries, threads);
    };
    return part;
}

template <class T, class I>
RankPart<T> rank_part(const RowsView<T, I>& a, Extent extent = Extent::part, index_t threads = 0) {
    const RowTriplets<T, I> triplets(a, extent == Extent::whole);
    RankPart<T> part = part_of_view<T>(triplets.view(), extent, threads);
    part.by_rows = true;
    part.rows = triplets.rows();
    part.list = [a, entries = part.entries, extent, threads] {
        const RowTriplets<T, I> of_list(a, extent == Extent::whole);
        return std::make_shared<const ValueList>(entries_of(of_list.view(), extent), *entries, threads);
    };
    return part;
}

template <class T>
KnownValues<T> known_values(const SharedMatrix<T>&, const ValueList&, Extent, index_t) {
    return {};
}

template <class T>
KnownValues<T> known_values(const SparseMatrix<T>&, const ValueList&, Extent, index_t) {
    return {};
}

template <class T, class View>
KnownValues<T> known_values(const View& a, const ValueList& list, Extent extent, index_t threads) {
    if ((a.value == nullptr && entries_in(a) > 0) || !list.is_of(entries_of(a, extent), threads)) return {};
    return {true, a.value, a.symmetry, has_both_triangles(a), false, {}};
}

template <class T, class I>
KnownValues<T> known_values(const RowsView<T, I>& a, const ValueList& list, Extent extent, index_t threads) {
    const RowTriplets<T, I> triplets(a, extent == Extent::whole);
    KnownValues<T> known = known_values<T>(triplets.view(), list, extent, threads);
    known.by_rows = true;
    known.rows = triplets.rows();
    return known;
}

/// a must outlive it.
template <class T, class Matrix>
GivenMatrix<T> given_matrix(const Matrix& a) {
    return {[&a](Extent extent, index_t threads) { return rank_part<T>(a, extent, threads); },
            [&a](const ValueList& list, Extent extent, index_t threads) {
                return known_values<T>(a, list, extent, threads);
            }};
}

}  // namespace detail
}  // namespace frond

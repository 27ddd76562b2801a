// SPDX-License-Identifier: BSD-3-Clause
// What one process gives of a matrix that several processes have.
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

/// The canonical form of what one rank gives, and from which array its values came.
template <class T>
struct RankPart {
    SharedMatrix<T> entries;  // order x order; general where both triangles of a symmetric kind were given
    Symmetry declared = Symmetry::general;
    bool both_triangles = false;  // of a symmetric kind: the partner of an entry may be with another rank
    bool by_rows = false;
    std::vector<index_t> rows;  // by_rows: those given
    bool is_of_view = false;  // else nothing was counted for input
    InputReport input;
    std::shared_ptr<const ValueList> values;
};

/// Called where an exception is brought to all ranks.
template <class T>
using MakePart = std::function<RankPart<T>()>;

/// The values of a list whose indices are known.
template <class T>
struct KnownValues {
    bool is_of_list = false;  // else the list is another one, and the rest says nothing
    const T* value = nullptr;
    Symmetry declared = Symmetry::general;
    bool both_triangles = false, by_rows = false;
    std::vector<index_t> rows;  // by_rows
};

/// What a rank gives to a factorization.
template <class T>
struct GivenPart {
    MakePart<T> make;
    /// The values in the order of the list, if the part has the indices of the list.
    std::function<KnownValues<T>(const ValueList& list)> in_order_of;
};

template <class T>
RankPart<T> rank_part(const SharedMatrix<T>& a, index_t = 0) {
    FROND_EXPECTS(a != nullptr, "the shared matrix is null; give one that make_sparse() or read_matrix() made");
    RankPart<T> part;
    part.entries = a;
    part.declared = a->symmetry;
    part.values = std::make_shared<const ValueList>(a->entries());
    return part;
}

/// A part that does not own a, which lives as long as the call.
template <class T>
RankPart<T> rank_part(const SparseMatrix<T>& a, index_t = 0) {
    return rank_part<T>(SharedMatrix<T>(SharedMatrix<T>(), &a));
}

/// The entries of one rank, of which both triangles are there, are a general matrix: the partner of one may be elsewhere.
template <class View>
View entries_of_part(View a) {
    if (a.symmetry != Symmetry::general && a.stored == Triangle::both) a.symmetry = Symmetry::general;
    return a;
}

/// The part of a rank that gives a compressed view or triplets.
template <class T, class View>
RankPart<T> part_of_view(const View& given, index_t threads) {
    RankPart<T> part;
    part.is_of_view = true;
    part.declared = given.symmetry;
    part.both_triangles = given.symmetry != Symmetry::general && given.stored == Triangle::both;
    const View a = entries_of_part(given);
    const auto entries =
        std::make_shared<const SparseMatrix<T>>(make_sparse(a, &part.input, InputChecks::all, threads));
    part.values = std::make_shared<const ValueList>(a, *entries, threads);
    part.entries = entries;
    return part;
}

template <class T, class View>
RankPart<T> rank_part(const View& a, index_t threads = 0) {
    return part_of_view<T>(a, threads);
}

template <class T, class I>
RankPart<T> rank_part(const RowsView<T, I>& a, index_t threads = 0) {
    const RowTriplets<T, I> triplets(a, false);
    RankPart<T> part = part_of_view<T>(triplets.view(), threads);
    part.by_rows = true;
    part.rows = triplets.rows();
    return part;
}

template <class T>
KnownValues<T> known_values(const SharedMatrix<T>&, const ValueList&, index_t) {
    return {};
}

template <class T>
KnownValues<T> known_values(const SparseMatrix<T>&, const ValueList&, index_t) {
    return {};
}

template <class T, class View>
KnownValues<T> known_values(const View& a, const ValueList& list, index_t threads) {
    if (!list.is_of(entries_of_part(a), threads)) return {};
    return {true, a.value, a.symmetry, a.symmetry != Symmetry::general && a.stored == Triangle::both, false, {}};
}

template <class T, class I>
KnownValues<T> known_values(const RowsView<T, I>& a, const ValueList& list, index_t threads) {
    const RowTriplets<T, I> triplets(a, false);
    KnownValues<T> known = known_values<T>(triplets.view(), list, threads);
    known.by_rows = true;
    known.rows = triplets.rows();
    return known;
}

/// a must outlive it.
template <class T, class Matrix>
GivenPart<T> given_part(const Matrix& a, index_t threads) {
    return {[&a, threads] { return rank_part<T>(a, threads); },
            [&a, threads](const ValueList& list) { return known_values<T>(a, list, threads); }};
}

}  // namespace detail
}  // namespace frond

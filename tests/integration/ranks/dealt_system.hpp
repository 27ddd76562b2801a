// SPDX-License-Identifier: BSD-3-Clause
// A system that several ranks have parts of.
#pragma once

#include "frond/matrix/operations.hpp"
#include "frond/solver.hpp"
#include "some_ranks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

namespace frond::test {

/// Errors that are sums in another order than the library's differ by no more than some roundings of sums of some
/// dozen terms that are at most 1.
inline constexpr double rounding_of_errors = 100 * std::numeric_limits<double>::epsilon();

/// Triplets of this rank: entry e of the canonical matrix goes to rank owner(e).
template <class T>
struct DealtEntries {
    index_t order = 0;
    Symmetry symmetry = Symmetry::general;
    std::vector<index_t> row, column;
    std::vector<T> value;

    template <class Owner>
    DealtEntries(const SparseMatrix<T>& a, int rank, Owner owner) : order(a.rows()), symmetry(a.symmetry) {
        for (index_t j = 0; j < a.cols(); ++j)
            for (count_t e = a.pattern.begin[static_cast<std::size_t>(j)];
                 e < a.pattern.begin[static_cast<std::size_t>(j) + 1]; ++e)
                if (owner(e) == rank)
                    add(a.pattern.row[static_cast<std::size_t>(e)], j, a.value[static_cast<std::size_t>(e)]);
    }

    void add(index_t i, index_t j, T v) {
        row.push_back(i);
        column.push_back(j);
        value.push_back(v);
    }

    TripletView<T, index_t> view() const {
        TripletView<T, index_t> view;
        view.rows = view.cols = order;
        view.entries = static_cast<count_t>(row.size());
        view.row = row.data();
        view.column = column.data();
        view.value = value.data();
        view.symmetry = symmetry;
        view.stored = symmetry == Symmetry::general ? Triangle::both : Triangle::lower;
        return view;
    }
};

/// Whole rows of this rank, both triangles: row i goes to rank owner(i).
template <class T>
struct DealtRows {
    index_t order = 0;
    Symmetry symmetry = Symmetry::general;
    std::vector<index_t> row, begin{0}, column;
    std::vector<T> value;

    template <class Owner>
    DealtRows(const SparseMatrix<T>& a, int rank, Owner owner) : order(a.rows()), symmetry(a.symmetry) {
        const SparseMatrix<T> by_rows = transposed(a.symmetry == Symmetry::general ? a : expanded(a));
        for (index_t i = 0; i < order; ++i) {
            if (owner(i) != rank) continue;
            row.push_back(i);
            for (count_t e = by_rows.pattern.begin[static_cast<std::size_t>(i)];
                 e < by_rows.pattern.begin[static_cast<std::size_t>(i) + 1]; ++e) {
                column.push_back(by_rows.pattern.row[static_cast<std::size_t>(e)]);
                value.push_back(by_rows.value[static_cast<std::size_t>(e)]);
            }
            begin.push_back(static_cast<index_t>(column.size()));
        }
    }

    RowsView<T, index_t> view() const {
        RowsView<T, index_t> view;
        view.order = order;
        view.rows = static_cast<index_t>(row.size());
        view.row = row.data();
        view.begin = begin.data();
        view.index = column.data();
        view.value = value.data();
        view.symmetry = symmetry;
        return view;
    }
};

/// Right-hand sides that every rank can make: B = op(A) X of simple X.
template <class T>
std::vector<T> simple_rhs(const SparseMatrix<T>& a, index_t count, Operation op = Operation::none) {
    const count_t n = a.rows();
    std::vector<T> x(static_cast<std::size_t>(n * count)), b(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = T(real_t<T>(1 + static_cast<int>(i * 7 % 11)));
    multiply(a, op, count, x.data(), n, b.data(), n);
    return b;
}

/// All of a vector on rank 0, nothing elsewhere.
template <class T>
BlockView<T> whole_on(const SomeRanks& ranks, int owner, std::vector<std::remove_const_t<T>>& v, count_t n,
                      count_t count) {
    const count_t rows = ranks.rank() == owner ? n : 0;
    return {v.data(), rows, count, n > 0 ? n : 1};
}

/// Largest |b - op(A) x|_i / (|op(A)| |x| + |b|)_i, by loops over the whole matrix.
template <class T>
double componentwise_error(const SparseMatrix<T>& a, Operation op, const std::vector<T>& x, const std::vector<T>& b) {
    const count_t n = a.rows(), count = n > 0 ? static_cast<count_t>(b.size()) / n : 0;
    std::vector<T> r(b.size());
    std::vector<real_t<T>> w(b.size());
    residual_and_weights(a, op, static_cast<index_t>(count), x.data(), n, b.data(), n, r.data(), n, w.data(), n);
    double error = 0;
    for (std::size_t i = 0; i < r.size(); ++i)
        if (std::abs(r[i]) > 0) error = std::max(error, static_cast<double>(std::abs(r[i]) / w[i]));
    return error;
}

/// The vector of a rank on all ranks.
template <class T>
void broadcast_from(const SomeRanks& ranks, int root, std::vector<T>& v) {
    MPI_Bcast(v.data(), static_cast<int>(v.size() * sizeof(T)), MPI_BYTE, root, *ranks.communicator());
}

/// Every rank has entries, in turn.
template <class T>
DealtEntries<T> dealt(const SparseMatrix<T>& a, const SomeRanks& ranks) {
    return {a, ranks.rank(), [&](count_t e) { return static_cast<int>(e % ranks.size()); }};
}

/// The solver is of use, also after an error.
template <class T>
void check_solves(Solver<T>& solver, const SparseMatrix<T>& a, const SomeRanks& ranks) {
    std::vector<T> b = simple_rhs(a, 1), x(b.size());
    const SolveReport report =
        solver.solve(whole_on<const T>(ranks, 0, b, a.rows(), 1), whole_on<T>(ranks, 0, x, a.rows(), 1));
    CHECK(report.status == SolveStatus::converged);
}

}  // namespace frond::test

// SPDX-License-Identifier: BSD-3-Clause
// Small systems with planted trouble for threshold pivoting, in an order that keeps the trouble.
#pragma once

#include "random_sparse.hpp"

#include <vector>

namespace frond::test {

/// Entries of a matrix of any symmetry: set(i, j, v) stores (i, j), and its mirror for general
/// ones.
template <class T>
class SystemBuilder {
public:
    SystemBuilder(index_t n, Symmetry symmetry) : n_(n), symmetry_(symmetry) {}

    void set(index_t i, index_t j, T v) {
        if (symmetry_ == Symmetry::general || i >= j)
            table_[{j, i}] = v;
        else
            table_[{i, j}] = symmetry_ == Symmetry::hermitian ? conjugate(v) : v;
    }

    /// Both (i, j) and (j, i).
    void couple(index_t i, index_t j, T v) {
        set(i, j, v);
        if (symmetry_ == Symmetry::general) set(j, i, v);
    }

    T get(index_t i, index_t j) const {
        const auto found = table_.find({j, i});
        return found == table_.end() ? T(0) : found->second;
    }

    /// Makes it diagonally dominant: positive definite unless it is general or complex symmetric.
    void dominate() { dominate_diagonal(n_, table_, 0.5); }

    SparseMatrix<T> matrix() const { return from_table(n_, table_, symmetry_); }

private:
    index_t n_;
    Symmetry symmetry_;
    EntryTable<T> table_;
};

template <class T>
T real_scalar(double x) {
    return T(static_cast<real_t<T>>(x));
}

/// Random off-diagonal entries, `diagonal` everywhere on the diagonal. A cycle through all vertices
/// keeps it structurally nonsingular.
template <class T>
SparseMatrix<T> constant_diagonal(index_t n, index_t per_column, double diagonal, Symmetry symmetry,
                                  std::uint64_t seed) {
    Random random(seed);
    SystemBuilder<T> a(n, symmetry);
    for (index_t j = 0; j < n; ++j) {
        a.set(j, j, real_scalar<T>(diagonal));
        for (index_t k = 0; k < per_column; ++k) {
            const index_t i = random.below(n);
            const T value = random.value<T>();
            if (i != j) a.couple(i, j, value);
        }
    }
    for (index_t j = 0; j < n; ++j) {
        const T value = random.value<T>();
        a.couple((j + 1) % n, j, value + real_scalar<T>(2));
    }
    return a.matrix();
}

/// (0 B; B^T H): the zero block first, so that each of its columns needs a partner from above.
/// H diagonal and indefinite, B [m, m + extra] with a strong diagonal.
template <class T>
SparseMatrix<T> saddle_point(index_t m, index_t extra, Symmetry symmetry, std::uint64_t seed) {
    Random random(seed);
    SystemBuilder<T> a(2 * m + extra, symmetry);
    for (index_t j = 0; j < m; ++j) {
        a.set(j, j, T(0));
        const T strong = random.value<T>();
        a.couple(m + j, j, strong + real_scalar<T>(3));
        const T weak = random.value<T>();
        a.couple(m + random.below(m + extra), j, weak + real_scalar<T>(0.25));
    }
    for (index_t j = m; j < 2 * m + extra; ++j) a.set(j, j, real_scalar<T>(j % 3 == 0 ? -1.5 : 0.75));
    return a.matrix();
}

/// A path 0, 1, ..., n - 1 of dominant columns, every `spacing`-th with a zero diagonal, weak
/// couplings along the path and its only large entry in the last rows: it is delayed to the root.
template <class T>
SparseMatrix<T> troubled_tips(index_t n, index_t spacing, Symmetry symmetry, std::uint64_t seed) {
    Random random(seed);
    SystemBuilder<T> a(n, symmetry);
    const index_t tips = (n + spacing - 1) / spacing, first_partner = n - tips;
    for (index_t j = 0; j < n; ++j) {
        const bool tip = j % spacing == 0 && j < first_partner;
        a.set(j, j, real_scalar<T>(tip ? 0 : 4));
        if (j + 1 < n) {
            const T value = random.value<T>();
            a.couple(j + 1, j, value * real_scalar<T>(tip || (j + 1) % spacing == 0 ? 1e-3 : 1));
        }
        if (tip) a.couple(first_partner + j / spacing, j, real_scalar<T>(8));
    }
    return a.matrix();
}

/// LU: a large entry (i, j) for a random permutation i = p(j), small ones elsewhere and none on the
/// diagonal: with the diagonal as order, good pivots are far away.
template <class T>
SparseMatrix<T> permuted_diagonal(index_t n, index_t per_column, std::uint64_t seed) {
    Random random(seed);
    std::vector<index_t> p(static_cast<std::size_t>(n));
    for (index_t k = 0; k < n; ++k) p[static_cast<std::size_t>(k)] = k;
    for (index_t k = n - 1; k > 0; --k)
        std::swap(p[static_cast<std::size_t>(k)], p[static_cast<std::size_t>(random.below(k + 1))]);
    SystemBuilder<T> a(n, Symmetry::general);
    for (index_t j = 0; j < n; ++j) {
        for (index_t k = 0; k < per_column; ++k) {
            const index_t i = random.below(n);
            a.set(i, j, random.value<T>() * real_scalar<T>(1e-2));
        }
        a.set(p[static_cast<std::size_t>(j)], j, random.value<T>() + real_scalar<T>(3));
    }
    return a.matrix();
}

/// G D H^T (symmetric: H = G or conj(G)) with G [n, rank] of small integers, D = diag(+1, -1, ...):
/// of rank `rank` exactly, and its leading part is the identity's, so that the null columns come
/// last or early as `reversed` says.
template <class T>
SparseMatrix<T> rank_deficient(index_t n, index_t rank, bool reversed, Symmetry symmetry, std::uint64_t seed) {
    Random random(seed);
    const auto factor = [&] {
        std::vector<std::vector<std::pair<index_t, T>>> columns;
        for (index_t k = 0; k < rank; ++k) {
            std::vector<std::pair<index_t, T>> column{{k, T(1)}};
            for (int e = 0; e < 2; ++e) {
                const index_t i = k + 1 + random.below(n - k - 1);
                const real_t<T> sign = random.below(2) == 0 ? 1 : -1;
                if constexpr (is_complex<T>)
                    column.push_back({i, T(0, sign)});
                else
                    column.push_back({i, sign});
            }
            columns.push_back(column);
        }
        return columns;
    };
    const auto g = factor();
    const auto h = symmetry == Symmetry::general ? factor() : g;
    SystemBuilder<T> a(n, symmetry);
    const auto at = [&](index_t i) { return reversed ? n - 1 - i : i; };
    for (index_t i = 0; i < n; ++i) a.set(i, i, T(0));
    for (std::size_t k = 0; k < g.size(); ++k)
        for (const auto& [i, x] : g[k])
            for (const auto& [j, y] : h[k]) {
                if (symmetry != Symmetry::general && at(i) < at(j)) continue;
                const T mirrored = symmetry == Symmetry::hermitian ? conjugate(y) : y;
                const T sign = k % 2 == 0 ? T(1) : T(-1);
                a.set(at(i), at(j), a.get(at(i), at(j)) + sign * x * mirrored);
            }
    return a.matrix();
}

}  // namespace frond::test

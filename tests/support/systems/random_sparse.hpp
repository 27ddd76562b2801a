// SPDX-License-Identifier: BSD-3-Clause
// Small generated matrices in canonical form, the same for a seed on every machine.
#pragma once

#include "frond/matrix/sparse_matrix.hpp"

#include <complex>
#include <cstdint>
#include <map>
#include <utility>

namespace frond::test {

/// Uniform numbers by splitmix64 (Steele, Lea & Flood 2014): no distribution of the standard
/// library, whose results differ between implementations.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t bits() {
        std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }

    index_t below(index_t n) { return static_cast<index_t>(bits() % static_cast<std::uint64_t>(n)); }

    /// In [-1, 1), real and imaginary part alike.
    template <class T>
    T value() {
        if constexpr (is_complex<T>) {
            const auto re = value<real_t<T>>();
            return T(re, value<real_t<T>>());
        } else {
            return static_cast<T>(static_cast<double>(bits() >> 11) * 0x1p-52 - 1.0);
        }
    }

private:
    std::uint64_t state_;
};

/// Entries by (column, row), which is the canonical order.
template <class T>
using EntryTable = std::map<std::pair<index_t, index_t>, T>;

template <class T>
SparseMatrix<T> from_table(index_t n, const EntryTable<T>& table, Symmetry symmetry) {
    SparseMatrix<T> a;
    a.symmetry = symmetry;
    a.pattern.rows = a.pattern.cols = n;
    a.pattern.begin.assign(static_cast<std::size_t>(n) + 1, 0);
    for (const auto& [at, v] : table) {
        ++a.pattern.begin[static_cast<std::size_t>(at.first) + 1];
        a.pattern.row.push_back(at.second);
        a.value.push_back(v);
    }
    for (std::size_t j = 0; j < static_cast<std::size_t>(n); ++j) a.pattern.begin[j + 1] += a.pattern.begin[j];
    return a;
}

/// Adds `shift` + the sum of the magnitudes in its row and column to each diagonal entry: the
/// matrix becomes diagonally dominant, and positive definite when it is Hermitian.
template <class T>
void dominate_diagonal(index_t n, EntryTable<T>& table, double shift) {
    std::vector<double> sum(static_cast<std::size_t>(n), shift);
    for (const auto& [at, v] : table) {
        if (at.first == at.second) continue;
        sum[static_cast<std::size_t>(at.first)] += std::abs(v);
        sum[static_cast<std::size_t>(at.second)] += std::abs(v);
    }
    for (index_t i = 0; i < n; ++i) table[{i, i}] = T(static_cast<real_t<T>>(sum[static_cast<std::size_t>(i)]));
}

/// n x n with about `per_column` random off-diagonal entries a column and a full diagonal.
/// symmetric and hermitian: lower triangle. dominant: diagonally dominant, else diagonal in [-1,
/// 1].
template <class T>
SparseMatrix<T> random_sparse(index_t n, index_t per_column, Symmetry symmetry, bool dominant, std::uint64_t seed) {
    Random random(seed);
    EntryTable<T> table;
    for (index_t j = 0; j < n; ++j) {
        for (index_t k = 0; k < per_column; ++k) {
            index_t i = random.below(n), c = j;
            if (symmetry != Symmetry::general && i < c) std::swap(i, c);
            if (i != c) table[{c, i}] = random.value<T>();
        }
        T d = random.value<T>();
        if (symmetry == Symmetry::hermitian) d = T(real_part(d));
        table[{j, j}] = d;
    }
    if (dominant) dominate_diagonal(n, table, 1.0);
    return from_table(n, table, symmetry);
}

/// 5-point stencil on an m x m grid with random off-diagonal values.
template <class T>
SparseMatrix<T> random_grid(index_t m, Symmetry symmetry, bool dominant, std::uint64_t seed) {
    Random random(seed);
    EntryTable<T> table;
    const auto couple = [&](index_t u, index_t v) {
        table[{u, v}] = random.value<T>();
        if (symmetry == Symmetry::general) table[{v, u}] = random.value<T>();
    };
    for (index_t y = 0; y < m; ++y)
        for (index_t x = 0; x < m; ++x) {
            const index_t v = x + m * y;
            if (x + 1 < m) couple(v, v + 1);
            if (y + 1 < m) couple(v, v + m);
            T d = random.value<T>();
            if (symmetry == Symmetry::hermitian) d = T(real_part(d));
            table[{v, v}] = d;
        }
    if (dominant) dominate_diagonal(m * m, table, 1.0);
    return from_table(m * m, table, symmetry);
}

}  // namespace frond::test

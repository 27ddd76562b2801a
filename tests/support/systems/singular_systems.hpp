// SPDX-License-Identifier: BSD-3-Clause
// Matrices of known rank: graph Laplacians, scaled from both sides, and blocks with given pivots.
#pragma once

#include "frond/solver.hpp"
#include "random_sparse.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace frond::test {

/// D_r L D_c with L the Laplacian of `components` separate cycles with chords through n vertices, vertex
/// i in component i % components: the null vectors are D_c^-1 times the components' indicators.
/// symmetric: D_c = D_r; hermitian: D_c = D_r^H.
template <class T>
SparseMatrix<T> scaled_laplacian(index_t n, index_t components, Symmetry symmetry, std::uint64_t seed) {
    Random random(seed);
    const auto scale = [&random] {
        T d = random.value<T>();
        while (std::abs(d) < 0.25) d = random.value<T>();
        return d;
    };
    std::vector<T> row, column;
    for (index_t i = 0; i < n; ++i) {
        row.push_back(scale());
        const T other = scale();
        column.push_back(symmetry == Symmetry::general     ? other
                         : symmetry == Symmetry::symmetric ? row.back()
                                                           : conjugate(row.back()));
    }
    EntryTable<T> table;
    const auto add = [&](index_t i, index_t j, double v) {
        const auto at_i = static_cast<std::size_t>(i), at_j = static_cast<std::size_t>(j);
        if (symmetry == Symmetry::general || i >= j)
            table[{j, i}] += row[at_i] * T(static_cast<real_t<T>>(v)) * column[at_j];
    };
    for (index_t i = 0; i < n; ++i)
        for (const index_t step : {components, 3 * components}) {
            const index_t last = n - 1 - (n - 1 - i % components) % components;
            const index_t size = last / components + 1;
            const index_t j = (i / components + step / components) % size * components + i % components;
            if (i == j) continue;
            // Dyadic weights keep the row sums of L exact.
            const double weight = 0.25 * (1 + random.below(8));
            add(i, i, weight);
            add(j, j, weight);
            add(i, j, -weight);
            add(j, i, -weight);
        }
    return from_table(n, table, symmetry);
}

/// Blocks [1 1; 1 1 + d], each with the pivots 1 and d; d in units of eps, followed by ten of d = 1.
template <class T>
SparseMatrix<T> with_pivots(std::vector<double> in_eps, Symmetry symmetry) {
    constexpr double eps = std::numeric_limits<real_t<T>>::epsilon();
    in_eps.resize(in_eps.size() + 10, 1 / eps);
    EntryTable<T> table;
    index_t i = 0;
    for (const double d : in_eps) {
        table[{i, i}] = table[{i, i + 1}] = T(1);
        table[{i + 1, i + 1}] = T(static_cast<real_t<T>>(1 + std::min(1.0, d * eps)));
        if (symmetry == Symmetry::general) table[{i + 1, i}] = T(1);
        i += 2;
    }
    return from_table(i, table, symmetry);
}

/// The factorization kinds that take an indefinite or singular matrix of this symmetry.
template <class T>
Factorization kind_of(Symmetry symmetry) {
    if (symmetry == Symmetry::general) return Factorization::lu;
    return is_complex<T> && symmetry == Symmetry::hermitian ? Factorization::ldlh : Factorization::ldlt;
}

}  // namespace frond::test

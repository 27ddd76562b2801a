// SPDX-License-Identifier: BSD-3-Clause
// Matrices in row blocks of some ranks, and what they are made of.
#pragma once

#include "frond/base/large_vector.hpp"
#include "dealt_system.hpp"
#include "frond/base/vector_index.hpp"
#include "random_sparse.hpp"
#include "ranks/load_plugin.hpp"
#include "system/rows/entry_plan.hpp"

namespace frond::test {

/// A of which rank r gives the entries r, r + ranks, .. of the canonical form.
template <class T>
struct BlockMatrix {
    std::unique_ptr<detail::Communicator> ranks;
    std::shared_ptr<const detail::BlockPattern> pattern;
    std::shared_ptr<const LargeVector<T>> value;

    BlockMatrix(const SparseMatrix<T>& a, const SomeRanks& some)
        : ranks(detail::mpi_plugin().duplicate(some.communicator())) {
        const detail::RankPart<T> part = detail::rank_part<T>(dealt(a, some).view());
        const detail::EntryPlan<T> plan(*ranks, part);
        pattern = plan.pattern();
        value = plan.values(*ranks, part.entries->value);
    }
};

/// Rows and columns of very different sizes, some without entries.
template <class T>
SparseMatrix<T> badly_scaled(index_t n, Symmetry symmetry, std::uint64_t seed) {
    Random random(seed);
    EntryTable<T> table;
    for (index_t k = 0; k < 5 * n; ++k) {
        index_t i = random.below(n), j = random.below(n);
        if (symmetry != Symmetry::general && i < j) std::swap(i, j);
        if (i % 7 == 3 || (symmetry != Symmetry::general && j % 7 == 3)) continue;
        T v = random.value<T>();
        if (symmetry == Symmetry::hermitian && i == j) v = T(real_part(v));
        table[{j, i}] = v * static_cast<real_t<T>>(std::ldexp(1.0, i % 13 - j % 11));
    }
    return from_table(n, table, symmetry);
}

/// One of each symmetry, and orders for which ranks have no rows.
template <class T>
std::vector<SparseMatrix<T>> matrices_of_each_kind() {
    std::vector<SparseMatrix<T>> list;
    std::uint64_t seed = 1;
    for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric, Symmetry::hermitian}) {
        list.push_back(badly_scaled<T>(50, symmetry, seed));
        list.push_back(random_sparse<T>(40, 3, symmetry, false, seed));
        list.push_back(random_sparse<T>(40, 3, symmetry, true, seed));
        for (const index_t n : {0, 1, 2}) list.push_back(random_sparse<T>(n, 1, symmetry, true, ++seed));
    }
    return list;
}

}  // namespace frond::test

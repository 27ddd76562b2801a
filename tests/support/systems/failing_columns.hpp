// SPDX-License-Identifier: BSD-3-Clause
// Systems whose columns fail the threshold test in masses: they take memory that no prediction knew
// of.
#pragma once

#include "trouble_systems.hpp"

#include <string>
#include <vector>

namespace frond::test {

/// (0 B; B^T 0), LU: (0 B; C 0), dense, with large diagonals of B and C.
inline SparseMatrix<double> no_diagonal_blocks(index_t half, Symmetry symmetry) {
    Random random(5);
    SystemBuilder<double> a(2 * half, symmetry);
    for (index_t j = 0; j < 2 * half; ++j)
        for (index_t i = symmetry == Symmetry::general ? 0 : j; i < 2 * half; ++i) {
            const double x = random.value<double>();
            a.set(i, j, (i < half) == (j < half) ? 0.0 : i % half == j % half ? 4.0 * static_cast<double>(half) : x);
        }
    return a.matrix();
}

struct FailingColumns {
    std::string name;
    SparseMatrix<double> matrix;
    Factorization kind;
    ForcedMapping mapping;
    index_t second_pass;  // columns at least
    count_t failed_scalars;  // at one time, at least
};

constexpr index_t failing_half = 40, failing_order = 2 * failing_half;
constexpr count_t failing_block = static_cast<count_t>(failing_order) * failing_order;

/// One unit each. On tiles every column fails and remains to the end; in subtrees there are fronts
/// with failed pivots.
inline std::vector<FailingColumns> failing_columns() {
    constexpr auto symmetric = Symmetry::symmetric, general = Symmetry::general;
    constexpr auto ldlt = Factorization::ldlt, lu = Factorization::lu;
    const ForcedMapping tiles{"tiles", 16, 0}, subtree{"subtree", 16, 1 << 20};
    return {{"L D L^T, tiles", no_diagonal_blocks(failing_half, symmetric), ldlt, tiles, failing_order,
             2 * failing_block},
            {"LU, tiles", no_diagonal_blocks(failing_half, general), lu, tiles, failing_order, 3 * failing_block},
            {"L D L^T, subtree", troubled_tips<double>(160, 4, symmetric, 2), ldlt, subtree, 1, 1},
            {"LU, subtree", troubled_tips<double>(160, 4, general, 2), lu, subtree, 1, 1}};
}

}  // namespace frond::test

// SPDX-License-Identifier: BSD-3-Clause
#include "matching_oracle.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

namespace {

template <class T>
T& diagonal(SparseMatrix<T>& a, index_t j) {
    for (count_t e = a.pattern.begin[j]; e < a.pattern.begin[j + 1]; ++e)
        if (a.pattern.row[e] == j) return a.value[e];
    throw std::logic_error("no diagonal entry");
}

/// 5-point convection-diffusion on an m x m grid, upwind or central with the given cell Peclet
/// number.
SparseMatrix<double> convection_diffusion(index_t m, double peclet) {
    EntryTable<double> table;
    for (index_t v = 0; v < m * m; ++v) {
        table[{v, v}] = 4;
        if (v % m > 0) table[{v - 1, v}] = -1 - peclet;
        if (v % m < m - 1) table[{v + 1, v}] = -1 + peclet;
        if (v >= m) table[{v - m, v}] = -1 - peclet;
        if (v < m * (m - 1)) table[{v + m, v}] = -1 + peclet;
    }
    return from_table(m * m, table, Symmetry::general);
}

/// [H A^T; A 0], H diagonal, lower triangle.
SparseMatrix<double> saddle_point(double regularization) {
    EntryTable<double> table;
    for (index_t i = 0; i < 30; ++i) table[{i, i}] = 1 + i % 3;
    for (index_t k = 0; k < 10; ++k) {
        table[{3 * k, 30 + k}] = 1;
        table[{3 * k + 1, 30 + k}] = -2;
        if (regularization != 0) table[{30 + k, 30 + k}] = -regularization;
    }
    return from_table(40, table, Symmetry::symmetric);
}

}  // namespace

TEST_CASE("dominant and definite matrices are not matched") {
    const auto dominant = random_sparse<double>(60, 4, Symmetry::general, true, 1);
    CHECK_FALSE(matching_pays(dominant, Factorization::lu));
    const auto definite = random_sparse<double>(60, 4, Symmetry::symmetric, true, 2);
    for (Factorization kind : {Factorization::ldlt, Factorization::lu, Factorization::llt, Factorization::automatic})
        CHECK_FALSE(matching_pays(definite, kind));
}

TEST_CASE("convection-diffusion keeps its symmetric pattern") {
    for (double peclet : {0.0, 0.5, 5.0})
        CHECK_FALSE(matching_pays(convection_diffusion(20, peclet), Factorization::lu));
}

TEST_CASE("LU: a zero on the diagonal, or a share of weak ones") {
    auto a = random_sparse<double>(400, 4, Symmetry::general, true, 3);
    for (index_t j = 0; j < 4; ++j) diagonal(a, j) = 1e-8;
    CHECK_FALSE(matching_pays(a, Factorization::lu));  // 1 % is left to pivoting
    diagonal(a, 4) = 1e-8;
    CHECK(matching_pays(a, Factorization::lu));
    auto b = random_sparse<double>(400, 4, Symmetry::general, true, 3);
    diagonal(b, 100) = 0;
    CHECK(matching_pays(b, Factorization::lu));
}

TEST_CASE("LU: rows of different sizes do not make a diagonal weak") {
    auto a = random_sparse<double>(100, 4, Symmetry::general, true, 8);
    auto b = a;
    for (index_t j = 0; j < 100; ++j)
        for (count_t e = a.pattern.begin[j]; e < a.pattern.begin[j + 1]; ++e) {
            a.value[e] *= std::exp2(a.pattern.row[e] % 40);
            b.value[e] *= std::exp2(j % 40);
        }
    CHECK_FALSE(matching_pays(a, Factorization::lu));
    CHECK_FALSE(matching_pays(b, Factorization::lu));
}

TEST_CASE("LDL^T: zero or small diagonals, whatever the symmetric scaling") {
    CHECK(matching_pays(saddle_point(0), Factorization::ldlt));
    CHECK(matching_pays(saddle_point(1e-8), Factorization::ldlt));
    CHECK_FALSE(matching_pays(saddle_point(1), Factorization::ldlt));
    CHECK(matching_pays(saddle_point(0), Factorization::automatic));
    CHECK_FALSE(matching_pays(saddle_point(0), Factorization::llt));
    CHECK(matching_pays(saddle_point(0), Factorization::lu));

    auto scaled = random_sparse<double>(60, 4, Symmetry::symmetric, true, 2);
    for (index_t j = 0; j < 60; ++j)
        for (count_t e = scaled.pattern.begin[j]; e < scaled.pattern.begin[j + 1]; ++e)
            scaled.value[e] *= std::exp2(j % 30) * std::exp2(scaled.pattern.row[e] % 30);
    CHECK_FALSE(matching_pays(scaled, Factorization::ldlt));
}

TEST_CASE("empty and 1 x 1") {
    SparseMatrix<double> none;
    none.pattern.begin = {0};
    CHECK_FALSE(matching_pays(none, Factorization::lu));
    const auto one = from_table<double>(1, {{{0, 0}, 2.0}}, Symmetry::general);
    CHECK_FALSE(matching_pays(one, Factorization::lu));
}

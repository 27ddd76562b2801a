// SPDX-License-Identifier: BSD-3-Clause
// Nonsingular systems with planted trouble for threshold pivoting, for whole solves by tasks.
#pragma once

#include "forced_mapping.hpp"
#include "frond/solver.hpp"
#include "hard_systems.hpp"

#include <string>

namespace frond::test {

template <class T>
struct TroubleSystem {
    std::string name;
    SparseMatrix<T> matrix;
    Factorization kind = Factorization::lu;
};

/// A with row i and column i multiplied by powers of two from 2^-spread to 2^spread.
template <class T>
SparseMatrix<T> graded(SparseMatrix<T> a, int spread) {
    const auto grade = [&](index_t i) { return (i * 7) % (2 * spread + 1) - spread; };
    for (index_t j = 0; j < a.cols(); ++j)
        for (count_t e = a.pattern.begin[static_cast<std::size_t>(j)];
             e < a.pattern.begin[static_cast<std::size_t>(j) + 1]; ++e) {
            const int power = grade(j) + grade(a.pattern.row[static_cast<std::size_t>(e)]);
            a.value[static_cast<std::size_t>(e)] *= real_scalar<T>(std::ldexp(1.0, power));
        }
    return a;
}

/// Blocks (0 c; c d) along the diagonal, d = 0 in all but the last one, and a full last row and
/// column.
template <class T>
SparseMatrix<T> arrow(index_t n, Symmetry symmetry, std::uint64_t seed) {
    Random random(seed);
    SystemBuilder<T> a(n, symmetry);
    for (index_t j = 0; j < n; ++j) a.set(j, j, T(0));
    a.set(n - 1, n - 1, T(1));
    // Partners are far apart: half a matrix.
    const index_t half = (n - 1) / 2;
    for (index_t j = 0; j < half; ++j) a.couple(half + j, j, random.value<T>() + real_scalar<T>(2));
    if ((n - 1) % 2 == 1) a.set(n - 2, n - 2, T(-2));
    for (index_t j = 0; j + 1 < n; ++j) a.couple(n - 1, j, random.value<T>());
    return a.matrix();
}

/// K + d I with K skew-symmetric, of a grid: every 1 x 1 pivot is tiny.
template <class T>
SparseMatrix<T> skew_part(index_t m, double d, std::uint64_t seed) {
    Random random(seed);
    SystemBuilder<T> a(m * m, Symmetry::general);
    const auto couple = [&](index_t i, index_t j) {
        const T v = random.value<T>() + real_scalar<T>(1.5);
        a.set(i, j, v);
        a.set(j, i, -v);
    };
    for (index_t y = 0; y < m; ++y)
        for (index_t x = 0; x < m; ++x) {
            const index_t v = x + m * y;
            a.set(v, v, real_scalar<T>(d));
            if (x + 1 < m) couple(v + 1, v);
            if (y + 1 < m) couple(v + m, v);
        }
    return a.matrix();
}

/// Sizes of a broom: groups of leaf fronts below a middle front each, all middle fronts below one root.
struct Broom {
    index_t groups = 8, leaves = 4;  // leaves of a group
    index_t leaf_columns = 6, middle_columns = 4;
    index_t tips = 2;  // of a leaf: columns whose only large entry is in the root, delayed twice

    index_t root_columns() const { return groups * leaves * tips; }
    index_t group_columns() const { return leaves * leaf_columns + middle_columns; }
    index_t order() const { return groups * group_columns() + root_columns(); }
};

/// All leaf fronts have the same structure, and so have all middle fronts, in the order given.
template <class T>
SparseMatrix<T> broom_matrix(const Broom& broom, Symmetry symmetry, std::uint64_t seed) {
    Random random(seed);
    const index_t n = broom.order(), root = n - broom.root_columns();
    SystemBuilder<T> a(n, symmetry);
    const auto weak = [&](index_t i, index_t j) { a.couple(i, j, random.value<T>() * real_scalar<T>(1e-3)); };
    for (index_t j = 0; j < n; ++j) a.set(j, j, real_scalar<T>(4));
    for (index_t g = 0; g < broom.groups; ++g) {
        const index_t middle = (g + 1) * broom.group_columns() - broom.middle_columns;
        // All middle fronts hang on the first column of the root.
        for (index_t j = middle; j < middle + broom.middle_columns; ++j) weak(root, j);
        for (index_t leaf = 0; leaf < broom.leaves; ++leaf) {
            const index_t first = g * broom.group_columns() + leaf * broom.leaf_columns;
            const index_t partner = root + (g * broom.leaves + leaf) * broom.tips;
            for (index_t j = first; j < first + broom.leaf_columns; ++j) {
                for (index_t i = j + 1; i < first + broom.leaf_columns; ++i) weak(i, j);
                for (index_t i = middle; i < middle + broom.middle_columns; ++i) weak(i, j);
                for (index_t t = 0; t < broom.tips; ++t) weak(partner + t, j);
            }
            for (index_t t = 0; t < broom.tips; ++t) {
                a.set(first + t, first + t, T(0));
                a.couple(partner + t, first + t, real_scalar<T>(8));
            }
        }
    }
    for (index_t j = root; j < n; ++j)
        for (index_t i = j + 1; i < n; ++i) weak(i, j);
    return a.matrix();
}

template <class T>
void add_trouble(Factorization kind, Symmetry symmetry, std::vector<TroubleSystem<T>>& list) {
    const auto add = [&](const char* name, SparseMatrix<T> a) { list.push_back({name, std::move(a), kind}); };
    add("zero diagonal", constant_diagonal<T>(61, 2, 0, symmetry, 1));
    add("tiny diagonal", constant_diagonal<T>(50, 1, 1e-12, symmetry, 2));
    add("diagonal of 1e-30", constant_diagonal<T>(55, 2, 1e-30, symmetry, 3));
    add("saddle point", saddle_point<T>(24, 5, symmetry, 4));
    add("trouble at the tips", troubled_tips<T>(60, 6, symmetry, 5));
    add("arrow", arrow<T>(42, symmetry, 6));
    add("graded", graded<T>(constant_diagonal<T>(48, 1, 0, symmetry, 7), 8));
    add("graded saddle point", graded<T>(saddle_point<T>(20, 0, symmetry, 8), 5));
}

template <class T>
std::vector<TroubleSystem<T>> trouble_systems() {
    std::vector<TroubleSystem<T>> list;
    add_trouble<T>(Factorization::ldlt, Symmetry::symmetric, list);
    if (is_complex<T>) add_trouble<T>(Factorization::ldlh, Symmetry::hermitian, list);
    add_trouble<T>(Factorization::lu, Symmetry::general, list);
    list.push_back({"permuted diagonal", permuted_diagonal<T>(60, 1, 9), Factorization::lu});
    list.push_back({"skew-symmetric part", skew_part<T>(8, 1e-8, 10), Factorization::lu});
    list.push_back({"one triangle", constant_diagonal<T>(50, 1, 0, Symmetry::symmetric, 11), Factorization::lu});
    return list;
}

/// The order given, no matching: nothing softens the trouble. scaling: of the analysis.
template <class T>
AnalysisResult analyze_as_given(const SparseMatrix<T>& a, Factorization kind,
                                ScalingMethod scaling = ScalingMethod::automatic) {
    AnalysisOptions options;
    options.factorization = kind;
    options.ordering = OrderingMethod::natural;
    options.matching = MatchingMode::off;
    options.scaling = scaling;
    options.amalgamation_zeros = 1e-9;
    return analyze(a, options);
}

inline const std::vector<ForcedMapping>& trouble_mappings() {
    static const std::vector<ForcedMapping> list = {{"tiles of 4", 4, 0},
                                                    {"tiles of 6 above subtrees", 6, 12},
                                                    {"tiles of 16", 16, 0},
                                                    {"tiles of 4 above subtrees", 4, 20},
                                                    {"one subtree", 16, 1 << 20}};
    return list;
}

}  // namespace frond::test

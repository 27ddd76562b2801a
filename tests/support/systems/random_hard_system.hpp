// SPDX-License-Identifier: BSD-3-Clause
// Systems of all kinds drawn from a seed: structure, values and the options to solve them with.
#pragma once

#include "forced_mapping.hpp"
#include "frond/solver.hpp"
#include "hard_systems.hpp"

#include <cmath>
#include <numeric>

namespace frond::test {

template <class T>
struct RandomHardSystem {
    SparseMatrix<T> matrix;
    AnalysisOptions analysis;
    FactorOptions factor;
    SolveOptions solve;
    ForcedMapping mapping{"random"};
    index_t rhs = 1;
    bool definite = false;
    bool long_indices = false;  // to be given as triplets with 64-bit indices
    bool strictly = false;  // once more with null pivots as an error
};

template <class Choice>
Choice one_of(Random& random, std::initializer_list<Choice> list) {
    return list.begin()[random.below(static_cast<index_t>(list.size()))];
}

enum class Values : std::uint8_t { uniform, integers, graded_entries, graded_rows };

template <class T>
T random_entry(Random& random, Values values) {
    if (values != Values::integers) {
        const T x = random.value<T>();
        return values == Values::graded_entries ? x * real_scalar<T>(std::exp2(random.below(40) - 20)) : x;
    }
    const auto part = [&] { return static_cast<real_t<T>>(random.below(5) - 2); };
    if constexpr (is_complex<T>) {
        const real_t<T> re = part();
        return T(re, part());
    } else {
        return part();
    }
}

/// Entries anywhere, diagonals full, missing or zero in places. Values::graded_rows scales rows and
/// columns by powers of two.
template <class T>
SparseMatrix<T> random_pattern_matrix(index_t n, Symmetry symmetry, Random& random, bool definite = false) {
    const auto values =
        one_of(random, {Values::uniform, Values::integers, Values::graded_entries, Values::graded_rows});
    const index_t per_column = 1 + random.below(4), diagonal_share = random.below(5);
    std::vector<double> grade(static_cast<std::size_t>(n), 1.0);
    if (values == Values::graded_rows)
        for (double& g : grade) g = std::exp2(random.below(30) - 15);
    const auto scaled = [&](index_t i, index_t j, T x) {
        return x * real_scalar<T>(grade[static_cast<std::size_t>(i)] * grade[static_cast<std::size_t>(j)]);
    };
    SystemBuilder<T> a(n, symmetry);
    for (index_t j = 0; j < n; ++j) {
        for (index_t k = 0; k < per_column; ++k) {
            const index_t i = random.below(n);
            if (i != j) a.set(i, j, scaled(i, j, random_entry<T>(random, values)));
        }
        T d = random_entry<T>(random, values);
        if (symmetry == Symmetry::hermitian) d = T(real_part(d));
        const index_t choice = random.below(4);
        if (choice < diagonal_share)
            a.set(j, j, scaled(j, j, d));
        else if (choice == 3)
            a.set(j, j, T(0));
    }
    if (definite) a.dominate();
    return a.matrix();
}

/// The order of most is small.
inline index_t random_order_of_matrix(Random& random) { return 1 + random.below(1 + random.below(60)); }

template <class T>
SparseMatrix<T> random_hard_matrix(Symmetry symmetry, Random& random) {
    const index_t n = random_order_of_matrix(random);
    const std::uint64_t seed = random.bits();
    const index_t shape = n < 8 ? 0 : random.below(10);
    if (shape == 1) return constant_diagonal<T>(n, 1 + random.below(3), std::exp2(-random.below(100)), symmetry, seed);
    if (shape == 2) return saddle_point<T>(n / 2, random.below(4), symmetry, seed);
    if (shape == 3) return troubled_tips<T>(n, 2 + random.below(5), symmetry, seed);
    if (shape == 4) return rank_deficient<T>(n, n - 1 - random.below(n / 2), random.below(2) == 0, symmetry, seed);
    if (shape == 5 && symmetry == Symmetry::general) return permuted_diagonal<T>(n, 1 + random.below(3), seed);
    return random_pattern_matrix<T>(n, symmetry, random);
}

inline std::vector<index_t> random_permutation(index_t n, Random& random) {
    std::vector<index_t> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), 0);
    for (index_t k = n - 1; k > 0; --k)
        std::swap(order[static_cast<std::size_t>(k)], order[static_cast<std::size_t>(random.below(k + 1))]);
    return order;
}

inline void choose_options(index_t n, Random& random, AnalysisOptions& o) {
    o.ordering =
        one_of(random, {OrderingMethod::automatic, OrderingMethod::amd, OrderingMethod::natural, OrderingMethod::user,
                        OrderingMethod::metis, OrderingMethod::scotch, OrderingMethod::nested_dissection});
    if (o.ordering == OrderingMethod::user) o.user_order = random_permutation(n, random);
    o.matching = one_of(random, {MatchingMode::automatic, MatchingMode::off, MatchingMode::off, MatchingMode::on});
    o.scaling = one_of(random, {ScalingMethod::automatic, ScalingMethod::none, ScalingMethod::equilibrate,
                                ScalingMethod::matching});
    o.amalgamation_zeros = one_of(random, {0.0, 1e-9, 0.3});
    o.deterministic = random.below(4) == 0;
}

template <class T>
void choose_matrix(Random& random, RandomHardSystem<T>& s) {
    s.definite = random.below(12) == 0;
    if (s.definite) {
        s.analysis.factorization = Factorization::llt;
        s.matrix = random_pattern_matrix<T>(random_order_of_matrix(random),
                                            is_complex<T> ? Symmetry::hermitian : Symmetry::symmetric, random, true);
        return;
    }
    const index_t kind = random.below(is_complex<T> ? 4 : 3);
    s.analysis.factorization = kind == 0 ? Factorization::ldlt : kind == 3 ? Factorization::ldlh : Factorization::lu;
    const Symmetry symmetry = kind == 0   ? Symmetry::symmetric
                              : kind == 3 ? Symmetry::hermitian
                              : kind == 1 ? Symmetry::general
                                          : one_of(random, {Symmetry::general, Symmetry::symmetric});
    s.matrix = random_hard_matrix<T>(symmetry, random);
}

/// The same matrix from triplets in random order.
template <class T, class I>
SparseMatrix<T> from_triplets(const SparseMatrix<T>& a, Random random) {
    const auto entries = static_cast<std::size_t>(a.entries());
    std::vector<I> row(entries), column(entries);
    std::vector<T> value(entries);
    const std::vector<index_t> place = random_permutation(static_cast<index_t>(entries), random);
    for (index_t j = 0; j < a.cols(); ++j)
        for (count_t e = a.pattern.begin[static_cast<std::size_t>(j)];
             e < a.pattern.begin[static_cast<std::size_t>(j) + 1]; ++e) {
            const auto at = static_cast<std::size_t>(place[static_cast<std::size_t>(e)]);
            row[at] = a.pattern.row[static_cast<std::size_t>(e)];
            column[at] = j;
            value[at] = a.value[static_cast<std::size_t>(e)];
        }
    const Triangle stored = a.symmetry == Symmetry::general ? Triangle::both : Triangle::lower;
    return make_sparse(TripletView<T, I>{a.rows(), a.cols(), a.entries(), row.data(), column.data(), value.data(),
                                         a.symmetry, stored});
}

/// Everything of the system with this seed.
template <class T>
RandomHardSystem<T> random_hard_system(std::uint64_t seed) {
    Random random(seed);
    RandomHardSystem<T> s;
    choose_matrix(random, s);
    choose_options(s.matrix.rows(), random, s.analysis);
    // Not so many tiles that the test takes minutes.
    const index_t smallest_tile = s.matrix.rows() < 16 ? 1 : 4;
    s.mapping.tile_size = std::max(smallest_tile, one_of(random, {1, 3, 6, 16}));
    s.mapping.subtree_columns = one_of(random, {0, 0, 5, 20, 1 << 20});
    s.factor.pivoting = one_of(random, {Pivoting::automatic, Pivoting::threshold, Pivoting::threshold,
                                        Pivoting::static_pivots, Pivoting::none});
    s.factor.pivot_threshold = one_of(random, {0.5, 0.1, 0.01, 1e-4});
    s.solve.operation = one_of(random, {Operation::none, Operation::transpose, Operation::adjoint});
    if (random.below(6) == 0) s.solve.max_refinement_steps = 0;
    if (random.below(6) == 0) s.solve.krylov = Krylov::off;
    s.solve.rhs_block = one_of(random, {0, 0, 1, 2});
    s.solve.forward_error = random.below(10) == 0;
    s.rhs = 1 + random.below(3);
    s.long_indices = random.below(4) == 0;
    s.strictly = random.below(6) == 0;
    return s;
}

}  // namespace frond::test

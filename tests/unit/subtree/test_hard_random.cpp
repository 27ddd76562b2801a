// SPDX-License-Identifier: BSD-3-Clause
// Many small systems of small integers: structurally and numerically singular ones among them.
#include "hard_checks.hpp"
#include "hard_systems.hpp"
#include "scalar_lists.hpp"

using namespace frond;
using namespace frond::test;

namespace {

/// Entries in {-2, ..., 2} (complex: with imaginary parts), many of them zero or missing.
template <class T>
SparseMatrix<T> random_integers(index_t n, index_t per_column, Symmetry symmetry, Random& random) {
    SystemBuilder<T> a(n, symmetry);
    const auto value = [&] { return static_cast<real_t<T>>(random.below(5) - 2); };
    for (index_t j = 0; j < n; ++j) {
        for (index_t k = 0; k < per_column; ++k) {
            const index_t i = random.below(n);
            const real_t<T> re = value(), im = value();
            if constexpr (is_complex<T>)
                a.set(i, j, T(re, i == j && symmetry == Symmetry::hermitian ? 0 : im));
            else
                a.set(i, j, i == j ? re : im);
        }
        if (random.below(3) == 0) a.set(j, j, real_scalar<T>(random.below(3) - 1));
    }
    return a.matrix();
}

/// Far above what rounding in extended precision leaves of small integers, and far below what regular pivots of them are.
/// Found by trial.
constexpr long double null_pivot = 1e-12L;

/// Rank by elimination with complete pivoting in extended precision; of small integers.
index_t dense_rank(DenseMatrix a) {
    index_t rank = 0;
    for (; rank < a.rows; ++rank) {
        index_t p = rank, q = rank;
        for (index_t j = rank; j < a.cols; ++j)
            for (index_t i = rank; i < a.rows; ++i)
                if (std::abs(a(i, j)) > std::abs(a(p, q))) p = i, q = j;
        if (std::abs(a(p, q)) < null_pivot) break;
        for (index_t j = 0; j < a.cols; ++j) std::swap(a(rank, j), a(p, j));
        for (index_t i = 0; i < a.rows; ++i) std::swap(a(i, rank), a(i, q));
        for (index_t i = rank + 1; i < a.rows; ++i) {
            const Wide l = a(i, rank) / a(rank, rank);
            for (index_t j = rank; j < a.cols; ++j) a(i, j) -= l * a(rank, j);
        }
    }
    return rank;
}

template <class T>
void check_random(const KindCase& c, std::uint64_t seed) {
    Random random(seed);
    const index_t n = 1 + random.below(14);
    const SparseMatrix<T> a = random_integers<T>(n, 1 + random.below(3), c.symmetry, random);
    const std::vector<index_t> sizes = {1 + random.below(3), 1 + random.below(5)};
    CAPTURE(c.name);
    CAPTURE(seed);
    CAPTURE(n);
    // Small determinants of integers: conditions up to 1e4 and multipliers up to 10.
    check_hard_system(a, c, sizes, 0.1, 1e4, n - dense_rank(dense(a)));
}

}  // namespace

TEST_CASE("2000 small systems of integers, double precision") {
    for (const KindCase& c : threshold_cases())
        for (std::uint64_t seed = 1; seed <= 500; ++seed) check_random<double>(c, seed);
}

#if FROND_SCALAR_Z
TEST_CASE("2000 small systems of integers, complex double precision") {
    using Complex = std::complex<double>;
    for (const KindCase& c : threshold_cases())
        for (std::uint64_t seed = 1; seed <= 500; ++seed) check_random<Complex>(c, seed);
}
#endif

TEST_CASE_TEMPLATE_DEFINE("NaN and Inf: the factorization ends, inside its memory", T, not_finite) {
    for (const KindCase& c : threshold_cases())
        for (const double value : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
            for (const count_t entry : {0, 20, 60}) {
                SparseMatrix<T> a = constant_diagonal<T>(30, 1, 0, c.symmetry, 2);
                a.value[static_cast<std::size_t>(entry)] = real_scalar<T>(value);
                const Analysis analysis = simple_analysis(a.pattern, c.symmetry, c.kind, {1, 4});
                FactoredSubtree<T> factors(a, analysis, whole_tree(analysis.tree), threshold_rule<T>(0.01));
                CHECK(factors.intact());
                CHECK(factors.second_passes.delayed.empty());
            }
}

TEST_CASE_TEMPLATE_APPLY(not_finite, Scalars);

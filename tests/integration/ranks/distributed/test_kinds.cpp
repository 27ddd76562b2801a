// SPDX-License-Identifier: BSD-3-Clause
// Each rank keeps its rows of A and its part of the analysis; none has the whole.
#include "distributed_solver.hpp"
#include "frond/matrix/generate.hpp"
#include "random_sparse.hpp"

#include <complex>

using namespace frond;
using namespace frond::test;

namespace {

template <class T>
void check_distributed(const SparseMatrix<T>& a, const AnalysisOptions& options, const SomeRanks& ranks,
                       const Session& session, const FactorOptions& factor = {}) {
    Solver<T> solver(session, options);
    auto part = dealt(a, ranks);
    solver.factor(part.view(), factor);
    check_right(solver, a, ranks);
    CHECK(is_distributed(solver, ranks));
    for (T& v : part.value) v *= T(2);
    solver.factor_values(part.value, factor);
    check_right(solver, times(a, real_t<T>(2)), ranks);
}

}  // namespace

TEST_SUITE_BEGIN(needs_distribution);

TEST_CASE("distributed analysis: all kinds and scalars are factored and solved, also with new values") {
    on_distributed([](const SomeRanks& ranks) {
        const Session session = ranks.session();
        check_distributed(poisson3d<double>(15).matrix, distributed(Factorization::llt), ranks, session);
        check_distributed(kkt<double>(8).matrix, distributed(Factorization::ldlt), ranks, session);
        check_distributed(convdiff3d<double>(13).matrix, distributed(), ranks, session);
        check_distributed(elasticity3d<double>(4).matrix, distributed(), ranks, session);
#if FROND_SCALAR_S
        check_distributed(poisson3d<float>(7).matrix, distributed(), ranks, session);
#endif
#if FROND_SCALAR_Z
        check_distributed(helmholtz3d<std::complex<double>>(7).matrix, distributed(), ranks, session);
#endif
    });
}

TEST_CASE("distributed analysis: L U of one triangle, Hermitian matrices, static pivots") {
    on_distributed([](const SomeRanks& ranks) {
        const Session session = ranks.session();
        const auto check = [&](const auto& a, Factorization kind, const FactorOptions& factor = {}) {
            check_distributed(a, distributed(kind), ranks, session, factor);
        };
        FactorOptions static_pivots;
        static_pivots.pivoting = Pivoting::static_pivots;
        check(random_grid<double>(17, Symmetry::symmetric, false, 1), Factorization::lu);
        check(random_grid<double>(17, Symmetry::symmetric, true, 2), Factorization::ldlt, static_pivots);
        check(kkt<double>(6).matrix, Factorization::ldlt, static_pivots);
        check(convdiff3d<double>(7).matrix, Factorization::lu, static_pivots);
#if FROND_SCALAR_Z
        using Z = std::complex<double>;
        check(random_grid<Z>(15, Symmetry::hermitian, false, 3), Factorization::ldlh);
        check(random_grid<Z>(15, Symmetry::hermitian, true, 4), Factorization::automatic);
        check(random_grid<Z>(15, Symmetry::hermitian, false, 5), Factorization::lu);
        check(random_grid<Z>(15, Symmetry::symmetric, false, 6), Factorization::automatic);
        check(random_grid<Z>(15, Symmetry::general, false, 7), Factorization::automatic);
#endif
    });
}

TEST_SUITE_END();

// SPDX-License-Identifier: BSD-3-Clause
// Dense matrices on several ranks: the bits of one rank, whichever way the matrix is dealt, and whoever factors.
#include "dealt_dense.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/condition.hpp"
#include "frond/null_space.hpp"
#include "needs_ranks.hpp"
#include "scalar_lists.hpp"
#include "shared_always.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

using namespace frond;
using namespace frond::test;

namespace {

constexpr index_t dense_order = 130;

struct DenseKind {
    const char* name;
    Symmetry symmetry;
    Factorization factorization;
    Pivoting pivoting;
    double diagonal;
};
constexpr DenseKind dense_kinds[] = {
    {"L U", Symmetry::general, Factorization::automatic, Pivoting::automatic, 0},
    {"L U, static pivots", Symmetry::general, Factorization::lu, Pivoting::static_pivots, 3},
    {"L U of one triangle", Symmetry::symmetric, Factorization::lu, Pivoting::static_pivots, 3},
    {"L D L^T", Symmetry::symmetric, Factorization::ldlt, Pivoting::automatic, 0},
    {"L D L^T, static pivots", Symmetry::symmetric, Factorization::ldlt, Pivoting::static_pivots, 3},
    {"L L^H", Symmetry::hermitian, Factorization::automatic, Pivoting::automatic, 200},
    {"L D L^H", Symmetry::hermitian, Factorization::automatic, Pivoting::automatic, 0},
};

AnalysisOptions dense_options(Factorization factorization = Factorization::automatic) {
    AnalysisOptions options;
    options.deterministic = true;
    options.tile_size = 32;
    options.factorization = factorization;
    return options;
}

template <class T>
Symmetry symmetry_of(const DenseKind& kind) {
    return !is_complex<T> && kind.symmetry == Symmetry::hermitian ? Symmetry::symmetric : kind.symmetry;
}

/// Two, so that the kinds together have all of them twice.
std::vector<Dealing> dealings_of(const DenseKind& kind) {
    const auto k = static_cast<std::size_t>(&kind - dense_kinds), count = std::size(dealings);
    return {dealings[k % count], dealings[(k + 3) % count]};
}

template <class T>
struct DenseOutcome {
    FactorReport report;
    std::vector<std::vector<T>> solutions;
};

template <class T>
DenseOutcome<T> dense_outcome(const SomeRanks& ranks, DenseSystem<T>& system, const DenseKind& kind, Dealing dealing,
                              Triangle stored) {
    const DensePieces<T> pieces(system, dealing, ranks, stored);
    Solver<T> solver(ranks.session(), dense_options(kind.factorization));
    DenseOutcome<T> outcome;
    FactorOptions options;
    options.pivoting = kind.pivoting;
    outcome.report = solver.factor(pieces.view, options);
    for (const Operation op : {Operation::none, Operation::adjoint}) {
        std::vector<T> b = random_values<T>(at(system.n) * 3, 5), &x = outcome.solutions.emplace_back(b.size());
        SolveOptions solve;
        solve.operation = op;
        const SolveReport solved = solve_whole(solver, ranks, b, x, system.n, solve);
        CHECK(solved.status == SolveStatus::converged);
        const double rounding = 4 * system.n * static_cast<double>(std::numeric_limits<real_t<T>>::epsilon());
        CHECK(system.error(op, x.data(), b.data()) <= solved.componentwise_backward_error + rounding);
        std::vector<T>& product = outcome.solutions.emplace_back(b.size());
        solver.multiply(op, whole_on<const T>(ranks, 0, b, system.n, 3), whole_on<T>(ranks, 0, product, system.n, 3));
        broadcast_from(ranks, 0, product);
    }
    return outcome;
}

template <class T>
void check_same_outcome(const DenseOutcome<T>& found, const DenseOutcome<T>& alone) {
    CHECK(found.report.status == alone.report.status);
    CHECK(found.report.factorization == alone.report.factorization);
    CHECK(found.report.pivots.second_pass == alone.report.pivots.second_pass);
    CHECK(found.report.pivots.smallest == alone.report.pivots.smallest);
    CHECK(found.report.pivots.largest == alone.report.pivots.largest);
    CHECK(found.report.memory.factor_bytes == alone.report.memory.factor_bytes);
    for (std::size_t s = 0; s < alone.solutions.size(); ++s)
        CHECK(std::memcmp(found.solutions[s].data(), alone.solutions[s].data(),
                          alone.solutions[s].size() * sizeof(T)) == 0);
}

template <class Body>
void on_sharing_ranks(const Body& body) {
    const FrontsSharedAlways shared;
    on_several_ranks(body);
}

/// The matrix as the ranks have it is of use.
template <class T>
void check_dense_works(Solver<T>& solver, DenseSystem<T>& system, const DensePieces<T>& pieces,
                       const SomeRanks& ranks) {
    solver.factor(pieces.view);
    std::vector<T> b = random_values<T>(at(system.n), 5), x(b.size());
    CHECK(solve_whole(solver, ranks, b, x, system.n).status == SolveStatus::converged);
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("dense matrices on ranks have the bits of one rank", T, dense_bits) {
    const FrontsSharedAlways shared;
    for (const DenseKind& kind : dense_kinds) {
        CAPTURE(kind.name);
        DenseSystem<T> system = DenseSystem<T>::random(dense_order, symmetry_of<T>(kind), 3, kind.diagonal);
        std::optional<DenseOutcome<T>> alone;
        on_some_ranks([&](const SomeRanks& ranks) {
            for (const Dealing dealing : dealings_of(kind)) {
                CAPTURE(static_cast<int>(dealing));
                const bool is_turned = static_cast<int>(dealing) % 2 == 1;
                const DenseOutcome<T> found =
                    dense_outcome(ranks, system, kind, dealing, is_turned ? Triangle::upper : Triangle::lower);
                if (!alone) alone = found;
                check_same_outcome(found, *alone);
            }
        });
    }
}
TEST_CASE_TEMPLATE_APPLY(dense_bits, Scalars);

TEST_CASE("entries in blocks that are tiles do not travel" * doctest::test_suite(needs_several_ranks)) {
    constexpr index_t order = 600;
    on_sharing_ranks([](const SomeRanks& ranks) {
        for (const DenseKind& kind : {dense_kinds[1], dense_kinds[4], dense_kinds[5]})
            for (const Triangle stored : {Triangle::lower, Triangle::upper}) {
                CAPTURE(kind.name);
                CAPTURE(static_cast<int>(stored));
                DenseSystem<double> system =
                    DenseSystem<double>::random(order, symmetry_of<double>(kind), 3,
                                                kind.diagonal > 100 ? kind.diagonal : 3 * kind.diagonal);
                AnalysisOptions options;
                options.factorization = kind.factorization;
                FactorOptions how;
                how.pivoting = kind.pivoting;
                const auto bytes_beside_panels = [&](Dealing dealing) {
                    const DensePieces<double> pieces(system, dealing, ranks, stored);
                    Solver<double> solver(ranks.session(), options);
                    solver.factor(pieces.view, how);
                    count_t sent = 0, of_panels = 0;
                    for (const RankReport& r : solver.rank_reports()) {
                        sent += r.bytes_sent - r.factor_bytes_sent;
                        of_panels += r.factor_bytes_sent;
                    }
                    CHECK(of_panels > 0);
                    std::vector<double> b = random_values<double>(at(order), 5), x(b.size());
                    CHECK(solve_whole(solver, ranks, b, x, order).status == SolveStatus::converged);
                    return sent;
                };
                const count_t entries = count_t{order} * order * 8;
                CHECK(bytes_beside_panels(Dealing::columns_backwards) > entries / 5);
                // Three ranks have a better table for symmetric kinds.
                if (ranks.size() == 3 && system.symmetry != Symmetry::general) continue;
                CHECK(bytes_beside_panels(Dealing::tiles) < entries / 10);
            }
    });
}

TEST_CASE("the ranks of a dense front have its tiles" * doctest::test_suite(needs_several_ranks)) {
    on_sharing_ranks([](const SomeRanks& ranks) {
        for (const DenseKind& kind : dense_kinds) {
            CAPTURE(kind.name);
            DenseSystem<double> system =
                DenseSystem<double>::random(dense_order, symmetry_of<double>(kind), 3, kind.diagonal);
            const DensePieces<double> pieces(system, Dealing::row_blocks, ranks);
            Solver<double> solver(ranks.session(), dense_options(kind.factorization));
            FactorOptions options;
            options.pivoting = kind.pivoting;
            const FactorReport& report = solver.factor(pieces.view, options);
            count_t all = 0;
            int with_tiles = 0;
            for (const RankReport& part : solver.rank_reports()) {
                CHECK((part.tree_bytes_sent > 0) == (part.factor_bytes > 0));
                with_tiles += part.factor_bytes > 0 ? 1 : 0;
                all += part.factor_bytes;
            }
            CHECK(with_tiles >= std::min(ranks.size(), 3));  // not every number of ranks has a table
            CHECK(all == report.memory.factor_bytes);
        }
    });
}

TEST_CASE("what else is asked of dense factors on ranks") {
    on_some_ranks([](const SomeRanks& ranks) {
        const FrontsSharedAlways shared;
        DenseSystem<double> system = DenseSystem<double>::random(dense_order, Symmetry::general, 3, 2);
        const DensePieces<double> pieces(system, Dealing::cyclic, ranks);
        Solver<double> solver(ranks.session(), dense_options());
        solver.factor(pieces.view);
        const ConditionEstimate condition = solver.condition();
        CHECK(condition.norm_1 > 1);
        CHECK(condition.inverse_norm_1 > 0);
        std::vector<double> b = random_values<double>(at(system.n), 5), x(b.size());
        SolveOptions options;
        options.forward_error = true;
        CHECK(solve_whole(solver, ranks, b, x, system.n, options).forward_error.value_or(0) > 0);
        Solver<double> copy(solver);
        std::vector<double> y(b.size());
        CHECK(solve_whole(copy, ranks, b, y, system.n).status == SolveStatus::converged);
        CHECK(x == y);
        if (ranks.rank() == 0)
            CHECK_THROWS_AS(solve<double>(solver.factors(), {b.data(), system.n}, {x.data(), system.n}),
                            InvalidArgument);
        // A column of zeros.
        for (index_t i = 0; i < system.n; ++i) system(i, 40) = 0;
        const DensePieces<double> singular(system, Dealing::cyclic, ranks);
        CHECK(solver.factor(singular.view).status == FactorStatus::singular);
        CHECK(solver.factor_report().pivots.small_columns.size() == 1);
        CHECK(solver.null_vectors().dimension == 1);
    });
}

TEST_CASE("static pivots of a dense matrix on ranks escalate" * doctest::test_suite(needs_several_ranks)) {
    on_sharing_ranks([](const SomeRanks& ranks) {
        constexpr index_t n = 96;
        DenseSystem<double> system = DenseSystem<double>::random(n, Symmetry::symmetric, 8);
        for (index_t j = 0; j < n / 2; ++j)
            for (index_t i = 0; i < n / 2; ++i) system(i, j) = 0;
        const DensePieces<double> pieces(system, Dealing::rows_in_turn, ranks);
        Solver<double> solver(ranks.session(), dense_options(Factorization::ldlt));
        FactorOptions options;
        options.pivoting = Pivoting::static_pivots;
        CHECK(solver.factor(pieces.view, options).status == FactorStatus::perturbed);
        std::vector<double> b = random_values<double>(n, 5), x(n);
        SolveOptions solve;
        solve.krylov = Krylov::off;
        solve.max_refinement_steps = 1;
        solve.target_backward_error = 11 * std::numeric_limits<double>::epsilon();
        CHECK(solve_whole(solver, ranks, b, x, n, solve).escalated);
        CHECK(solver.factor_report().pivoting == Pivoting::threshold);
        CHECK(solver.factor_report().escalated);
    });
}

namespace {

/// The large entry of each row is half the order to the right of the diagonal, so that tiles there have no pivots.
template <class T>
DenseSystem<T> shifted_system(index_t n) {
    DenseSystem<T> system = DenseSystem<T>::random(n, Symmetry::general, 9);
    for (index_t j = 0; j < n; ++j)
        for (index_t i = 0; i < n; ++i) system(i, j) = system(i, j) * T(1e-3) + T((j + n / 2) % n == i ? 1 : 0);
    return system;
}

template <class T>
std::vector<count_t> factor_bytes_of_ranks(const Solver<T>& solver) {
    std::vector<count_t> bytes;
    for (const RankReport& part : solver.rank_reports()) bytes.push_back(part.factor_bytes);
    return bytes;
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("ranks exchange rows of a dense matrix with the bits of one rank", T, dense_rows) {
    const FrontsSharedAlways shared;
    std::optional<DenseOutcome<T>> alone;
    DenseSystem<T> system = shifted_system<T>(dense_order);
    on_some_ranks([&](const SomeRanks& ranks) {
        for (const Dealing dealing : {Dealing::column_blocks, Dealing::cyclic, Dealing::last_rank}) {
            CAPTURE(static_cast<int>(dealing));
            const DenseOutcome<T> found = dense_outcome(ranks, system, dense_kinds[0], dealing, Triangle::both);
            CHECK(found.report.status == FactorStatus::success);
            CHECK(found.report.pivots.second_pass == 0);  // without exchanges nearly all
            if (!alone) alone = found;
            check_same_outcome(found, *alone);
        }
        const DensePieces<T> pieces(system, Dealing::row_blocks, ranks);
        Solver<T> solver(ranks.session(), dense_options());
        solver.factor(pieces.view);
        const std::vector<count_t> bytes = factor_bytes_of_ranks(solver);
        constexpr index_t tile_columns = 4;
        CHECK(std::count(bytes.begin(), bytes.end(), 0) == std::max(ranks.size() - tile_columns, 0));
    });
}
TEST_CASE_TEMPLATE_APPLY(dense_rows, Scalars);

TEST_CASE("columns that fail although ranks exchange rows are for rank 0" * doctest::test_suite(needs_several_ranks)) {
    on_sharing_ranks([](const SomeRanks& ranks) {
        DenseSystem<double> singular = shifted_system<double>(dense_order),
                            system = shifted_system<double>(dense_order);
        for (index_t i = 0; i < dense_order; ++i) singular(i, 90) = singular(i, 20);
        Solver<double> solver(ranks.session(), dense_options());
        const DensePieces<double> pieces(singular, Dealing::cyclic, ranks);
        CHECK(solver.factor(pieces.view).status == FactorStatus::singular);
        CHECK(solver.factor_report().pivots.small_columns.size() == 1);
        const std::vector<count_t> bytes = factor_bytes_of_ranks(solver);
        CHECK(bytes.front() == solver.factor_report().memory.factor_bytes);
        const DensePieces<double> others(system, Dealing::cyclic, ranks);
        check_dense_works(solver, system, others, ranks);
        CHECK(factor_bytes_of_ranks(solver).back() < solver.factor_report().memory.factor_bytes);
        DenseSystem<double> plain = DenseSystem<double>::random(dense_order, Symmetry::general, 3, 2);
        check_dense_works(solver, plain, DensePieces<double>(plain, Dealing::row_blocks, ranks), ranks);
    });
}

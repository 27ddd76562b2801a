// SPDX-License-Identifier: BSD-3-Clause
// A, B and X in any distribution: right solutions, and the same bits on any number of ranks.
#include "dealt_system.hpp"
#include "frond/matrix/generate.hpp"
#include "random_sparse.hpp"
#include "scalar_lists.hpp"

using namespace frond;
using namespace frond::test;

namespace {

/// What a solve accepts without a target.
const double accurate = accepted_backward_error<double>(SolveOptions{});

/// Entries dealt like cards, B on rank 0, X on the last rank, from where all get it.
template <class T>
std::vector<T> solve_dealt(const SomeRanks& ranks, const SparseMatrix<T>& a, const SolveOptions& options = {}) {
    const DealtEntries<T> mine(a, ranks.rank(), [&](count_t e) { return static_cast<int>(e * 7 % ranks.size()); });
    AnalysisOptions analysis;
    analysis.deterministic = true;
    Solver<T> solver(ranks.session(), analysis);
    solver.analyze(mine.view());
    solver.factor(mine.view());
    constexpr index_t count = 2;
    std::vector<T> b = simple_rhs(a, count, options.operation), x(b.size());
    const SolveReport report = solver.solve(whole_on<const T>(ranks, 0, b, a.rows(), count),
                                            whole_on<T>(ranks, ranks.last(), x, a.rows(), count), options);
    broadcast_from(ranks, ranks.last(), x);
    CHECK(report.status == SolveStatus::converged);
    const double error = componentwise_error(a, options.operation, x, b);
    CHECK(error < accurate);
    CHECK(std::abs(report.componentwise_backward_error - error) <= rounding_of_errors);
    CHECK(is_same_everywhere(ranks, std::to_string(report.componentwise_backward_error)));
    return x;
}

/// The same bits as on one rank.
template <class T>
void check_bits(const SparseMatrix<T>& a, const SolveOptions& options = {}) {
    std::vector<T> alone;
    on_some_ranks([&](const SomeRanks& ranks) {
        const std::vector<T> x = solve_dealt(ranks, a, options);
        if (ranks.size() == 1) alone = x;
        if (ranks.rank() == 0) CHECK(x == alone);
    });
}

}  // namespace

TEST_CASE("solutions have the same bits on any number of ranks") {
    SUBCASE("definite") { check_bits(poisson3d<double>(9).matrix); }
    SUBCASE("indefinite") { check_bits(kkt<double>(4).matrix); }
    SUBCASE("general") { check_bits(convdiff3d<double>(7).matrix); }
    SUBCASE("general, transposed") {
        SolveOptions options;
        options.operation = Operation::transpose;
        check_bits(convdiff3d<double>(7).matrix, options);
    }
#if FROND_SCALAR_Z
    using Z = std::complex<double>;
    SUBCASE("Hermitian") { check_bits(random_sparse<Z>(300, 3, Symmetry::hermitian, true, 4)); }
    SUBCASE("general complex, adjoint") {
        SolveOptions options;
        options.operation = Operation::adjoint;
        check_bits(random_sparse<Z>(300, 3, Symmetry::general, true, 7), options);
    }
    SUBCASE("complex symmetric, adjoint") {
        SolveOptions options;
        options.operation = Operation::adjoint;
        check_bits(random_sparse<Z>(300, 3, Symmetry::symmetric, true, 5), options);
    }
#endif
}

TEST_CASE("whole rows of each rank, and B and X by maps of rows") {
    on_some_ranks([](const SomeRanks& ranks) {
        for (const auto& a : {poisson3d<double>(8).matrix, convdiff3d<double>(6).matrix}) {
            const index_t n = a.rows();
            const DealtRows<double> mine(a, ranks.rank(), [&](index_t i) { return (n - i) % ranks.size(); });
            Solver<double> solver(ranks.session());
            solver.factor(mine.view());
            const std::vector<double> b = simple_rhs(a, 1);
            // B by the same rows backwards; each rank wants the first and the last row of X and every third one.
            std::vector<index_t> b_rows(mine.row.rbegin(), mine.row.rend()), x_rows;
            std::vector<double> own_b;
            for (const index_t i : b_rows) own_b.push_back(b[static_cast<std::size_t>(i)]);
            for (index_t i = 0; i < n; ++i)
                if (i % 3 == 0 || i == n - 1) x_rows.push_back(i);
            std::vector<double> own_x(x_rows.size()), x(b.size());
            const auto rows = static_cast<count_t>(own_b.size()), wanted = static_cast<count_t>(x_rows.size());
            const SolveReport report = solver.solve(BlockView<const double>{own_b.data(), rows, 1, 0, b_rows.data()},
                                                    BlockView<double>{own_x.data(), wanted, 1, 0, x_rows.data()});
            CHECK(report.componentwise_backward_error < accurate);
            // The whole X by another distribution.
            static_cast<void>(solver.solve(BlockView<const double>{own_b.data(), rows, 1, 0, b_rows.data()},
                                           whole_on<double>(ranks, 0, x, n, 1)));
            broadcast_from(ranks, 0, x);
            CHECK(componentwise_error(a, Operation::none, x, b) < accurate);
            for (std::size_t k = 0; k < x_rows.size(); ++k) CHECK(own_x[k] == x[static_cast<std::size_t>(x_rows[k])]);
        }
    });
}

TEST_CASE("entries that several ranks have are summed in the order of the ranks") {
    on_some_ranks([](const SomeRanks& ranks) {
        const SparseMatrix<double> a = poisson2d<double>(9).matrix;
        DealtEntries<double> mine(a, 0, [&](count_t) { return 0; });  // each rank has all of A, its share of the values
        const double share = ranks.rank() == ranks.last() ? 1.0 - 0.25 * (ranks.size() - 1) : 0.25;
        for (double& v : mine.value) v *= share;
        Solver<double> solver(ranks.session());
        solver.factor(mine.view());
        std::vector<double> b = simple_rhs(a, 1), x(b.size());
        static_cast<void>(solver.solve(whole_on<const double>(ranks, ranks.last(), b, a.rows(), 1),
                                       whole_on<double>(ranks, 0, x, a.rows(), 1)));
        broadcast_from(ranks, 0, x);
        CHECK(componentwise_error(a, Operation::none, x, b) < accurate);
    });
}

TEST_CASE("ranks without rows or entries, and matrices of order 0 and 1") {
    on_some_ranks([](const SomeRanks& ranks) {
        for (const index_t n : {0, 1, 2}) {
            CAPTURE(n);
            DealtEntries<double> mine(SparseMatrix<double>{}, 0, [](count_t) { return 0; });
            mine.order = n;
            for (index_t i = 0; i < n && ranks.rank() == ranks.last(); ++i) mine.add(i, i, 2.0 + i);
            Solver<double> solver(ranks.session());
            solver.factor(mine.view());
            std::vector<double> b(static_cast<std::size_t>(n), 6.0), x(b.size());
            const SolveReport report =
                solver.solve(whole_on<const double>(ranks, 0, b, n, 1), whole_on<double>(ranks, ranks.last(), x, n, 1));
            CHECK(report.status == SolveStatus::converged);
            for (index_t i = 0; i < n && ranks.rank() == ranks.last(); ++i)
                CHECK(x[static_cast<std::size_t>(i)] == 6.0 / (2.0 + i));
        }
    });
}

TEST_CASE("new values by factor_values and by factor, many right-hand sides, products") {
    on_some_ranks([](const SomeRanks& ranks) {
        SparseMatrix<double> a = convdiff3d<double>(5).matrix;
        const auto owner = [&](count_t e) { return static_cast<int>(e % ranks.size()); };
        Solver<double> solver(ranks.session());
        solver.analyze(DealtEntries<double>(a, ranks.rank(), owner).view());
        for (const bool by_values : {true, false, true}) {
            for (std::size_t e = 0; e < a.value.size(); ++e) a.value[e] *= 1.0 + 0.01 * static_cast<double>(e % 5);
            const DealtEntries<double> mine(a, ranks.rank(), owner);
            if (by_values)
                solver.factor_values(mine.value);
            else
                solver.factor(mine.view());
            constexpr index_t count = 70;  // more than are refined together
            std::vector<double> b = simple_rhs(a, count), x(b.size()), again(b.size());
            const SolveReport report = solver.solve(whole_on<const double>(ranks, 0, b, a.rows(), count),
                                                    whole_on<double>(ranks, 0, x, a.rows(), count));
            CHECK(report.componentwise_backward_errors.size() == count);
            solver.multiply(Operation::none, whole_on<const double>(ranks, 0, x, a.rows(), count),
                            whole_on<double>(ranks, ranks.last(), again, a.rows(), count));
            broadcast_from(ranks, 0, x);
            broadcast_from(ranks, ranks.last(), again);
            CHECK(componentwise_error(a, Operation::none, x, b) < accurate);
            double difference = 0;
            for (std::size_t i = 0; i < b.size(); ++i) difference = std::max(difference, std::abs(again[i] - b[i]));
            // |A| |X| is some hundreds at most.
            constexpr double size_of_products = 1000;
            CHECK(difference < size_of_products * accurate);
        }
    });
}

TEST_CASE("reports are the same on all ranks") {
    on_some_ranks([](const SomeRanks& ranks) {
        const SparseMatrix<double> a = kkt<double>(3).matrix;
        const DealtEntries<double> mine(a, ranks.rank(), [&](count_t e) { return static_cast<int>(e % ranks.size()); });
        Solver<double> solver(ranks.session());
        const double seconds = solver.analyze(mine.view()).seconds;
        const FactorReport factors = solver.factor(mine.view());
        std::vector<double> b = simple_rhs(a, 1), x(b.size());
        SolveOptions options;
        options.forward_error = true;
        const SolveReport report = solver.solve(whole_on<const double>(ranks, 0, b, a.rows(), 1),
                                                whole_on<double>(ranks, 0, x, a.rows(), 1), options);
        REQUIRE(factors.pivots.inertia.has_value());
        CHECK(factors.pivots.inertia->negative + factors.pivots.inertia->zero + factors.pivots.inertia->positive ==
              a.rows());
        REQUIRE(report.forward_error.has_value());
        REQUIRE(report.condition_hint.has_value());
        CHECK(is_same_everywhere(ranks, std::to_string(seconds) + std::to_string(factors.seconds) +
                                            std::to_string(factors.pivots.inertia->negative) +
                                            std::to_string(*report.forward_error) +
                                            std::to_string(*report.condition_hint) + std::to_string(report.seconds)));
        CHECK((solver.analysis() != nullptr) == (ranks.rank() == 0));
        const std::vector<RankReport> work = solver.rank_reports();
        REQUIRE(work.size() == static_cast<std::size_t>(ranks.size()));
        count_t sent = 0, received = 0;
        for (const RankReport& r : work) {
            sent += r.bytes_sent;
            received += r.bytes_received;
        }
        CHECK(sent == received);
        CHECK((sent > 0) == (ranks.size() > 1));
        CHECK(work[0].factor_bytes == factors.memory.factor_bytes);
    });
}

// SPDX-License-Identifier: BSD-3-Clause
// What each rank has of an analysis of which none has the whole, and where it is of no use.
#include "distributed_solver.hpp"
#include "frond/analysis/analysis_file.hpp"
#include "frond/matrix/generate.hpp"
#include "temporary_file.hpp"

#include <filesystem>

using namespace frond;
using namespace frond::test;

namespace {

/// The tolerance of sums of operations in another order.
constexpr double of_another_order = 1e-9;

/// By columns.
std::vector<double> dense_entries(const SparseMatrix<double>& a) {
    std::vector<double> entries(static_cast<std::size_t>(a.rows()) * static_cast<std::size_t>(a.rows()), 0.0);
    for (index_t j = 0; j < a.cols(); ++j)
        for (count_t e = a.pattern.begin[static_cast<std::size_t>(j)];
             e < a.pattern.begin[static_cast<std::size_t>(j) + 1]; ++e)
            entries[static_cast<std::size_t>(a.pattern.row[static_cast<std::size_t>(e)]) +
                    static_cast<std::size_t>(j) * static_cast<std::size_t>(a.rows())] =
                a.value[static_cast<std::size_t>(e)];
    return entries;
}

}  // namespace

TEST_SUITE_BEGIN(needs_distribution);

// On two ranks and more some rank has no front of so little a matrix, which may be rank 0.
TEST_CASE("distributed analysis: a part is neither saved nor used by other solvers") {
    on_distributed([](const SomeRanks& ranks) {
        const Session session = ranks.session();
        for (const SparseMatrix<double>& a : {poisson3d<double>(15).matrix, poisson2d<double>(9).matrix,
                                              poisson2d<double>(10).matrix, convdiff3d<double>(4).matrix}) {
            Solver<double> solver(session, distributed()), other(session);
            solver.factor(dealt(a, ranks).view());
            CHECK(is_distributed(solver, ranks));
            const std::string text = message_of<InvalidArgument>([&] { other.use(solver.analysis()); });
            CHECK(contains(text, "the part of one process of several"));
            CHECK(is_same_everywhere(ranks, text));
            if (ranks.rank() == 0) {
                const TemporaryFile file(".analysis");
                CHECK(contains(message_of<InvalidArgument>([&] { save_analysis(*solver.analysis(), file.path()); }),
                               "the part of one process of several"));
                CHECK(!std::filesystem::exists(file.path()));
            }
            check_right(solver, a, ranks);
            other.factor(dealt(a, ranks).view());
            check_right(other, a, ranks);
        }
    });
}

TEST_CASE("distributed analysis: from parts to an analysis on rank 0, to a dense matrix and back") {
    on_distributed([](const SomeRanks& ranks) {
        const Session session = ranks.session();
        const SparseMatrix<double> a = convdiff3d<double>(5).matrix;
        const auto part = dealt(a, ranks);
        Solver<double> whole(session, on_rank_0(distributed())), solver(session, distributed());
        whole.analyze(part.view());
        std::shared_ptr<Analysis> back;  // with the options of parts
        if (ranks.rank() == 0) back = std::make_shared<Analysis>(*whole.analysis());
        if (back != nullptr) back->options = distributed();
        for (int round = 0; round < 2; ++round) {
            solver.factor(part.view());
            CHECK(is_distributed(solver, ranks));
            check_right(solver, a, ranks);
            solver.use(whole.analysis());
            solver.factor(part.view());
            CHECK(!is_distributed(solver, ranks));
            check_right(solver, a, ranks, 2);
            if (round == 0) {
                std::vector<double> entries = dense_entries(a);
                DenseMatrixView<double> dense;  // all of it on rank 0
                dense.order = dense.ld = a.rows();
                dense.data = entries.data();
                solver.factor(dense);
                check_right(solver, a, ranks, 2);
            }
            solver.use(back);
            solver.analyze(part.view());
        }
    });
}

TEST_CASE("distributed analysis: ranks report their parts") {
    on_distributed_fronts([](const SomeRanks& ranks) {
        const SparseMatrix<double> a = poisson3d<double>(18).matrix;
        Solver<double> solver(ranks.session(), distributed());
        const FactorReport factors = solver.factor(dealt(a, ranks).view());
        const std::vector<RankReport> parts = solver.rank_reports();
        RankReport sum;
        for (const RankReport& r : parts) {
            sum.analysis_bytes += r.analysis_bytes;
            sum.factor_bytes += r.factor_bytes;
            sum.flops += r.flops;
            sum.factor_bytes_sent += r.factor_bytes_sent;
            sum.factor_bytes_received += r.factor_bytes_received;
            sum.bytes_sent += r.bytes_sent;
            sum.bytes_received += r.bytes_received;
            CHECK(r.peak_bytes <= r.peak_bytes_predicted);
        }
        CHECK(sum.factor_bytes == factors.memory.factor_bytes);
        CHECK(sum.flops == doctest::Approx(factors.work.flops).epsilon(of_another_order));
        CHECK(sum.factor_bytes_sent == sum.factor_bytes_received);
        CHECK(sum.factor_bytes_sent > 0);
        CHECK(sum.bytes_sent == sum.bytes_received);
        // Rank 0 has no more of the analysis than the others.
        const count_t mean_of_others = (sum.analysis_bytes - parts[0].analysis_bytes) / (ranks.size() - 1);
        CHECK(parts[0].analysis_bytes <= 2 * mean_of_others);
        CHECK(parts[0].analysis_bytes > 0);
    });
}

TEST_SUITE_END();

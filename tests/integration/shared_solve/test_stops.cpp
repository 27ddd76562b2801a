// SPDX-License-Identifier: BSD-3-Clause
// One rank that stops: all ranks end, no message is left, and the next solve is right. And the way of a solver to it.
#include "frond/matrix/generate.hpp"
#include "shared_factors.hpp"
#include "substitution/factor_solve.hpp"

using namespace frond;
using namespace frond::test;

namespace {

/// The saddle point's columns change ranks, too.
SharedFactors<double> hard_factors() {
    const auto a = saddle_point<double>(60, 5, Symmetry::symmetric, 4);
    AnalysisOptions options;
    options.factorization = Factorization::ldlt;
    options.matching = MatchingMode::off;
    options.ordering = OrderingMethod::natural;
    options.amalgamation_zeros = 1e-9;
    const AnalysisResult analysed = analyze(a, options);
    return {a, remapped(*analysed.analysis, {"tiles", 4, 0}), analysed.scaling};
}

const SolveCase nine_columns{SolvePart::all, Operation::none, 9, 2};

}  // namespace

TEST_SUITE_BEGIN("shared solve");

TEST_CASE("a rank whose solve is cancelled lets the others end, whenever that is") {
    Door door;
    auto factors = hard_factors();
    const std::vector<double> expected = factors.expected(nine_columns);
    factors.share_fronts();
    factors.deal(door, in_turn());
    index_t stopped = 0;
    for (int turn = 0; turn < 12; ++turn) {
        std::atomic<bool> cancel{false};
        const bool stops = world_rank() == turn % world_size();
        std::thread other([&] {
            std::this_thread::sleep_for(std::chrono::microseconds(turn * turn * 100));
            if (stops) cancel = true;
        });
        if (turn == 0) other.join();
        Job job(detail::starpu_engine(), &cancel);
        try {
            const std::vector<double> x = factors.shared(nine_columns, job);
            CHECK(x.size() == factors.own_part(expected, nine_columns).size());
        } catch (const Cancelled&) {
            CHECK(stops);
            ++stopped;
        }
        if (other.joinable()) other.join();
        CHECK(door.channel->pending() == 0);
        wait_for_all_ranks();
    }
    CHECK(sum_over_ranks(stopped) >= 1);
    Job job(detail::starpu_engine());
    CHECK(same_bits(factors.shared(nine_columns, job), factors.own_part(expected, nine_columns)));
}

TEST_CASE("so does one with an error, and says it") {
    Door door;
    auto factors = hard_factors();
    const std::vector<double> expected = factors.expected(nine_columns);
    factors.share_fronts();
    factors.deal(door, at_random(3));
    for (index_t rank = 0; rank < world_size(); ++rank) {
        Job job(detail::starpu_engine());
        if (world_rank() == rank) {
            job.fail(std::make_exception_ptr(RuntimeError("stopped for a test")));
            CHECK_THROWS_WITH_AS(factors.shared(nine_columns, job), "stopped for a test", RuntimeError);
        } else {
            CHECK_NOTHROW(factors.shared(nine_columns, job));
        }
        CHECK(door.channel->pending() == 0);
        wait_for_all_ranks();
    }
    Job job(detail::starpu_engine());
    CHECK(same_bits(factors.shared(nine_columns, job), factors.own_part(expected, nine_columns)));
}

TEST_CASE("factors of several ranks are solved with by their solver alone, and on no device") {
    Door door;
    auto factors = factored(convdiff3d<double>(5).matrix, Factorization::lu, {"tiles above subtrees", 8, 20});
    SolveOptions options;
    const index_t n = factors.order();
    factors.deal(door, in_turn());
    detail::FactorSolve<double> inverse(factors.state(), options);
    CHECK_FALSE(inverse.wants_device());
    CHECK_FALSE(inverse.works_alone(2));
    std::vector<double> x = random_numbers<double>(n, 2);
    CHECK_THROWS_WITH_AS(inverse.apply({x.data(), n, 2, n}), doctest::Contains("use Solver::solve"), InvalidArgument);
    options.place = SolvePlace::device;
    CHECK_THROWS_WITH_AS(detail::FactorSolve<double>(factors.state(), options),
                         doctest::Contains("several ranks share the factors"), InvalidArgument);
}

TEST_SUITE_END();

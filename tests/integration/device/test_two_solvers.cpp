// SPDX-License-Identifier: BSD-3-Clause
// Two solvers in one session, one after the other and at the same time: what one keeps on a device stays while the
// other has its turn, and their results are those of each alone.
#include "factors/state_of.hpp"
#include "grid_systems.hpp"
#include "needs_device.hpp"
#include "rhs_block.hpp"
#include "session/session_state.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

#include <thread>

using namespace frond;
using namespace frond::test;

namespace {

struct OneSystem {
    SparseMatrix<double> a;
    AnalysisResult analysed;

    explicit OneSystem(index_t points) : a(grid<double>(points, {Factorization::llt, Symmetry::symmetric, 6.5})) {
        AnalysisOptions options;
        options.factorization = Factorization::llt;
        options.deterministic = true;
        analysed = analyze(a, options);
    }
    /// The solution of a new factorization.
    RhsBlock<double> solution() const {
        const Factors<double> factors = factorize(device_session(), analysed.analysis, a, {}, &analysed.scaling);
        CHECK(factors.report().place.on_device == has_device());
        const auto b = RhsBlock<double>::random(a.rows(), 1, 5);
        RhsBlock<double> x(a.rows(), 1);
        CHECK(solve(factors, b.view(), x.view()).status == SolveStatus::converged);
        return x;
    }
};

}  // namespace

TEST_SUITE_BEGIN(needs_device);

TEST_CASE("what a solver keeps on a device stays while another has its turn") {
    const OneSystem first(6), second(7);
    const RhsBlock<double> x = first.solution();
    detail::SessionState& session = *detail::state_of(device_session());
    const auto kept = [&](const OneSystem& system) {
        auto workspace = session.take_workspace(system.analysed.analysis.get());
        const void* const same = workspace.get();
        if (workspace != nullptr) session.keep_workspace(std::move(workspace));
        return same;
    };
    const void* const before = kept(first);
    CHECK((before != nullptr) == has_device());
    second.solution();
    CHECK(kept(first) == before);
    CHECK(first.solution() == x);
    CHECK(kept(first) == before);
}

TEST_CASE("two solvers at the same time") {
    const OneSystem systems[] = {OneSystem(6), OneSystem(7)};
    const RhsBlock<double> alone[] = {systems[0].solution(), systems[1].solution()};
    bool same[] = {true, true};
    std::thread threads[2];
    for (int s = 0; s < 2; ++s)
        threads[s] = std::thread([&, s] {
            for (int k = 0; k < 3; ++k) same[s] = same[s] && systems[s].solution() == alone[s];
        });
    for (std::thread& thread : threads) thread.join();
    CHECK(same[0]);
    CHECK(same[1]);
}

TEST_SUITE_END();

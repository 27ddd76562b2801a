// SPDX-License-Identifier: BSD-3-Clause
// Cancellation and errors while fronts wait for their children's pivots: the call ends, nothing
// stays.
#include "frond/base/host_heap.hpp"
#include "frond/frond.hpp"
#include "rhs_block.hpp"
#include "shared_session.hpp"
#include "trouble_systems.hpp"
#include "watchdog.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <thread>

using namespace frond;
using namespace frond::test;

namespace {

struct Prepared {
    SparseMatrix<double> matrix;
    AnalysisResult analysed;
    std::shared_ptr<const Analysis> analysis;
};

Prepared prepared(Factorization kind) {
    const Symmetry symmetry = kind == Factorization::lu ? Symmetry::general : Symmetry::symmetric;
    Prepared p;
    p.matrix = constant_diagonal<double>(140, 1, 0, symmetry, 3);
    p.analysed = analyze_as_given(p.matrix, kind);
    p.analysis = remapped(*p.analysed.analysis, {"tiles above subtrees", 6, 10});
    return p;
}

Factors<double> factored(const Prepared& p, const FactorOptions& options = {}) {
    return factorize(shared_session(), p.analysis, p.matrix, options, &p.analysed.scaling);
}

void check_afterwards(const Prepared& p) {
    CHECK(host_heap().used_bytes() == 0);
    const Factors<double> factors = factored(p);
    CHECK(factors.report().pivots.delayed > 0);
    const index_t n = p.matrix.rows();
    const auto b = RhsBlock<double>::random(n, 1, 7);
    RhsBlock<double> x(n, 1);
    CHECK(solve(factors, b.view(), x.view()).status == SolveStatus::converged);
}

}  // namespace

TEST_CASE("cancelled after so many microseconds while columns are delayed") {
    const Watchdog watchdog(300);
    for (const Factorization kind : {Factorization::ldlt, Factorization::lu}) {
        const Prepared p = prepared(kind);
        int cancelled = 0;
        for (int delay = 0; delay <= 20; ++delay) {
            std::atomic<bool> cancel{false};
            FactorOptions options;
            options.cancel = &cancel;
            std::thread canceller([&] {
                std::this_thread::sleep_for(std::chrono::microseconds(100 * delay * delay));
                cancel = true;
            });
            try {
                factored(p, options);
            } catch (const Cancelled&) {
                ++cancelled;
            }
            canceller.join();
            CHECK(host_heap().used_bytes() == 0);
        }
        CHECK(cancelled > 0);
        check_afterwards(p);
    }
}

TEST_CASE("an error in the first tasks ends a factorization whose fronts wait for pivots") {
    const Watchdog watchdog(120);
    for (const Factorization kind : {Factorization::ldlt, Factorization::lu}) {
        const Prepared p = prepared(kind);
        FactorOptions options;
        options.progress = [](const Progress&) { throw std::domain_error("no more of this"); };
        for (int round = 0; round < 5; ++round)
            CHECK_THROWS_WITH_AS(factored(p, options), "no more of this", std::domain_error);
        check_afterwards(p);
    }
}

// SPDX-License-Identifier: BSD-3-Clause
// Memory and messages that one rank is refused, at every place of a small problem: one exception on all ranks, nobody waits
// for ever, and the next call works.
#include "dealt_system.hpp"
#include "failing_allocations.hpp"
#include "forced_mapping.hpp"
#include "frond/matrix/generate.hpp"
#include "ranks/collectively.hpp"
#include "shared_always.hpp"
#include "watchdog.hpp"

#include <starpu.h>

#include <cerrno>
#include <functional>

using namespace frond;
using namespace frond::test;

namespace {

constexpr long never = std::numeric_limits<long>::max() / 2;
constexpr std::size_t refused_bytes = detail::always_there_bytes + 1;

/// Messages of this rank before one that is refused.
std::atomic<long> messages_left{never};

/// What went wrong in one call on all ranks together.
struct Refused {
    std::string text;  // the same on all ranks; empty: the call went through
    bool any = false;  // the victim was refused something
};

template <class Body>
Refused outcome_of(const SomeRanks& ranks, int victim, const std::atomic<long>& left, const Body& body) {
    Refused outcome;
    try {
        body();
    } catch (const OutOfMemory& error) {
        outcome.text = error.what();
    }
    int any = left < 0 ? 1 : 0;
    MPI_Bcast(&any, 1, MPI_INT, victim, *ranks.communicator());
    outcome.any = any != 0;
    return outcome;
}

template <class Body>
Refused with_memory(const SomeRanks& ranks, int victim, long k, const Body& body) {
    const FailingAllocations armed(ranks.rank() == victim ? k : never, refused_bytes);
    return outcome_of(ranks, victim, allocations_left, body);
}

template <class Body>
Refused with_messages(const SomeRanks& ranks, int victim, long k, const Body& body) {
    messages_left = ranks.rank() == victim ? k : never;
    const Refused outcome = outcome_of(ranks, victim, messages_left, body);
    messages_left = never;
    return outcome;
}

/// call(victim, k) for each rank and k = 0, next(0), ... until nothing is refused any more.
template <class Call, class Next>
void for_every_k(const SomeRanks& ranks, const Call& call, const Next& next) {
    for (int victim = 0; victim < ranks.size(); ++victim) {
        long refusals = 0;
        for (long k = 0;; k = next(k)) {
            CAPTURE(victim);
            CAPTURE(k);
            const Refused outcome = call(victim, k);
            CHECK(is_same_everywhere(ranks, outcome.text));
            if (!outcome.text.empty()) CHECK(outcome.text.starts_with("rank " + std::to_string(victim) + ": "));
            if (!outcome.any) {
                CHECK(outcome.text.empty());
                break;
            }
            refusals += outcome.text.empty() ? 0 : 1;
        }
        CHECK(refusals > 0);
    }
}

long each(long k) { return k + 1; }
/// Every k at first, then ever wider steps.
long widening(long k) { return k + 1 + k / 16; }

AnalysisOptions analysis_options() {
    AnalysisOptions options;
    options.deterministic = true;
    return options;
}

/// Little tiles above little subtrees, so that all kinds of messages occur.
std::shared_ptr<const Analysis> analysis_of(const SparseMatrix<double>& a) {
    return remapped(*analyze(a, analysis_options()).analysis, {"tiles above subtrees", 24, 100});
}

/// Of orders k^3 and (k - 1)^3.
template <class Body>
void on_several(index_t k, const Body& body) {
    const Watchdog watchdog(200);
    const FrontsSharedAlways shared;
    for (const SparseMatrix<double>& a : {poisson3d<double>(k).matrix, convdiff3d<double>(k - 1).matrix})
        on_some_ranks([&](const SomeRanks& ranks) {
            if (ranks.size() > 1) body(ranks, a);
        });
}

/// B and X on rank 0.
struct Vectors {
    std::vector<double> b, x;
    BlockView<const double> of_b;
    BlockView<double> of_x;

    Vectors(const SomeRanks& ranks, const SparseMatrix<double>& a)
        : b(simple_rhs(a, 1)),
          x(b.size()),
          of_b(whole_on<const double>(ranks, 0, b, a.rows(), 1)),
          of_x(whole_on<double>(ranks, 0, x, a.rows(), 1)) {}
};

}  // namespace

// The linker puts it in the place of StarPU's, which only messages call.
extern "C" {

int __real_starpu_data_acquire_on_node_cb_sequential_consistency(starpu_data_handle_t, int,
                                                                 enum starpu_data_access_mode, void (*)(void*), void*,
                                                                 int);

int __wrap_starpu_data_acquire_on_node_cb_sequential_consistency(starpu_data_handle_t data, int node,
                                                                 enum starpu_data_access_mode mode,
                                                                 void (*callback)(void*), void* argument, int order) {
    if (messages_left.fetch_sub(1) == 0) return -ENOMEM;
    return __real_starpu_data_acquire_on_node_cb_sequential_consistency(data, node, mode, callback, argument, order);
}
}

TEST_CASE("memory is refused in an analysis and a factorization, for every k") {
    on_several(9, [](const SomeRanks& ranks, const SparseMatrix<double>& a) {
        const DealtEntries<double> mine = dealt(a, ranks);
        const std::shared_ptr<const Analysis> analysis = analysis_of(a);
        Solver<double> solver(ranks.session(), analysis_options());
        const auto analyze = [&] { solver.analyze(mine.view()); };
        const auto factor = [&] {
            solver.use(analysis);
            solver.factor(mine.view());
        };
        for (const auto& call : {std::function<void()>(analyze), std::function<void()>(factor)}) {
            call();
            for_every_k(
                ranks, [&](int victim, long k) { return with_memory(ranks, victim, k, call); }, widening);
        }
        check_solves(solver, a, ranks);
    });
}

TEST_CASE("memory is refused in a solve, for every k") {
    on_several(12, [](const SomeRanks& ranks, const SparseMatrix<double>& a) {
        Solver<double> solver(ranks.session(), analysis_options());
        solver.use(analysis_of(a));
        solver.factor(dealt(a, ranks).view());
        const Vectors v(ranks, a);
        const auto solve = [&] { solver.solve(v.of_b, v.of_x); };
        solve();
        for_every_k(
            ranks, [&](int victim, long k) { return with_memory(ranks, victim, k, solve); }, widening);
        check_solves(solver, a, ranks);
    });
}

TEST_CASE("a message is refused in a factorization or a solve, for every k") {
    on_several(9, [](const SomeRanks& ranks, const SparseMatrix<double>& a) {
        const DealtEntries<double> mine = dealt(a, ranks);
        Solver<double> solver(ranks.session(), analysis_options());
        const std::shared_ptr<const Analysis> analysis = analysis_of(a);
        const auto factor = [&] {
            solver.use(analysis);  // with earlier factors, rank 0 would try again without them
            solver.factor(mine.view());
        };
        factor();
        CHECK(solver.rank_reports()[0].factor_messages_sent > 10);
        for_every_k(
            ranks, [&](int victim, long k) { return with_messages(ranks, victim, k, factor); }, each);
        const Vectors v(ranks, a);
        const auto solve = [&] { solver.solve(v.of_b, v.of_x); };
        for_every_k(
            ranks, [&](int victim, long k) { return with_messages(ranks, victim, k, solve); }, each);
        check_solves(solver, a, ranks);
    });
}

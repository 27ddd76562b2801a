// SPDX-License-Identifier: BSD-3-Clause
// Tiles that one rank copies from the memory of another one's device, and what happens where it cannot.
#include "branch_solvers.hpp"
#include "dealt_system.hpp"
#include "failing_units.hpp"
#include "frond/matrix/generate.hpp"
#include "needs_ranks.hpp"
#include "shared_always.hpp"

#include <sys/uio.h>

#include <atomic>
#include <cerrno>

using namespace frond;
using namespace frond::test;

namespace {

/// How often the system lets a process read another one's memory; then it refuses.
std::atomic<long> reads_left{0};
/// That it has no memory for, before.
std::atomic<long> reads_without_memory{0};
constexpr long no_limit = 1L << 40;

/// Several tiles of each shared front are above the size from which messages have places on devices.
constexpr ForcedMapping large_tiles{"large tiles", 96, 150};

struct Outcome {
    count_t received_bytes = 0, bytes_from_devices = 0;  // of all ranks
    double error = 0;
};

template <class T>
Outcome factor_and_solve(const SomeRanks& ranks, Solver<T>& solver, const SparseMatrix<T>& a, FactorPlace place) {
    solver.factor(dealt(a, ranks).view(), placed(place));
    const SolvedSystem<T> solved = solve_system(ranks, solver, a, 1, SolveOptions());
    Outcome outcome;
    outcome.error = solved.error;
    for (const RankReport& report : solver.rank_reports()) {
        outcome.received_bytes += report.factor_bytes_received;
        outcome.bytes_from_devices += report.factor_bytes_from_devices;
    }
    return outcome;
}

template <class T>
Outcome outcome_with(const SomeRanks& ranks, const SparseMatrix<T>& a, const std::shared_ptr<const Analysis>& analysis,
                     index_t gpus, long reads) {
    Solver<T> solver(session_of(ranks, gpus), fixed_places(analysis->factorization));
    solver.use(analysis);
    reads_left = reads;
    const FactorPlace place = gpus > 0 ? FactorPlace::device : FactorPlace::automatic;
    const Outcome first = factor_and_solve(ranks, solver, a, place);
    if (gpus == 0) return first;
    CHECK(first.error <= accepted_error<T>);
    const Outcome second = factor_and_solve(ranks, solver, a, place);
    CHECK(second.received_bytes == first.received_bytes);
    return second;
}

template <class T>
void check_messages(const SparseMatrix<T>& a, Factorization kind) {
    const FrontsSharedAlways shared;
    const std::shared_ptr<const Analysis> analysis = analysis_for(a, kind, large_tiles);
    on_several_ranks([&](const SomeRanks& ranks) {
        const Outcome on_cores = outcome_with(ranks, a, analysis, 0, no_limit);
        CHECK(on_cores.bytes_from_devices == 0);
        for (const long reads : {no_limit, 100L, 0L}) {  // 100: refused in the middle of the second tile
            CAPTURE(reads);
            const Outcome on_devices = outcome_with(ranks, a, analysis, 1, reads);
            CHECK(on_devices.error <= accepted_error<T>);
            CHECK(on_devices.received_bytes == on_cores.received_bytes);
            CHECK((on_devices.bytes_from_devices > 0) == (reads == no_limit));
        }
        reads_left = no_limit;
    });
}

}  // namespace

extern "C" {
ssize_t __real_process_vm_readv(pid_t, const iovec*, unsigned long, const iovec*, unsigned long, unsigned long);
ssize_t __wrap_process_vm_readv(pid_t process, const iovec* here, unsigned long heres, const iovec* there,
                                unsigned long theres, unsigned long flags) {
    if (reads_without_memory.fetch_sub(1) > 0) {
        errno = ENOMEM;
        return -1;
    }
    if (reads_left.fetch_sub(1) > 0) return __real_process_vm_readv(process, here, heres, there, theres, flags);
    errno = EPERM;
    return -1;
}
}

TEST_SUITE_BEGIN(needs_several_ranks);

TEST_CASE("tiles of ranks from device to device, or by way of the host where that is refused") {
    SUBCASE("L L^H") { check_messages(poisson3d<double>(14).matrix, Factorization::llt); }
    SUBCASE("L D L^T") { check_messages(poisson3d<double>(13).matrix, Factorization::ldlt); }
    SUBCASE("L U") { check_messages(convdiff3d<double>(12).matrix, Factorization::lu); }
}

TEST_CASE("tiles of ranks go from device to device again when memory for it has been refused") {
    const FrontsSharedAlways shared;
    const SparseMatrix<double> a = poisson3d<double>(14).matrix;
    const auto analysis = analysis_for(a, Factorization::llt, large_tiles);
    on_several_ranks([&](const SomeRanks& ranks) {
        Solver<double> solver(session_of(ranks, 1), fixed_places(analysis->factorization));
        solver.use(analysis);
        reads_left = no_limit;
        reads_without_memory = 2;
        const Outcome outcome = factor_and_solve(ranks, solver, a, FactorPlace::device);
        CHECK(reads_without_memory < 0);
        CHECK(outcome.error <= accepted_error<double>);
        CHECK(outcome.bytes_from_devices > 0);
    });
}

/// What it has for others goes to where these wait for it, on their devices or not, and the next factorization is right.
TEST_CASE("a rank that stops before some units, with tiles from device to device") {
    const FrontsSharedAlways shared;
    const SparseMatrix<double> a = poisson3d<double>(12).matrix;
    const auto analysis = analysis_for(a, Factorization::ldlt, large_tiles);
    on_several_ranks([&](const SomeRanks& ranks) {
        reads_left = no_limit;
        Solver<double> solver(session_of(ranks, 1), fixed_places(Factorization::ldlt));
        solver.use(analysis);
        const auto factor = [&] { solver.factor(dealt(a, ranks).view(), placed(FactorPlace::device)); };
        factor();  // all ranks have their part of the analysis
        index_t failed = 0;
        for (int victim = 0; victim < ranks.size(); ++victim)
            for (index_t unit = 1; !text_of_failing_unit(ranks, victim, unit, factor).empty(); unit += 5) ++failed;
        CHECK(failed > 0);
        const Outcome after = factor_and_solve(ranks, solver, a, FactorPlace::device);
        CHECK(after.error <= accepted_error<double>);
        CHECK(after.bytes_from_devices > 0);
    });
}

TEST_SUITE_END();

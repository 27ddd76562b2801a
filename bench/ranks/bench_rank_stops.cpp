// SPDX-License-Identifier: BSD-3-Clause
// mpirun -n N bench_rank_stops MATRIX KIND WORKERS: how long it takes from the moment when one rank cancels a factorization
// until the first and the last rank have the exception, for rank 0 and the last rank and for moments from the beginning to
// the end. An error on one rank takes the same way. All ranks must be on one machine, whose clock they share.
#include "rank_problem.hpp"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>

namespace {

using namespace frond;
using Clock = std::chrono::steady_clock;

double seconds_now() { return std::chrono::duration<double>(Clock::now().time_since_epoch()).count(); }

double over_ranks(double value, MPI_Op operation) {
    double result = 0;
    MPI_Allreduce(&value, &result, 1, MPI_DOUBLE, operation, MPI_COMM_WORLD);
    return result;
}

/// Seconds from the cancellation to the exception on this rank, below 0 where the factorization ended before. There are no
/// earlier factors, which would be made again before the exception.
double stop(Solver<double>& solver, const bench::RankEntries& entries, bool here, double after_seconds) {
    std::atomic<bool> cancel{false};
    FactorOptions options;
    options.cancel = &cancel;
    double cancelled = 0;
    solver.analyze(entries.view);
    MPI_Barrier(MPI_COMM_WORLD);
    std::thread later([&] {
        std::this_thread::sleep_for(std::chrono::duration<double>(after_seconds));
        cancelled = seconds_now();
        cancel = here;
    });
    double ended = 0;
    try {
        solver.factor(entries.view, options);
    } catch (const Cancelled&) {
        ended = seconds_now();
    }
    later.join();
    cancelled = over_ranks(here ? cancelled : 0, MPI_MAX);
    return ended > 0 ? ended - cancelled : -1;
}

void measure(const std::string& name, Factorization kind, index_t workers) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const MPI_Comm world = MPI_COMM_WORLD;
    const SparseMatrix<double> a = bench::real_matrix(name);
    Solver<double> solver = bench::rank_solver(kind, workers, &world);
    const bench::RankEntries entries(a, rank == 0);
    const double whole = over_ranks(solver.factor(entries.view).seconds, MPI_MAX);
    if (rank == 0) std::printf("%s on %d ranks: a factorization takes %.3f s\n", name.c_str(), ranks, whole);
    for (const int victim : {0, ranks - 1})
        for (const double part : {0.1, 0.3, 0.5, 0.7, 0.9}) {
            const double mine = stop(solver, entries, rank == victim, part * whole);
            const double first = over_ranks(mine, MPI_MIN), last = over_ranks(mine, MPI_MAX);
            if (rank == 0)
                std::printf("rank %d cancels at %.1f of it: %.4f s to the first rank, %.4f s to the last\n", victim,
                            part, first, last);
        }
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    if (MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided) != MPI_SUCCESS) return 2;
    int status = 0;
    try {
        if (argc != 4) throw std::runtime_error("MATRIX KIND WORKERS");
        measure(argv[1], bench::kind_of(argv[2]), std::atoi(argv[3]));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_rank_stops: %s\n", error.what());
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Finalize();
    return status;
}

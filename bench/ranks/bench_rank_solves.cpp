// SPDX-License-Identifier: BSD-3-Clause
// [mpirun -n N] bench_rank_solves MATRIX KIND WORKERS SOLVES: one factorization, and solves with one right-hand side, all of
// it given on rank 0. MATRIX: a file or generate:NAME:SIZE. KIND: automatic, llt, ldlt or lu. Started without mpirun it is
// one process without a communicator. Prints seconds: the first factorization, the least of three with new values, the first
// solve, least and median of the later ones.
#include "frond/mpi_process.hpp"
#include "rank_problem.hpp"

#include <algorithm>
#include <cstdio>

namespace {

using namespace frond;

void measure(const std::string& name, Factorization kind, index_t workers, int solves, const MPI_Comm* ranks,
             int rank) {
    const SparseMatrix<double> a = bench::real_matrix(name);
    Solver<double> solver = bench::rank_solver(kind, workers, ranks);
    const bench::RankEntries entries(a, rank == 0);
    const double factor_seconds = solver.factor(entries.view).seconds;
    double again_seconds = solver.factor_values(entries.value).seconds;
    for (int round = 0; round < 2; ++round)
        again_seconds = std::min(again_seconds, solver.factor_values(entries.value).seconds);
    const count_t rows = rank == 0 ? a.rows() : 0;
    const std::vector<double> b(static_cast<std::size_t>(rows), 1.0);
    std::vector<double> x(b.size()), seconds;
    double error = 0;
    for (int s = 0; s < solves; ++s) {
        const SolveReport report =
            solver.solve(BlockView<const double>{b.data(), rows}, BlockView<double>{x.data(), rows});
        seconds.push_back(report.seconds);
        error = report.componentwise_backward_error;
    }
    const double first = seconds.front();
    std::sort(seconds.begin() + 1, seconds.end());
    if (rank == 0)
        std::printf("%s factor %.3f again %.3f first solve %.4f later, least %.4f median %.4f error %.1e\n",
                    name.c_str(), factor_seconds, again_seconds, first, seconds[1], seconds[(seconds.size() + 1) / 2],
                    error);
}

}  // namespace

int main(int argc, char** argv) {
    const bool on_ranks = !MpiProcess::launcher().empty();
    int provided = 0, rank = 0;
    if (on_ranks && MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided) != MPI_SUCCESS) return 2;
    if (on_ranks) MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const MPI_Comm world = MPI_COMM_WORLD;
    int status = 0;
    try {
        if (argc != 5 || std::atoi(argv[4]) < 2)
            throw std::runtime_error("MATRIX KIND WORKERS SOLVES; two solves at least");
        measure(argv[1], bench::kind_of(argv[2]), std::atoi(argv[3]), std::atoi(argv[4]), on_ranks ? &world : nullptr,
                rank);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_rank_solves: %s\n", error.what());
        status = 2;
    }
    if (on_ranks) MPI_Finalize();
    return status;
}

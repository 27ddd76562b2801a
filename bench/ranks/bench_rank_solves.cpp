// SPDX-License-Identifier: BSD-3-Clause
// [mpirun -n N] bench_rank_solves MATRIX KIND WORKERS ROUNDS [WHERE]: so many factorizations, each with other values, then so
// many solves with one right-hand side, all of it given on rank 0. MATRIX: a file or generate:NAME:SIZE. KIND: automatic, llt,
// ldlt or lu. WHERE: devices, as the library chooses; solves-on-cores; or cores, without devices. Started without mpirun it is
// one process without a communicator. Prints seconds of the wall clock, from when all ranks have begun to call to when all have
// returned: the first call, the second one, least and median of all but the first; of factorizations also those that their
// reports have. Then the largest componentwise backward error.
#include "frond/mpi_process.hpp"
#include "rank_problem.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>

namespace {

using namespace frond;

struct Request {
    std::string matrix;
    Factorization kind = Factorization::automatic;
    index_t workers = 0;
    int rounds = 0;
    std::string where = "devices";
};

Request read_request(int argc, char** argv) {
    if (argc < 5 || argc > 6 || std::atoi(argv[4]) < 2)
        throw std::runtime_error("MATRIX KIND WORKERS ROUNDS [WHERE]; two rounds at least");
    Request request{argv[1], bench::kind_of(argv[2]), std::atoi(argv[3]), std::atoi(argv[4])};
    if (argc == 6) request.where = argv[5];
    for (const char* const known : {"devices", "solves-on-cores", "cores"})
        if (request.where == known) return request;
    throw std::runtime_error("WHERE is devices, solves-on-cores or cores");
}

/// On all ranks.
double seconds_of(const MPI_Comm* ranks, const std::function<void()>& call) {
    if (ranks != nullptr) MPI_Barrier(*ranks);
    const auto start = std::chrono::steady_clock::now();
    call();
    if (ranks != nullptr) MPI_Barrier(*ranks);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void print(const char* what, std::vector<double> seconds) {
    const double second = seconds[1];  // which may still make what all later ones use
    std::sort(seconds.begin() + 1, seconds.end());
    std::printf(" %s first %.4f second %.4f least %.4f median %.4f", what, seconds[0], second, seconds[1],
                seconds[(seconds.size() + 1) / 2]);
}

void measure(const Request& request, const MPI_Comm* ranks, int rank) {
    const SparseMatrix<double> a = bench::real_matrix(request.matrix);
    Solver<double> solver = bench::rank_solver(request.kind, request.workers, ranks, request.where == "cores" ? 0 : -1);
    bench::RankEntries entries(a, rank == 0);
    solver.analyze(entries.view);
    const std::vector<double> value = entries.value;
    std::vector<double> factor_seconds, reported_seconds, solve_seconds;
    for (int round = 0; round < request.rounds; ++round) {
        for (std::size_t e = 0; e < value.size(); ++e) entries.value[e] = value[e] * (1 + 0.125 * round);
        factor_seconds.push_back(
            seconds_of(ranks, [&] { round == 0 ? solver.factor(entries.view) : solver.factor_values(entries.value); }));
        reported_seconds.push_back(solver.factor_report().seconds);
    }
    const count_t rows = rank == 0 ? a.rows() : 0;
    const std::vector<double> b(static_cast<std::size_t>(rows), 1.0);
    std::vector<double> x(b.size());
    SolveOptions options;
    if (request.where == "solves-on-cores") options.place = SolvePlace::host;
    SolveReport report;
    double error = 0;
    for (int round = 0; round < request.rounds; ++round) {
        solve_seconds.push_back(seconds_of(ranks, [&] {
            report = solver.solve(BlockView<const double>{b.data(), rows}, BlockView<double>{x.data(), rows}, options);
        }));
        error = std::max(error, report.componentwise_backward_error);
    }
    if (rank > 0) return;
    std::printf("%s", request.matrix.c_str());
    print("factor", factor_seconds);
    print("of these reported", reported_seconds);
    print("solve", solve_seconds);
    std::printf(" error %.1e %s %s\n", error, report.on_device ? "on the devices" : "on cores",
                report.place_reason.c_str());
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
        measure(read_request(argc, argv), on_ranks ? &world : nullptr, rank);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_rank_solves: %s\n", error.what());
        status = 2;
    }
    if (on_ranks) MPI_Finalize();
    return status;
}

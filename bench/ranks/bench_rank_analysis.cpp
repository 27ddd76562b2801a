// SPDX-License-Identifier: BSD-3-Clause
// mpirun -n N bench_rank_analysis SIZE HOW ORDERING ROUNDS: each rank makes its rows of the seven-point Laplacian of a cube
// with SIZE nodes along an edge, then all analyse, factor (L L^T) and solve together. HOW: the option
// `distributed_analysis`, on or off. Prints the wall clock from when all ranks have begun to call to when all have returned
// (of factorizations the first, and the median of the later ones, with other values each), the operations, the largest
// error, and for each rank the memory that was resident at most since its rows were there, until the analysis had ended
// and until all had.
#include "frond/enum_text.hpp"
#include "process_memory.hpp"
#include "rank_problem.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>

namespace {

using namespace frond;

/// An interval of rows, both triangles.
struct OwnRows {
    index_t size = 0;
    std::vector<index_t> row, begin{0}, column;
    std::vector<double> value;

    OwnRows(index_t size_of_cube, index_t first, index_t end) : size(size_of_cube) {
        for (index_t node = first; node < end; ++node) add(node);
    }

    void add(index_t node) {
        const index_t x = node % size, y = node / size % size, z = node / size / size;
        const auto entry = [&](bool there, index_t at, double a) {
            if (!there) return;
            column.push_back(at);
            value.push_back(a);
        };
        row.push_back(node);
        entry(z > 0, node - size * size, -1);
        entry(y > 0, node - size, -1);
        entry(x > 0, node - 1, -1);
        entry(true, node, 6);
        entry(x + 1 < size, node + 1, -1);
        entry(y + 1 < size, node + size, -1);
        entry(z + 1 < size, node + size * size, -1);
        begin.push_back(static_cast<index_t>(column.size()));
    }

    RowsView<double> view() const {
        RowsView<double> view;
        view.order = size * size * size;
        view.rows = static_cast<index_t>(row.size());
        view.row = row.data();
        view.begin = begin.data();
        view.index = column.data();
        view.value = value.data();
        view.symmetry = Symmetry::symmetric;
        return view;
    }
};

double seconds_of(const std::function<void()>& call) {
    MPI_Barrier(MPI_COMM_WORLD);
    const auto start = std::chrono::steady_clock::now();
    call();
    MPI_Barrier(MPI_COMM_WORLD);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void print_of_ranks(const char* what, double mine, int rank, int ranks) {
    std::vector<double> all(static_cast<std::size_t>(ranks));
    MPI_Gather(&mine, 1, MPI_DOUBLE, all.data(), 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (rank > 0) return;
    std::printf(" %s", what);
    for (const double x : all) std::printf(" %.0f", x / 1e6);
}

Solver<double> solver_for(const char* how, const char* ordering) {
    const MPI_Comm world = MPI_COMM_WORLD;
    SessionOptions session;
    session.cpu_workers = 1;
    session.communicator = &world;
    AnalysisOptions options;
    options.factorization = Factorization::llt;
    const auto method = from_string<OrderingMethod>(ordering);
    const auto distributed = from_string<DistributedAnalysis>(how);
    if (!method || !distributed) throw std::runtime_error("HOW is on or off, ORDERING one of the option `ordering`");
    options.ordering = *method;
    options.distributed_analysis = *distributed;
    return Solver<double>(Session(session), options);
}

void measure(char** argv) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const index_t size = std::atoi(argv[1]), order = size * size * size;
    const int rounds = std::max(2, std::atoi(argv[4]));
    Solver<double> solver = solver_for(argv[2], argv[3]);
    const auto cut = [&](int r) { return static_cast<index_t>(count_t{order} * r / ranks); };
    OwnRows own(size, cut(rank), cut(rank + 1));
    const double before = bench::resident_bytes();
    bench::restart_peak();
    const double analysis_seconds = seconds_of([&] { solver.analyze(own.view()); });
    const double analysis_bytes = bench::peak_resident_bytes() - before;
    std::vector<double> factor_seconds;
    for (int round = 0; round < rounds; ++round) {
        for (double& v : own.value) v *= 1.125;
        factor_seconds.push_back(
            seconds_of([&] { round == 0 ? solver.factor(own.view()) : solver.factor_values(own.value); }));
    }
    const std::vector<double> b(own.row.size(), 1.0);
    std::vector<double> x(b.size());
    const auto rows = static_cast<count_t>(b.size());
    SolveReport report;
    const double solve_seconds = seconds_of([&] {
        BlockView<const double> from{b.data(), rows};
        BlockView<double> to{x.data(), rows};
        from.row_map = to.row_map = own.row.data();
        report = solver.solve(from, to);
    });
    const double all_bytes = bench::peak_resident_bytes() - before;
    std::sort(factor_seconds.begin() + 1, factor_seconds.end());
    if (rank == 0)
        std::printf(
            "poisson3d %d %d ranks %s %s: analysis %.3f s, factorization %.3f, %.3f, solve %.3f, %.1f Gflop, error "
            "%.1e;",
            size, ranks, argv[2], argv[3], analysis_seconds, factor_seconds[0],
            factor_seconds[(factor_seconds.size() + 1) / 2], solve_seconds, solver.factor_report().work.flops / 1e9,
            report.componentwise_backward_error);
    print_of_ranks("MB of the analysis", analysis_bytes, rank, ranks);
    print_of_ranks("of all", all_bytes, rank, ranks);
    if (rank == 0) std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    if (MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided) != MPI_SUCCESS) return 2;
    int status = 0;
    try {
        if (argc != 5) throw std::runtime_error("SIZE HOW ORDERING ROUNDS");
        measure(argv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_rank_analysis: %s\n", error.what());
        status = 2;
    }
    MPI_Finalize();
    return status;
}

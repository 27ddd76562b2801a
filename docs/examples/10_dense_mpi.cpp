// SPDX-License-Identifier: BSD-3-Clause
// A dense system in blocks on a grid of ranks, as ScaLAPACK deals them: the matrix of 08_dense.cpp, of which no rank has all.
//     mpirun -n 4 ./example_10_dense_mpi
#include <frond/frond.hpp>
#include <frond/mpi.h>

#include <cmath>
#include <cstdio>
#include <vector>

namespace {

constexpr int n = 600;

/// Single layer potential of a circle.
double entry(int i, int j) {
    const double pi = 3.14159265358979323846, h = 2 * pi / n;
    const double distance = i == j ? 0.2 * h : 2 * std::abs(std::sin(0.5 * h * (i - j)));
    return -h / (2 * pi) * std::log(0.5 * distance);
}

int solve_on(MPI_Comm communicator) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &ranks);

    // Blocks of 64 x 64 on 2 x (ranks / 2) ranks; one that is left over has nothing of the matrix.
    frond::DenseMatrixView<double> a;
    a.order = n;
    a.layout = {64, 64, ranks > 1 ? 2 : 1, ranks > 1 ? ranks / 2 : 1};
    const std::vector<frond::index_t> rows = a.layout.rows_of(rank, n), columns = a.layout.columns_of(rank, n);
    std::vector<double> block;  // column-major
    for (const int j : columns)
        for (const int i : rows) block.push_back(entry(i, j));
    a.data = block.data();

    // Right-hand sides and solutions may lie in another way: here each rank has every ranks-th row.
    std::vector<frond::index_t> mine;
    for (int i = rank; i < n; i += ranks) mine.push_back(i);
    std::vector<double> b, x(mine.size());
    for (const int i : mine) b.push_back(std::cos(2 * 3.14159265358979323846 / n * i));

    frond::SessionOptions options;
    options.communicator = &communicator;
    const frond::Session session(options);  // every call from here on is made by all ranks
    frond::Solver<double> solver(session);
    solver.factor(a);  // the block stays yours: it must be there, unchanged, until the last solve
    const auto count = static_cast<frond::count_t>(mine.size());
    const auto report =
        solver.solve({b.data(), count, 1, count, mine.data()}, {x.data(), count, 1, count, mine.data()});

    if (rank == 0) std::printf("%d ranks, backward error %.1e\n", ranks, report.backward_error);
    return report.status == frond::SolveStatus::converged ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);  // Frond has threads of its own
    int result = 1;
    try {
        result = solve_on(MPI_COMM_WORLD);
    } catch (const frond::Error& error) {  // the same on all ranks
        std::fprintf(stderr, "%s\n", error.what());
    }
    MPI_Finalize();
    return result;
}

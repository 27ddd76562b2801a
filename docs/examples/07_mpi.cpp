// SPDX-License-Identifier: BSD-3-Clause
// Several processes: each assembles its own rows of the Laplacian of a square, and gets its rows of the solution.
//     mpirun -n 3 ./example_07_mpi
#include <frond/frond.hpp>
#include <frond/mpi.h>

#include <cstdio>
#include <vector>

namespace {

constexpr int nodes = 60;  // along an edge of the grid
constexpr int order = nodes * nodes;

/// Whole rows of the five-point stencil.
struct OwnRows {
    std::vector<int> row, begin{0}, column;
    std::vector<double> value;

    void add(int node) {
        const int x = node % nodes, y = node / nodes;
        row.push_back(node);
        const auto entry = [&](bool there, int at, double a) {
            if (!there) return;
            column.push_back(at);
            value.push_back(a);
        };
        entry(y > 0, node - nodes, -1);
        entry(x > 0, node - 1, -1);
        entry(true, node, 4);
        entry(x + 1 < nodes, node + 1, -1);
        entry(y + 1 < nodes, node + nodes, -1);
        begin.push_back(static_cast<int>(column.size()));
    }
};

int solve_on(MPI_Comm communicator) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &ranks);
    OwnRows own;  // rows rank, rank + ranks, ...: any distribution will do
    for (int node = rank; node < order; node += ranks) own.add(node);

    frond::RowsView<double> a;
    a.order = order;
    a.rows = static_cast<int>(own.row.size());
    a.row = own.row.data();
    a.begin = own.begin.data();
    a.index = own.column.data();
    a.value = own.value.data();
    a.symmetry = frond::Symmetry::symmetric;  // both triangles are given

    const frond::count_t rows = a.rows;
    std::vector<double> b(own.row.size(), 1.0), x(own.row.size());

    frond::SessionOptions options;
    options.communicator = &communicator;
    const frond::Session session(options);  // every call from here on is made by all ranks
    frond::Solver<double> solver(session);
    solver.factor(a);
    const frond::BlockView<const double> right{b.data(), rows, 1, rows, own.row.data()};
    const auto report = solver.solve(right, {x.data(), rows, 1, rows, own.row.data()});

    if (rank == 0) std::printf("%d ranks, backward error %.1e\n", ranks, report.backward_error);
    return report.status == frond::SolveStatus::converged && report.componentwise_backward_error < 1e-13 ? 0 : 1;
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

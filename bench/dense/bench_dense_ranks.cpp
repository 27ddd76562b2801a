// SPDX-License-Identifier: BSD-3-Clause
// mpirun -n P*Q bench_dense_ranks SOLVER KIND N BLOCK P Q: one factorization of a random dense matrix that is dealt to a grid
// of ranks in blocks, by Frond or by ScaLAPACK where CMake has found it. What the ranks send is counted by Open MPI's
// pml_monitoring, see bench/README.md; SOLVER none does all but factor.
#include "frond/frond.hpp"
#include "frond/mpi.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#ifdef FROND_WITH_SCALAPACK
extern "C" {
void Cblacs_get(int context, int what, int* value);
void Cblacs_gridinit(int* context, const char* order, int rows, int columns);
void Cblacs_gridexit(int context);
void descinit_(int* descriptor, const int* m, const int* n, const int* mb, const int* nb, const int* first_row,
               const int* first_column, const int* context, const int* ld, int* info);
void pdgetrf_(const int* m, const int* n, double* a, const int* i, const int* j, const int* descriptor, int* pivots,
              int* info);
void pdpotrf_(const char* triangle, const int* n, double* a, const int* i, const int* j, const int* descriptor,
              int* info);
}
#endif

namespace {

using namespace frond;

struct Request {
    std::string solver, kind;  // lu, lu-turned, lu-static or llt
    index_t n = 0, block = 64, rows = 1, columns = 1;
};

/// The block of this rank. The same entries on any grid.
struct DealtBlock {
    DenseLayout layout;
    std::vector<index_t> row, column;
    std::vector<double> a;

    DealtBlock(const Request& r, index_t rank) : layout{r.block, r.block, r.rows, r.columns} {
        row = layout.rows_of(rank, r.n);
        column = layout.columns_of(rank, r.n);
        a.reserve(row.size() * column.size());
        for (const index_t j : column)
            for (const index_t i : row) a.push_back(entry(i, j) + (i == large_row(r, j) ? r.n : 0));
    }
    /// The row of the large entry of column j; -1: it has none. In lu-turned it is far from the diagonal, so that rows
    /// must be exchanged.
    static index_t large_row(const Request& r, index_t j) {
        if (r.kind == "lu") return -1;
        return r.kind == "lu-turned" ? (j + r.n / 2) % r.n : j;
    }
    static double entry(index_t i, index_t j) {  // symmetric, in [-1, 1)
        std::uint64_t z =
            (static_cast<std::uint64_t>(std::max(i, j)) << 32 | static_cast<std::uint64_t>(std::min(i, j))) *
            0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
    }
};

double factor_with_frond(const Request& r, const DealtBlock& block) {
    MPI_Comm world = MPI_COMM_WORLD;
    SessionOptions session_options;
    session_options.communicator = &world;
    const Session session(session_options);
    AnalysisOptions options;
    options.factorization = r.kind == "llt" ? Factorization::llt : Factorization::lu;
    Solver<double> solver(session, options);
    DenseMatrixView<double> view{r.n, block.a.data()};
    view.symmetry = r.kind == "llt" ? Symmetry::symmetric : Symmetry::general;
    view.layout = block.layout;
    FactorOptions how;
    if (r.kind == "lu-static") how.pivoting = Pivoting::static_pivots;
    MPI_Barrier(world);
    const double start = MPI_Wtime();
    solver.factor(view, how);
    return MPI_Wtime() - start;
}

#ifdef FROND_WITH_SCALAPACK
double factor_with_scalapack(const Request& r, DealtBlock& block) {
    int context = 0, info = 0, descriptor[9];
    const int n = r.n, nb = r.block, zero = 0, one = 1, ld = std::max<int>(1, static_cast<int>(block.row.size()));
    Cblacs_get(0, 0, &context);
    Cblacs_gridinit(&context, "Row", r.rows, r.columns);
    descinit_(descriptor, &n, &n, &nb, &nb, &zero, &zero, &context, &ld, &info);
    std::vector<int> pivots(block.row.size() + static_cast<std::size_t>(nb));
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    if (r.kind == "llt")
        pdpotrf_("L", &n, block.a.data(), &one, &one, descriptor, &info);
    else
        pdgetrf_(&n, &n, block.a.data(), &one, &one, descriptor, pivots.data(), &info);
    const double seconds = MPI_Wtime() - start;
    Cblacs_gridexit(context);
    if (info != 0) throw std::runtime_error("ScaLAPACK says " + std::to_string(info));
    return seconds;
}
#endif

double factor_once(const Request& r, index_t rank) {
    DealtBlock block(r, rank);
    if (r.solver == "none") return 0;
    if (r.solver == "frond") return factor_with_frond(r, block);
#ifdef FROND_WITH_SCALAPACK
    if (r.solver == "scalapack") return factor_with_scalapack(r, block);
#endif
    throw std::runtime_error("the solver is frond, none or, where it was found, scalapack");
}

Request request_of(int argc, char** argv) {
    if (argc != 7) throw std::runtime_error("SOLVER lu|lu-static|llt N BLOCK P Q");
    return {argv[1], argv[2], std::atoi(argv[3]), std::atoi(argv[4]), std::atoi(argv[5]), std::atoi(argv[6])};
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0, rank = 0;
    if (MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided) != MPI_SUCCESS) return 2;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    try {
        const Request request = request_of(argc, argv);
        double mine = factor_once(request, rank), longest = 0;
        MPI_Reduce(&mine, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        if (rank == 0)
            std::printf("%s %s %d blocks of %d on %d x %d: %.3f s\n", argv[1], argv[2], request.n, request.block,
                        request.rows, request.columns, longest);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "bench_dense_ranks: %s\n", e.what());
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Finalize();
    return 0;
}

// SPDX-License-Identifier: BSD-3-Clause
// [mpirun -n N] bench_rank_solves MATRIX KIND WORKERS SOLVES: one factorization, and solves with one right-hand side, all of
// it given on rank 0. MATRIX: a file or generate:NAME:SIZE. KIND: automatic, llt, ldlt or lu. Started without mpirun it is
// one process without a communicator. Prints seconds: factorization, first solve, least and median of the later ones.
#include "frond/frond.hpp"
#include "frond/mpi.h"
#include "frond/mpi_process.hpp"
#include "load_matrix.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace frond;

Factorization kind_of(const std::string& name) {
    if (name == "automatic") return Factorization::automatic;
    if (name == "llt") return Factorization::llt;
    if (name == "ldlt") return Factorization::ldlt;
    if (name == "lu") return Factorization::lu;
    throw std::runtime_error("KIND is automatic, llt, ldlt or lu");
}

/// What rank 0 has; the other ranks have none of it.
struct Entries {
    std::vector<index_t> row, column;
    std::vector<double> value;
    TripletView<double, index_t> view;

    Entries(const SparseMatrix<double>& a, bool here) {
        for (index_t j = 0; j < a.cols() && here; ++j)
            for (count_t e = a.pattern.begin[static_cast<std::size_t>(j)];
                 e < a.pattern.begin[static_cast<std::size_t>(j) + 1]; ++e) {
                row.push_back(a.pattern.row[static_cast<std::size_t>(e)]);
                column.push_back(j);
                value.push_back(a.value[static_cast<std::size_t>(e)]);
            }
        view = {a.rows(), a.cols(), static_cast<count_t>(row.size()), row.data(), column.data(), value.data()};
        view.symmetry = a.symmetry;
        view.stored = a.symmetry == Symmetry::general ? Triangle::both : Triangle::lower;
    }
};

void measure(const std::string& name, Factorization kind, index_t workers, int solves, const MPI_Comm* ranks,
             int rank) {
    const AnyMatrix matrix = bench::load_matrix(name);
    const auto* const a = std::get_if<SparseMatrix<double>>(&matrix);
    if (a == nullptr) throw std::runtime_error("a real matrix is measured");
    SessionOptions session_options;
    session_options.cpu_workers = workers;
    session_options.communicator = ranks;
    AnalysisOptions options;
    options.factorization = kind;
    options.ordering = OrderingMethod::nested_dissection;
    Solver<double> solver(Session(session_options), options);
    const Entries entries(*a, rank == 0);
    const double factor_seconds = solver.factor(entries.view).seconds;
    const count_t rows = rank == 0 ? a->rows() : 0;
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
        std::printf("%s factor %.3f first solve %.4f later, least %.4f median %.4f error %.1e\n", name.c_str(),
                    factor_seconds, first, seconds[1], seconds[(seconds.size() + 1) / 2], error);
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
        measure(argv[1], kind_of(argv[2]), std::atoi(argv[3]), std::atoi(argv[4]), on_ranks ? &world : nullptr, rank);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_rank_solves: %s\n", error.what());
        status = 2;
    }
    if (on_ranks) MPI_Finalize();
    return status;
}

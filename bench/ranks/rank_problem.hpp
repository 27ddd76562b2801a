// SPDX-License-Identifier: BSD-3-Clause
// A matrix that rank 0 has, and a solver for it: what the programs of this folder begin with.
#pragma once

#include "frond/frond.hpp"
#include "frond/mpi.h"
#include "load_matrix.hpp"

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

namespace frond::bench {

inline Factorization kind_of(const std::string& name) {
    if (name == "automatic") return Factorization::automatic;
    if (name == "llt") return Factorization::llt;
    if (name == "ldlt") return Factorization::ldlt;
    if (name == "lu") return Factorization::lu;
    throw std::runtime_error("KIND is automatic, llt, ldlt or lu");
}

inline SparseMatrix<double> real_matrix(const std::string& name) {
    AnyMatrix matrix = load_matrix(name);
    auto* const a = std::get_if<SparseMatrix<double>>(&matrix);
    if (a == nullptr) throw std::runtime_error("a real matrix is measured");
    return std::move(*a);
}

/// What rank 0 has; the other ranks have none of it.
struct RankEntries {
    std::vector<index_t> row, column;
    std::vector<double> value;
    TripletView<double, index_t> view;

    RankEntries(const SparseMatrix<double>& a, bool here) {
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

/// By own nested dissection, with so many workers and devices (-1: all) a rank. Without a communicator: of one process.
inline Solver<double> rank_solver(Factorization kind, index_t workers, const MPI_Comm* ranks, index_t gpus = -1) {
    SessionOptions session_options;
    session_options.gpus = gpus;
    session_options.cpu_workers = workers;
    session_options.communicator = ranks;
    AnalysisOptions options;
    options.factorization = kind;
    options.ordering = OrderingMethod::nested_dissection;
    return Solver<double>(Session(session_options), options);
}

}  // namespace frond::bench

// SPDX-License-Identifier: BSD-3-Clause
#include "dense_on_ranks.hpp"

#include "frond/base/error.hpp"
#include "ranks/together.hpp"
#include "terminal/status_line.hpp"

#include <fmt/format.h>

#include <sstream>

namespace frond::cli {
namespace {

/// What ranks that read nothing must know, as text.
std::string text_of_dense(const DenseProblem& problem) {
    return fmt::format("{} {} {} {}", problem.facts.rows, problem.facts.scalar,
                       static_cast<int>(problem.facts.symmetry), problem.has_maps ? 1 : 0);
}

SomeDense nothing_of(const std::string& scalar) {
    if (scalar == "float") return DenseMatrix<float>{};
    if (scalar == "complex<float>") return DenseMatrix<std::complex<float>>{};
    if (scalar == "double") return DenseMatrix<double>{};
    return DenseMatrix<std::complex<double>>{};
}

}  // namespace

DenseProblem load_dense_on_ranks(const Session& session, const CommandLine& line) {
    const DenseShare share{session.info().mpi_rank, session.info().mpi_ranks, line.matrix_by_rank};
    const auto load = [&] {
        const StatusLine status("reading " + line.matrix);
        return load_dense_problem(line.matrix, line.symmetry, line.precision, share);
    };
    DenseProblem problem;
    together(session, [&] {
        if (share.rank == 0) problem = load();
    });
    const std::string of_rank_0 = session.text_of_rank_0(text_of_dense(problem));
    std::istringstream words(of_rank_0);
    count_t order = 0;
    std::string scalar;
    int symmetry = 0, has_maps = 0;
    words >> order >> scalar >> symmetry >> has_maps;
    together(session, [&] {
        if (share.rank == 0) return;
        if (has_maps != 0) {
            problem = load();
            if (text_of_dense(problem) != of_rank_0)
                throw InvalidMatrix(fmt::format("{}: a matrix of order {} and scalar {}, but rank 0's is of order {} "
                                                "and {}; give files of one kind",
                                                line.matrix, problem.facts.rows, problem.facts.scalar, order, scalar),
                                    line.matrix);
            return;
        }
        problem.facts.name = line.matrix;
        problem.facts.rows = order;
        problem.facts.scalar = scalar;
        problem.facts.symmetry = static_cast<Symmetry>(symmetry);
        problem.matrix = nothing_of(scalar);
    });
    return problem;
}

}  // namespace frond::cli

// SPDX-License-Identifier: BSD-3-Clause
// The generated problems that frond tune factors.
#pragma once

#include "frond/matrix/sparse_matrix.hpp"
#include "frond/solver.hpp"

#include <string>
#include <vector>

namespace frond::cli {

struct TuneProblem {
    std::string name;  // as on the command line
    Factorization factorization = Factorization::automatic;
    FactorPlace place = FactorPlace::automatic;

    /// "poisson3d:48 by llt", "... by tasks".
    std::string title() const;
};

/// About so many operations each. Choices are compared on the first, the decision is verified on the second, of other
/// sizes and kinds. cards: some are factored by tasks, which have the choices; whole trees on a card have few.
std::vector<TuneProblem> problems_to_choose_by(double flops, bool cards);
std::vector<TuneProblem> problems_to_verify_by(double flops, bool cards);
/// Problems with much more work, which verify a choice: it may cost in fronts of many tiles, or in a tree of a million
/// unknowns, what it gains in small ones. The largest has the operations given, the others less.
std::vector<TuneProblem> large_problems(double flops);

/// Read or made; double precision.
struct LoadedProblem {
    explicit LoadedProblem(const TuneProblem& problem);

    TuneProblem problem;
    SharedMatrix<double> matrix;
};

std::vector<LoadedProblem> load_all(const std::vector<TuneProblem>& problems);

}  // namespace frond::cli

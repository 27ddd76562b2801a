// SPDX-License-Identifier: BSD-3-Clause
// The generated problems that frond tune factors, none of which is in the tables of the documents.
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
/// With much more work, to verify by: in fronts of many tiles a choice may cost what it gains in small ones.
TuneProblem large_problem(double flops);

/// Read or made; double precision.
struct LoadedProblem {
    explicit LoadedProblem(const TuneProblem& problem);

    TuneProblem problem;
    SharedMatrix<double> matrix;
};

std::vector<LoadedProblem> load_all(const std::vector<TuneProblem>& problems);

}  // namespace frond::cli

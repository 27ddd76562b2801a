// SPDX-License-Identifier: BSD-3-Clause
// A symmetric indefinite matrix: L D L^T, and what its pivots tell (inertia, determinant).
#include "grid_problem.hpp"

#include <frond/frond.hpp>

#include <cstdio>

int main() {
    const GridProblem grid = grid_problem(40, 2.5);  // about a third of the eigenvalues below zero
    const int n = grid.order;
    const frond::CompressedView<double> a{n,
                                          n,
                                          grid.begin.data(),
                                          grid.row.data(),
                                          grid.value.data(),
                                          frond::Layout::columns,
                                          frond::Symmetry::symmetric,
                                          frond::Triangle::lower};

    frond::Session session;
    frond::AnalysisOptions options;
    options.factorization = frond::Factorization::ldlt;
    frond::Solver<double> solver(session, options);
    const frond::FactorReport& facts = solver.factor(a);  // analyses first, as nothing was analysed

    // A numerical outcome is a value, never an exception.
    if (facts.status == frond::FactorStatus::singular) {
        std::printf("singular: %zu null pivots\n", facts.pivots.small_columns.size());
        return 1;
    }
    const std::optional<frond::Inertia>& inertia = facts.pivots.inertia;
    if (inertia)  // empty when pivots had to be raised: it would be that of another matrix
        std::printf("%lld negative, %lld positive eigenvalues\n", static_cast<long long>(inertia->negative),
                    static_cast<long long>(inertia->positive));
    if (const auto determinant = solver.factors().log_determinant())
        std::printf("log |det A| = %.6f, sign %+.0f\n", determinant->log_abs, determinant->phase);

    std::vector<double> b(n, 1.0), x(n);
    const auto report = solver.solve({b.data(), n}, {x.data(), n});
    std::printf("backward error %.1e after %d refinement steps\n", report.backward_error, report.refinement_steps);
    const bool counted = !inertia || inertia->negative + inertia->zero + inertia->positive == n;
    return report.status == frond::SolveStatus::converged && counted ? 0 : 1;
}

// SPDX-License-Identifier: BSD-3-Clause
// Solvers of ranks that have a device each, and solves of which it is known where they were made.
#pragma once

#include "dealt_system.hpp"
#include "factors/factors_state.hpp"
#include "factors/state_of.hpp"
#include "forced_mapping.hpp"

#include <limits>
#include <string>
#include <vector>

namespace frond::test {

/// Branches are on devices whatever that costs.
inline AnalysisOptions fixed_places(Factorization kind) {
    AnalysisOptions options;
    options.deterministic = true;
    options.factorization = kind;
    return options;
}

inline FactorOptions placed(FactorPlace place) {
    FactorOptions options;
    options.place = place;
    return options;
}

inline Session session_of(const SomeRanks& ranks, index_t gpus) {
    SessionOptions options;
    options.cpu_workers = 1;
    options.gpus = gpus;
    options.communicator = ranks.communicator();
    return Session(options);
}

/// What the library accepts as converged, unless it is asked for less.
template <class T>
constexpr double accepted_error = 450 * std::numeric_limits<real_t<T>>::epsilon();

/// Some subtrees above each other, or all fronts on tiles.
inline std::vector<ForcedMapping> branch_mappings() { return {{"subtrees", 16, 60}, {"tiles", 16, 0}}; }

template <class T>
std::shared_ptr<const Analysis> analysis_for(const SparseMatrix<T>& a, Factorization kind,
                                             const ForcedMapping& mapping) {
    return remapped(*analyze(a, fixed_places(kind)).analysis, mapping);
}

template <class T>
struct SolvedSystem {
    SolveReport report;
    std::vector<T> x;
    double error = 0;  // componentwise, measured by loops over the whole matrix
};

/// B and X on rank 0; X afterwards on all ranks.
template <class T>
SolvedSystem<T> solve_system(const SomeRanks& ranks, Solver<T>& solver, const SparseMatrix<T>& a, index_t rhs,
                             const SolveOptions& options) {
    SolvedSystem<T> solved;
    std::vector<T> b = simple_rhs(a, rhs, options.operation);
    solved.x.resize(b.size());
    solved.report = solver.solve(whole_on<const T>(ranks, 0, b, a.rows(), rhs),
                                 whole_on<T>(ranks, 0, solved.x, a.rows(), rhs), options);
    broadcast_from(ranks, 0, solved.x);
    solved.error = componentwise_error(a, options.operation, solved.x, b);
    return solved;
}

/// Rank 0 cannot have substituted with its branches on cores: the factors are on its device, and no unit has them.
template <class T>
bool has_branches_on_device(const SomeRanks& ranks, const Solver<T>& solver) {
    if (ranks.rank() > 0) return true;
    const detail::FactorsState<T>& state = *detail::state_of(solver.factors());
    return state.factors.ownership.branches != nullptr && !state.factors.ownership.has_units_of_branches &&
           state.factors.ownership.branches->factors.parts.bytes_on_devices() > 0 &&
           state.factors.ownership.branches->factors.parts.bytes_on_host() == 0;
}

/// On the devices of all ranks, and right.
template <class T>
void check_on_devices(const SomeRanks& ranks, Solver<T>& solver, const SparseMatrix<T>& a, index_t rhs = 1,
                      const SolveOptions& options = {}) {
    const SolvedSystem<T> solved = solve_system(ranks, solver, a, rhs, options);
    CHECK(solved.report.on_device);
    CHECK(solved.report.place_reason == "");
    CHECK(solved.report.status == SolveStatus::converged);
    CHECK(solved.error <= accepted_error<T>);
    CHECK(has_branches_on_device(ranks, solver));
}

/// On cores, at least in part, for that reason, and right.
template <class T>
void check_on_cores(const SomeRanks& ranks, Solver<T>& solver, const SparseMatrix<T>& a, const std::string& reason,
                    const SolveOptions& options = {}) {
    const SolvedSystem<T> solved = solve_system(ranks, solver, a, 1, options);
    CHECK(!solved.report.on_device);
    CHECK(solved.report.place_reason == reason);
    CHECK(solved.report.status == SolveStatus::converged);
    CHECK(solved.error <= accepted_error<T>);
}

}  // namespace frond::test

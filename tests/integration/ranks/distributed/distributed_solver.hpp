// SPDX-License-Identifier: BSD-3-Clause
// Solvers of which no rank has the whole matrix, and what they are compared with.
#pragma once

#include "dealt_system.hpp"
#include "needs_ranks.hpp"
#include "shared_always.hpp"

#include <string>
#include <vector>

namespace frond::test {

/// cut for many workers, by little tiles: so that trees of some 1e7 operations have many units.
inline AnalysisOptions distributed(Factorization kind = Factorization::automatic) {
    AnalysisOptions options;
    options.factorization = kind;
    options.distributed_analysis = DistributedAnalysis::on;
    options.workers = 16;
    options.tile_size = 16;
    return options;
}

/// The same on rank 0, of the whole matrix, which is not matched either.
inline AnalysisOptions on_rank_0(AnalysisOptions options) {
    options.distributed_analysis = DistributedAnalysis::off;
    options.matching = MatchingMode::off;
    return options;
}

/// body(ranks) on all ranks of the program; for cases of the suite needs_distribution.
template <class Body>
void on_distributed(const Body& body) {
    const SharedAlways shared;
    body(SomeRanks(world_size()));
}

/// And all fronts on tiles are those of several ranks.
template <class Body>
void on_distributed_fronts(const Body& body) {
    const FrontsSharedAlways shared;
    on_distributed(body);
}

/// What a solve accepts where nothing else is asked for.
template <class T>
double accepted() {
    return accepted_backward_error<T>(SolveOptions{});
}

template <class T>
struct Solved {
    SolveReport report;
    std::vector<T> x;  // on all ranks
    double error = 0;  // componentwise, by loops over the whole matrix
};

/// B on one rank, X on another one.
template <class T>
Solved<T> solved(Solver<T>& solver, const SparseMatrix<T>& a, const SomeRanks& ranks, index_t count,
                 const SolveOptions& options = {}) {
    Solved<T> result;
    std::vector<T> b = simple_rhs(a, count, options.operation);
    result.x.resize(b.size());
    result.report = solver.solve(whole_on<const T>(ranks, 0, b, a.rows(), count),
                                 whole_on<T>(ranks, ranks.last(), result.x, a.rows(), count), options);
    broadcast_from(ranks, ranks.last(), result.x);
    result.error = componentwise_error(a, options.operation, result.x, b);
    return result;
}

/// Right by loops over the whole matrix, and the report says so on all ranks.
template <class T>
void check_right(Solver<T>& solver, const SparseMatrix<T>& a, const SomeRanks& ranks, index_t count = 1,
                 const SolveOptions& options = {}) {
    const Solved<T> found = solved(solver, a, ranks, count, options);
    CHECK(found.report.status == SolveStatus::converged);
    CHECK(found.error <= accepted<T>());
    CHECK(is_same_everywhere(ranks, std::to_string(found.report.componentwise_backward_error)));
}

/// Whether no rank has the whole of what the solver analysed.
template <class T>
bool is_distributed(const Solver<T>& solver, const SomeRanks& ranks) {
    return solver.analysis_report().ordering == OrderingMethod::ptscotch &&
           (ranks.rank() > 0 || solver.analysis()->entry_map.source.empty());
}

/// A with all values multiplied by the factor.
template <class T>
SparseMatrix<T> times(SparseMatrix<T> a, real_t<T> factor) {
    for (T& v : a.value) v *= factor;
    return a;
}

}  // namespace frond::test

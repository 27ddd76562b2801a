// SPDX-License-Identifier: BSD-3-Clause
#include "submit/factorize_dense.hpp"

#include <chrono>
#include <utility>

#include "factors/conducted_dense.hpp"
#include "factors/factors_state.hpp"
#include "factors/other_ranks.hpp"
#include "factors/state_of.hpp"
#include "frond/analysis/dense_steps.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/many_failed_columns.hpp"
#include "session/parallel_for.hpp"
#include "submit/factorize_matrix.hpp"

namespace frond::detail {
namespace {

/// The scaling follows the rule of sparse matrices: L L^H needs none while the exponents of the diagonal are moderate.
/// Entries are looked at in any case, for their finiteness and the largest.
template <class T>
Scaling dense_scaling(const FactorsState<T>& state, const ParallelFor& parallel_for, bool is_unpivoted,
                      double& largest) {
    const auto maxima_of = [&](const Scaling& scaling) {
        return state.dense_ranks != nullptr ? state.dense_ranks->maxima(scaling)
                                            : dense_maxima(*state.dense, scaling, parallel_for);
    };
    const ScalingMethod asked = state.analysis->options.scaling;
    if (asked != ScalingMethod::none && !needs_no_scaling(*state.matrix, *state.analysis, is_unpivoted, parallel_for))
        return equilibrate_dense(state.dense->order, state.dense->symmetry, maxima_of, largest);
    largest = maxima_of({}).largest();
    return {};
}

template <class T>
DenseFacts facts_of(const FactorsState<T>& state) {
    const auto may_be = [&state] {
        const std::vector<double> root = roots_of_diagonal(*state.matrix);
        if (state.dense->order > 0 && root.empty()) return false;
        return state.dense_ranks != nullptr ? state.dense_ranks->may_be_definite(root)
                                            : may_be_definite(*state.dense, root);
    };
    const index_t block = state.dense_ranks != nullptr ? state.dense_ranks->tile_of_layout() : 0;
    return {state.dense->order, state.dense->symmetry, is_complex<T>, may_be, block};
}

/// Whoever has it.
template <class T>
SparseMatrix<T> diagonal_of_any(const FactorsState<T>& state) {
    if (state.dense_ranks == nullptr) return diagonal_of(*state.dense);
    return canonical_diagonal(state.dense_ranks->diagonal(), state.dense->symmetry);
}

template <class T>
void begin_anew(FactorsState<T>& state, SelectsRows selects_rows) {
    state.drop_factors();
    state.selects_rows = selects_rows;
    state.report = {};
}

/// Where too many columns fail, again with exchanges of rows; where columns fail then, too, on several ranks, on rank 0
/// alone, whose second pass has them.
template <class T>
Factors<T> dense_factors(const std::shared_ptr<SessionState>& session, const DenseMatrixView<T>& a,
                         const AnalysisOptions& analysis_options, const FactorOptions& options) {
    const auto start = std::chrono::steady_clock::now();
    const ParallelFor parallel_for = parallel_for_outside_jobs(*session, "scaling");
    auto state = std::make_shared<FactorsState<T>>();
    state->session = session;
    state->dense = a;
    if (const OtherRanks<T>* const others = OtherRanks<T>::of_this_thread(); others != nullptr)
        if (others->dense_matrix() != nullptr)
            state->dense_ranks = std::make_shared<const ConductedDense<T>>(static_cast<index_t>(a.order));
    state->matrix = std::make_shared<const SparseMatrix<T>>(diagonal_of_any(*state));
    state->analysis = analyze_dense(facts_of(*state), analysis_options);
    state->scaling = std::make_shared<const Scaling>(
        dense_scaling(*state, parallel_for, options.pivoting == Pivoting::none, state->largest_entry));
    const auto seconds = [start] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    try {
        return factorize_state(state, options, seconds());
    } catch (const ManyFailedColumns&) {
        begin_anew(*state, SelectsRows::all_ranks);
    }
    try {
        return factorize_state(state, options, seconds());
    } catch (const ManyFailedColumns&) {
        begin_anew(*state, SelectsRows::rank_0);
    }
    return factorize_state(std::move(state), options, seconds());
}

}  // namespace

template <class T>
Factors<T> factorize_dense(const std::shared_ptr<SessionState>& session, const DenseMatrixView<T>& a,
                           AnalysisOptions analysis_options, const FactorOptions& options) {
    if (const OtherRanks<T>* const others = OtherRanks<T>::of_this_thread();
        others == nullptr || others->dense_matrix() == nullptr)
        check_dense_matrix(a);  // else all ranks have checked theirs
    Factors<T> factors = dense_factors(session, a, analysis_options, options);
    const bool guessed_wrong = analysis_options.factorization == Factorization::automatic &&
                               factors.report().status == FactorStatus::not_positive_definite;
    if (!guessed_wrong) return factors;
    factors = {};
    const bool hermitian = is_complex<T> && a.symmetry == Symmetry::hermitian;
    analysis_options.factorization = hermitian ? Factorization::ldlh : Factorization::ldlt;
    factors = dense_factors(session, a, analysis_options, options);
    state_of(factors)->report.fell_back_to_ldlt = true;
    return factors;
}

#define FROND_INSTANTIATE(T)                                                                                \
    template Factors<T> factorize_dense<T>(const std::shared_ptr<SessionState>&, const DenseMatrixView<T>&, \
                                           AnalysisOptions, const FactorOptions&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

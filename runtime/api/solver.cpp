// SPDX-License-Identifier: BSD-3-Clause
#include "data/factors_state.hpp"
#include "frond/solver.hpp"

#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/return_freed_memory.hpp"
#include "frond/matrix/operations.hpp"

namespace frond {
namespace {

AnalysisOptions for_session(AnalysisOptions options, const Session& session) {
    if (options.workers == 0 && !options.deterministic) options.workers = session.info().cpu_workers;
    return options;
}

}  // namespace

template <class T>
Solver<T>::Solver(Session session, AnalysisOptions options)
    : session_(std::move(session)), options_(for_session(std::move(options), session_)) {}

template <class T>
const AnalysisReport& Solver<T>::analyze_canonical(const SparseMatrix<T>& a) {
    factors_ = {};
    AnalysisResult result = frond::analyze(a, options_);
    return_freed_memory();
    analysis_ = std::move(result.analysis);
    scaling_ = std::move(result.scaling);
    scaled_values_hash_ = hash_values(a.value);
    return analysis_->report;
}

template <class T>
const FactorReport& Solver<T>::factor_canonical(SparseMatrix<T> a, const FactorOptions& options) {
    if (analysis_ == nullptr) analyze_canonical(a);
    factors_ = {};
    const bool same_values = hash_values(a.value) == scaled_values_hash_;
    factors_ = factorize(session_, analysis_, std::move(a), options, same_values ? &scaling_ : nullptr);
    // The automatic choice of L L^H was a guess from the diagonal.
    if (options_.factorization == Factorization::automatic &&
        factors_.report().status == FactorStatus::not_positive_definite)
        factor_indefinite(options);
    return factors_.report();
}

template <class T>
void Solver<T>::factor_indefinite(const FactorOptions& options) {
    SparseMatrix<T> a = std::move(factors_.state()->matrix);
    factors_ = {};
    AnalysisOptions indefinite = options_;
    indefinite.factorization =
        a.symmetry == Symmetry::hermitian ? Factorization::ldlh : Factorization::ldlt;
    AnalysisResult result = frond::analyze(a, indefinite);
    return_freed_memory();
    analysis_ = std::move(result.analysis);
    scaling_ = std::move(result.scaling);
    scaled_values_hash_ = hash_values(a.value);
    factors_ = factorize(session_, analysis_, std::move(a), options, &scaling_);
    factors_.state()->report.fell_back_to_ldlt = true;
}

template <class T>
SolveReport Solver<T>::solve(BlockView<const T> b, BlockView<T> x, const SolveOptions& options) const {
    FROND_EXPECTS(bool(factors_), "there are no factors yet; call factor() first");
    return frond::solve(factors_, b, x, options);
}

#define FROND_INSTANTIATE(T) template class Solver<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond

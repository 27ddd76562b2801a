// SPDX-License-Identifier: BSD-3-Clause
// What a LocalDriver is given: patterns, values, and values in an order that is known.
#include <utility>

#include "driver/local_driver.hpp"
#include "factors/state_of.hpp"
#include "frond/analysis/counted_factors.hpp"
#include "frond/analysis/distributed_steps.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/host_heap.hpp"
#include "session/parallel_for.hpp"
#include "submit/pin_ahead.hpp"

namespace frond::detail {

template <class T>
RankPart<T> LocalDriver<T>::taken(const GivenMatrix<T>& a) {
    RankPart<T> whole = a.take(Extent::whole, options_.threads);
    if (whole.is_of_view) input_report_ = whole.input;
    return whole;
}

template <class T>
typename LocalDriver<T>::Basis LocalDriver<T>::basis_of(const SparseMatrix<T>& a,
                                                        std::optional<Factorization> kind) const {
    AnalysisOptions options = options_;
    if (kind) options.factorization = *kind;
    AheadOfFactorization ahead(state_of(session_));
    AnalysisResult result = analyze_observed(a, options, [&ahead](const CountedTree& tree, Factorization found) {
        ahead.begin(tree, found, sizeof(T));
    });
    result.analysis = ahead.kept_by(std::move(result.analysis));
    return_freed_memory();
    const bool unscaled =
        !result.has_values || (result.analysis->factorization == Factorization::llt && result.scaling.row.empty());
    Basis basis{std::move(result.analysis), nullptr};
    if (!unscaled && is_kept(*basis.analysis))
        basis.kept = std::make_shared<const KeptScaling>(std::move(result.scaling), false, a, *basis.analysis,
                                                         parallel_for_outside_jobs(*state_of(session_), "scaling"));
    return basis;
}

template <class T>
void LocalDriver<T>::analyze(const GivenMatrix<T>& a) {
    const RankPart<T> given = taken(a);
    factors_ = {};
    Basis basis = basis_of(*given.entries);
    analysis_ = std::move(basis.analysis);
    kept_scaling_ = std::move(basis.kept);
    values_.forget();
    values_.set(given.list(), *given.entries, given.input);
}

template <class T>
void LocalDriver<T>::factor(const GivenMatrix<T>& a, const FactorOptions& options, std::optional<Factorization> kind) {
    if (std::shared_ptr<SparseMatrix<T>> known = of_known_list(a)) return factor_known(std::move(known), options, kind);
    const RankPart<T> given = taken(a);
    if (!given.has_values) throw InvalidMatrix("the value array is null; pass it (analyze() alone does without)");
    const SharedMatrix<T> values =
        given.is_callers ? std::make_shared<const SparseMatrix<T>>(*given.entries) : given.entries;
    const bool is_first = !values_.is_known();
    // Before the factors change, since memory may be refused.
    if (is_first) values_.set(given.list(), *values, given.input);
    try {
        factor_canonical(values, options, Pattern::to_be_checked, kind);
    } catch (...) {
        if (is_first) values_.forget();
        throw;
    }
}

template <class T>
void LocalDriver<T>::factor_values(std::span<const T> values, const FactorOptions& options) {
    FROND_EXPECTS(values_.is_known(), analysis_ == nullptr ? "nothing was analysed: call analyze()"
                                                           : "the order of the values is not known: the analysis is "
                                                             "one of load_analysis(); call factor() once");
    factor_known(values_.filled(values, session_), options, std::nullopt);
}

/// A matrix with the list's values, by their positions, if the list's indices are those that were remembered. Else, and for
/// values that are refused, of which make_sparse says more: null.
template <class T>
std::shared_ptr<SparseMatrix<T>> LocalDriver<T>::of_known_list(const GivenMatrix<T>& a) {
    if (!values_.is_known()) return nullptr;
    const KnownValues<T> known = a.in_order_of(values_.list(), Extent::whole, options_.threads);
    if (!known.is_of_list) return nullptr;
    try {
        const std::span<const T> values(known.value, static_cast<std::size_t>(values_.list().given()));
        std::shared_ptr<SparseMatrix<T>> filled = values_.filled(values, session_, &input_report_);
        state_of(session_)->count_known_list();
        return filled;
    } catch (const InvalidMatrix&) {
        return nullptr;
    }
}

template <class T>
void LocalDriver<T>::factor_known(std::shared_ptr<SparseMatrix<T>> a, const FactorOptions& options,
                                  std::optional<Factorization> kind) {
    try {
        factor_canonical(a, options, Pattern::promised, kind);
    } catch (...) {
        values_.keep(std::move(a), false);
        throw;
    }
    values_.keep(std::move(a), true);
}

#define FROND_INSTANTIATE(T)                                                                                         \
    template RankPart<T> LocalDriver<T>::taken(const GivenMatrix<T>&);                                               \
    template typename LocalDriver<T>::Basis LocalDriver<T>::basis_of(const SparseMatrix<T>&,                         \
                                                                     std::optional<Factorization>) const;            \
    template void LocalDriver<T>::analyze(const GivenMatrix<T>&);                                                    \
    template void LocalDriver<T>::factor(const GivenMatrix<T>&, const FactorOptions&, std::optional<Factorization>); \
    template void LocalDriver<T>::factor_values(std::span<const T>, const FactorOptions&);                           \
    template std::shared_ptr<SparseMatrix<T>> LocalDriver<T>::of_known_list(const GivenMatrix<T>&);                  \
    template void LocalDriver<T>::factor_known(std::shared_ptr<SparseMatrix<T>>, const FactorOptions&,               \
                                               std::optional<Factorization>);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

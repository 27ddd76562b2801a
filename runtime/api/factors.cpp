// SPDX-License-Identifier: BSD-3-Clause
#include "factors/factors_state.hpp"
#include "factors/pivots.hpp"
#include "factors/state_of.hpp"
#include "frond/base/contract.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "submit/factorize_matrix.hpp"

#include <new>
#include <utility>

namespace frond {

template <class T>
Factors<T>::Factors(std::shared_ptr<detail::FactorsState<T>> state) : state_(std::move(state)) {}

template <class T>
const FactorReport& Factors<T>::report() const {
    FROND_EXPECTS(state_ != nullptr, "there are no factors yet; call factor() first");
    return state_->report;
}

template <class T>
const Analysis& Factors<T>::analysis() const {
    FROND_EXPECTS(state_ != nullptr, "there are no factors yet; call factor() first");
    return *state_->analysis;
}

template <class T>
std::optional<typename Factors<T>::LogDeterminant> Factors<T>::log_determinant() const try {
    if (report().status != FactorStatus::success || !state_->are_pivots_sure) return std::nullopt;
    const detail::JobGuard guard(*state_->session);
    return detail::log_determinant(*state_);
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

template <class T>
Factors<T> factorize(const Session& session, std::shared_ptr<const Analysis> analysis, SparseMatrix<T> a,
                     const FactorOptions& options, const Scaling* scaling) try {
    SharedMatrix<T> kept = std::make_shared<const SparseMatrix<T>>(std::move(a));
    return factorize(session, std::move(analysis), std::move(kept), options, scaling);
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

template <class T>
Factors<T> factorize(const Session& session, std::shared_ptr<const Analysis> analysis, SharedMatrix<T> a,
                     const FactorOptions& options, const Scaling* scaling) try {
    FROND_EXPECTS(analysis != nullptr, "the analysis is null; give one that analyze() or load_analysis() returned");
    detail::check_factor_options(options);
    detail::state_of(session)->expect_running();
    detail::check_same_pattern(*detail::state_of(session), *detail::not_null(a), *analysis);
    detail::ChosenScaling chosen =
        scaling != nullptr ? detail::given_scaling(*scaling, *a, *analysis)
                           : detail::choose_scaling(*detail::state_of(session), *a, *analysis, options, nullptr);
    return detail::factorize_matrix(detail::state_of(session), std::move(analysis), std::move(a), options,
                                    std::move(chosen));
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

#define FROND_INSTANTIATE(T)                                                                           \
    template class Factors<T>;                                                                         \
    template Factors<T> factorize<T>(const Session&, std::shared_ptr<const Analysis>, SparseMatrix<T>, \
                                     const FactorOptions&, const Scaling*);                            \
    template Factors<T> factorize<T>(const Session&, std::shared_ptr<const Analysis>, SharedMatrix<T>, \
                                     const FactorOptions&, const Scaling*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond

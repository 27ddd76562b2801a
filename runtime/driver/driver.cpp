// SPDX-License-Identifier: BSD-3-Clause
#include "driver/driver.hpp"

#include "driver/local_driver.hpp"
#include "driver/rank_driver.hpp"
#include "factors/state_of.hpp"
#include "frond/base/instantiate.hpp"

namespace frond::detail {

template <class T>
bool Driver<T>::may_escalate(const SolveOptions& options, Escalation escalation) const {
    return escalation == Escalation::allowed && factor_options_.escalate && options.part == SolvePart::all &&
           options.max_refinement_steps > 0 && factor_report_.pivoting == Pivoting::static_pivots;
}

template <class T>
std::optional<Factorization> Driver<T>::other_kind(FactorStatus status, Symmetry symmetry) const {
    if (options_.factorization != Factorization::automatic || status != FactorStatus::not_positive_definite)
        return std::nullopt;
    return is_complex<T> && symmetry == Symmetry::hermitian ? Factorization::ldlh : Factorization::ldlt;
}

template <class T>
std::shared_ptr<Driver<T>> make_driver(const Session& session, const AnalysisOptions& options) {
    if (ranks_of(session) != nullptr) return std::make_shared<RankDriver<T>>(session, options);
    return std::make_shared<LocalDriver<T>>(session, options);
}

#define FROND_INSTANTIATE(T)  \
    template class Driver<T>; \
    template std::shared_ptr<Driver<T>> make_driver<T>(const Session&, const AnalysisOptions&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

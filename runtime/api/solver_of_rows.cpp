// SPDX-License-Identifier: BSD-3-Clause
// A Solver on rank 0 of several, none of which has the whole matrix.
#include <utility>

#include "factors/factors_state.hpp"
#include "factors/state_of.hpp"
#include "frond/base/host_heap.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/solver.hpp"
#include "submit/factorize_matrix.hpp"
#include "submit/factorize_rows.hpp"

namespace frond {

/// Earlier factors go first: their memory is that of the new ones.
template <class T>
const FactorReport& Solver<T>::factor_rows(std::shared_ptr<const Analysis> part, const SharedMatrix<T>& diagonal,
                                           const std::shared_ptr<const Scaling>& scaling,
                                           const FactorOptions& options) {
    const HeapUse heap_use(host_heap());
    detail::check_factor_options(options);
    detail::state_of(session_)->expect_running();
    factors_ = {};
    kept_scaling_.reset();
    if (analysis_ != part) values_.forget();
    analysis_ = std::move(part);
    factors_ = detail::factorize_rows(detail::state_of(session_), analysis_, diagonal, scaling, options);
    detail::state_of(factors_)->condition_hint.is_first_of_analysis = analysis_ != factored_analysis_.lock();
    factored_analysis_ = analysis_;
    factor_options_ = detail::without_callbacks(options);
    factor_report_ = factors_.report();
    return factor_report_;
}

template <class T>
void Solver<T>::factor_rows_again(const FactorOptions& options, const FactorReport& before) {
    const SharedMatrix<T> diagonal = detail::state_of(factors_)->system.matrix;
    const std::shared_ptr<const Scaling> scaling = detail::state_of(factors_)->system.scaling;
    factors_ = {};
    factors_ = detail::factorize_rows(detail::state_of(session_), analysis_, diagonal, scaling, options);
    factor_options_.pivoting = Pivoting::threshold;  // how they are made again
    FactorReport& report = detail::state_of(factors_)->report;
    report.escalated = true;
    report.fell_back_to_ldlt = before.fell_back_to_ldlt;
    factor_report_ = report;
}

#define FROND_INSTANTIATE(T)                                                                                          \
    template const FactorReport& Solver<T>::factor_rows(std::shared_ptr<const Analysis>, const SharedMatrix<T>&,      \
                                                        const std::shared_ptr<const Scaling>&, const FactorOptions&); \
    template void Solver<T>::factor_rows_again(const FactorOptions&, const FactorReport&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond

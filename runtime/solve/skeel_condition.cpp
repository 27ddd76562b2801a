// SPDX-License-Identifier: BSD-3-Clause
#include "solve/skeel_condition.hpp"

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "solve/inverse_pair.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace frond::detail {
namespace {

template<class T>
constexpr double epsilon_of = std::numeric_limits<real_t<T>>::epsilon();

/// 1 / sqrt(a_jj), the scaling near to the best of a definite matrix (van der Sluis 1969).
template<class T>
std::vector<double> scale_by_diagonal(const SparseMatrix<T>& a) {
    std::vector<double> scale(at(a.cols()), 1.0);
    for (index_t j = 0; j < a.cols(); ++j)
        for (count_t e = a.pattern.begin[at(j)]; e < a.pattern.begin[at(j) + 1]; ++e) {
            const double size = static_cast<double>(std::abs(a.value[at(e)]));
            if (a.pattern.row[at(e)] == j && size > 0) scale[at(j)] = 1 / std::sqrt(size);
        }
    return scale;
}

template<class T>
void scale_rows(const std::vector<double>& factor, DenseView<T> x) {
    if (factor.empty()) return;
    for (index_t j = 0; j < x.cols; ++j)
        for (index_t i = 0; i < x.rows; ++i) x(i, j) *= static_cast<real_t<T>>(factor[at(i)]);
}

template<class T>
double estimate(const FactorsState<T>& state, const LinearSystem<T>& system,
                const std::atomic<bool>* cancel, const OneNormOptions& options) {
    const std::vector<double>& inverse_scale = system.inverse_solution_scale();
    const std::vector<real_t<T>>& sums =
        inverse_scale.empty() ? system.row_sums() : system.scaled_row_sums();
    const std::vector<double> row_sum(sums.begin(), sums.end());
    InversePair<T> pair(state, Operation::none, cancel);
    const ApplyBlock<T> inverse = pair.inverse(), adjoint = pair.adjoint();
    const ApplyBlock<T> apply = [&](DenseView<T> x) {
        scale_rows(inverse_scale, x);
        adjoint(x);
        scale_rows(row_sum, x);
    };
    const ApplyBlock<T> apply_adjoint = [&](DenseView<T> x) {
        scale_rows(row_sum, x);
        inverse(x);
        scale_rows(inverse_scale, x);
    };
    return estimate_one_norm<T>(system.order(), apply, apply_adjoint, options);
}

/// Of a null vector spread over all n unknowns the last pivot shows n / condition alone, and 1000
/// times more is on the safe side: pivots need not show even that.
template<class T>
bool pivots_ask(const FactorsState<T>& state) {
    const FactorReport& report = state.report;
    constexpr double least_in_eps = 1e6, in_n_eps = 1e4, most = 1e-3;
    const double share = epsilon_of<T> * std::max(least_in_eps, in_n_eps * state.analysis->order);
    return report.status == FactorStatus::success &&
           report.smallest_pivot < std::min(share, most) * report.largest_pivot;
}

} // namespace

template<class T>
double skeel_condition(const FactorsState<T>& state, const std::atomic<bool>* cancel,
                       const OneNormOptions& options) {
    if (state.analysis->order == 0) return 1;
    if (state.report.status == FactorStatus::singular)
        return std::numeric_limits<double>::infinity();
    const LinearSystem<T>& system = state.system(Operation::none);
    const bool scaled = !system.inverse_solution_scale().empty();
    if (scaled || state.kind() != Factorization::llt)
        return estimate(state, system, cancel, options);
    const std::vector<double> scale = scale_by_diagonal(*state.matrix);
    return estimate(state, LinearSystem<T>(*state.matrix, Operation::none, {}, &scale), cancel,
                    options);
}

template<class T>
std::optional<double> condition_hint(const FactorsState<T>& state,
                                     const std::atomic<bool>* cancel) {
    if (!pivots_ask(state)) return std::nullopt;
    const std::lock_guard lock(state.hint_mutex);
    if (!state.condition_hint) {
        OneNormOptions options;
        options.max_rounds = 1;
        state.condition_hint = skeel_condition(state, cancel, options);
    }
    return state.condition_hint;
}

template<class T>
bool leaves_no_digit(double skeel_condition) {
    return !(10 * skeel_condition * epsilon_of<T> < 1);
}

#define FROND_INSTANTIATE(T)                                                                       \
    template double skeel_condition<T>(const FactorsState<T>&, const std::atomic<bool>*,           \
                                       const OneNormOptions&);                                     \
    template std::optional<double> condition_hint<T>(const FactorsState<T>&,                       \
                                                     const std::atomic<bool>*);                    \
    template bool leaves_no_digit<T>(double);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

} // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#include "submit/pivot_rule.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "frond/base/instantiate.hpp"

namespace frond::detail {
namespace {

/// Largest null pivot in units of eps ||scaled A||; in single precision sqrt(eps) is less.
constexpr double null_pivot_in_eps = 1e4;
constexpr double default_pivot_threshold = 0.01;

}  // namespace

template <class T>
PivotRule pivot_rule(const FactorOptions& options, const FactorsState<T>& state) {
    const double eps = std::numeric_limits<real_t<T>>::epsilon();
    const double size = state.system.largest_entry > 0 ? state.system.largest_entry : 1;  // even of the zero matrix
    PivotRule rule;
    rule.zero_pivot = eps * size;
    if (state.report.pivoting == Pivoting::threshold) {
        // Rounding leaves this much of a null pivot: the growth of the errors, up to n, is mostly far less. Whether
        // it was rounding is found out afterwards (decide_rank).
        rule.zero_pivot =
            options.null_pivot_tolerance > 0
                ? options.null_pivot_tolerance * size
                : rule.zero_pivot * std::min({10.0 * state.analysis->order, null_pivot_in_eps, 1 / std::sqrt(eps)});
        rule.threshold = options.pivot_threshold > 0 ? options.pivot_threshold : default_pivot_threshold;
        rule.smallest_pivot = size;  // stands in for a null pivot until the column is given back
    } else if (state.report.pivoting == Pivoting::static_pivots) {
        rule.smallest_pivot =
            size * (options.static_pivot_tolerance > 0 ? options.static_pivot_tolerance : std::sqrt(eps));
    }
    return rule;
}

#define FROND_INSTANTIATE(T) template PivotRule pivot_rule<T>(const FactorOptions&, const FactorsState<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

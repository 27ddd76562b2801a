// SPDX-License-Identifier: BSD-3-Clause
#include "solve/solve_parts.hpp"

#include <algorithm>
#include <limits>
#include <new>

#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "refinement/forward_error.hpp"
#include "solve/factor_solve_pair.hpp"

namespace frond::detail {
namespace {

/// Appends those of the columns of x.
template <class T>
void append_forward_errors(const FactorsState<T>& state, DenseView<const T> b, DenseView<const T> x,
                           const SolveOptions& options, SolveReport& report) {
    std::vector<double>& errors = report.forward_errors;
    if (state.report.status == FactorStatus::singular) {
        errors.insert(errors.end(), static_cast<std::size_t>(x.cols), std::numeric_limits<double>::infinity());
    } else {
        FactorSolvePair<T> pair(state, options.operation, options.cancel);
        const std::vector<double> bounds = forward_error_bounds<T>(state.system.linear_system(options.operation), b, x,
                                                                   pair.inverse(), pair.adjoint());
        errors.insert(errors.end(), bounds.begin(), bounds.end());
    }
    report.forward_error = 0;
    for (const double e : errors) report.forward_error = std::max(*report.forward_error, e);
}

}  // namespace

template <class T>
bool bound_forward_errors(const FactorsState<T>& state, DenseView<const T> b, DenseView<const T> x,
                          const SolveOptions& options, SolveReport& report) {
    const auto give_up = [&report] {
        report.forward_errors.clear();
        report.forward_error.reset();
        return false;
    };
    try {
        append_forward_errors<T>(state, b, x, options, report);
        return true;
    } catch (const std::bad_alloc&) {
        return give_up();
    } catch (const OutOfMemory&) {
        return give_up();
    }
}

#define FROND_INSTANTIATE(T)                                                                              \
    template bool bound_forward_errors<T>(const FactorsState<T>&, DenseView<const T>, DenseView<const T>, \
                                          const SolveOptions&, SolveReport&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

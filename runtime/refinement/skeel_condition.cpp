// SPDX-License-Identifier: BSD-3-Clause
#include "refinement/skeel_condition.hpp"

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "system/row_chunks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace frond {

template <class T>
std::vector<double> scale_by_diagonal(const SparseMatrix<T>& a) {
    std::vector<double> scale(at(a.cols()), 1.0);
    for (index_t j = 0; j < a.cols(); ++j)
        for (count_t e = a.pattern.begin[at(j)]; e < a.pattern.begin[at(j) + 1]; ++e) {
            const double size = static_cast<double>(std::abs(a.value[at(e)]));
            if (a.pattern.row[at(e)] == j && size > 0) scale[at(j)] = 1 / std::sqrt(size);
        }
    return scale;
}

template <class T>
std::vector<double> scale_by_columns(const SparseMatrix<T>& a, const std::vector<real_t<T>>& row_sum) {
    std::vector<double> scale(row_sum.size(), 0.0);
    const auto see = [&](index_t i, index_t j, double size) {
        if (row_sum[at(i)] > 0) scale[at(j)] = std::max(scale[at(j)], size / static_cast<double>(row_sum[at(i)]));
    };
    for (index_t j = 0; j < a.cols(); ++j)
        for (count_t e = a.pattern.begin[at(j)]; e < a.pattern.begin[at(j) + 1]; ++e) {
            const double size = static_cast<double>(std::abs(a.value[at(e)]));
            see(a.pattern.row[at(e)], j, size);
            if (a.symmetry != Symmetry::general) see(j, a.pattern.row[at(e)], size);
        }
    for (double& s : scale) s = s > 0 && std::isfinite(1 / s) ? 1 / s : 1;
    return scale;
}

template <class T>
double skeel_condition(const LinearSystem<T>& system, const ApplyBlock<T>& inverse,
                       const ApplyBlock<T>& adjoint_inverse, const OneNormOptions& options) {
    const std::vector<double>& inverse_scale = system.inverse_solution_scale();
    const bool is_scaled = !inverse_scale.empty();
    const std::vector<real_t<T>>& row_sum = is_scaled ? system.scaled_row_sums() : system.row_sums();
    const auto scale_unknowns = [&](DenseView<T> x) {
        if (is_scaled) scale_rows(system.parallel_for(), inverse_scale, x);
    };
    const ApplyBlock<T> apply = [&](DenseView<T> x) {
        scale_unknowns(x);
        adjoint_inverse(x);
        scale_rows(system.parallel_for(), row_sum, x);
    };
    const ApplyBlock<T> apply_adjoint = [&](DenseView<T> x) {
        scale_rows(system.parallel_for(), row_sum, x);
        inverse(x);
        scale_unknowns(x);
    };
    return estimate_one_norm<T>(system.order(), apply, apply_adjoint, options);
}

template <class T>
bool leaves_no_digit(double skeel_condition) {
    constexpr double epsilon = std::numeric_limits<real_t<T>>::epsilon();
    return !(10 * skeel_condition * epsilon < 1);
}

#define FROND_INSTANTIATE(T)                                                                                 \
    template std::vector<double> scale_by_diagonal<T>(const SparseMatrix<T>&);                               \
    template std::vector<double> scale_by_columns<T>(const SparseMatrix<T>&, const std::vector<real_t<T>>&); \
    template double skeel_condition<T>(const LinearSystem<T>&, const ApplyBlock<T>&, const ApplyBlock<T>&,   \
                                       const OneNormOptions&);                                               \
    template bool leaves_no_digit<T>(double);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond

// SPDX-License-Identifier: BSD-3-Clause
#include "frond/analysis/dense_steps.hpp"
#include "frond/analysis/steps.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"

#include <algorithm>
#include <cmath>

namespace frond {
namespace {

/// scale_i := scale_i / size_i, or by its square root; a power of two with an exponent within [-1000, 1000].
void divide(std::vector<double>& scale, const std::vector<double>& size, bool by_root) {
    constexpr double most = 0x1p1000;
    for (std::size_t i = 0; i < scale.size(); ++i) {
        if (!(size[i] > 0)) continue;
        const double quotient = scale[i] / (by_root ? std::sqrt(size[i]) : size[i]);
        scale[i] = std::clamp(quotient, 1 / most, most);
    }
    round_to_powers_of_two(scale);
}

}  // namespace

template <class T>
Scaling equilibrate_dense(const DenseMatrixView<T>& a, const ParallelFor& parallel_for, double& largest) {
    constexpr int symmetric_sweeps = 3;
    Scaling scaling;
    scaling.method = ScalingMethod::equilibrate;
    const std::vector<double> ones(at(a.order), 1.0);
    scaling.row = scaling.column = ones;
    if (a.symmetry == Symmetry::general) {
        divide(scaling.row, dense_maxima(a, {}, parallel_for).row, false);
        const std::vector<double> size = dense_maxima(a, scaling, parallel_for).column;
        divide(scaling.column, size, false);
        largest = 0;
        for (std::size_t j = 0; j < size.size(); ++j) largest = std::max(largest, size[j] * scaling.column[j]);
        return scaling;
    }
    for (int sweep = 0; sweep < symmetric_sweeps; ++sweep) {
        divide(scaling.row, dense_maxima(a, scaling, parallel_for).row, true);
        scaling.column = scaling.row;
    }
    largest = dense_maxima(a, scaling, parallel_for).largest();
    return scaling;
}

#define FROND_INSTANTIATE(T) \
    template Scaling equilibrate_dense<T>(const DenseMatrixView<T>&, const ParallelFor&, double&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond

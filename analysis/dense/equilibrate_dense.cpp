// SPDX-License-Identifier: BSD-3-Clause
#include "frond/analysis/dense_steps.hpp"
#include "frond/analysis/steps.hpp"
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

Scaling equilibrate_dense(count_t order, Symmetry symmetry, const MaximaOf& maxima_of, double& largest) {
    constexpr int symmetric_sweeps = 3;
    Scaling scaling;
    scaling.method = ScalingMethod::equilibrate;
    const std::vector<double> ones(at(order), 1.0);
    scaling.row = scaling.column = ones;
    if (symmetry == Symmetry::general) {
        divide(scaling.row, maxima_of({}).row, false);
        const std::vector<double> size = maxima_of(scaling).column;
        divide(scaling.column, size, false);
        largest = 0;
        for (std::size_t j = 0; j < size.size(); ++j) largest = std::max(largest, size[j] * scaling.column[j]);
        return scaling;
    }
    for (int sweep = 0; sweep < symmetric_sweeps; ++sweep) {
        divide(scaling.row, maxima_of(scaling).row, true);
        scaling.column = scaling.row;
    }
    largest = maxima_of(scaling).largest();
    return scaling;
}

}  // namespace frond

// SPDX-License-Identifier: BSD-3-Clause
#include "frond/analysis/steps.hpp"
#include "frond/base/contract.hpp"
#include "frond/matrix/equilibration.hpp"

namespace frond {

Scaling equilibrate(const Pattern& a, const std::vector<double>& magnitude, bool symmetric) {
    FROND_EXPECTS(static_cast<count_t>(magnitude.size()) == a.entries(),
                  "one magnitude an entry: " + std::to_string(magnitude.size()) + " for " +
                      std::to_string(a.entries()) + " entries");
    Equilibration work(a.rows, a.cols, symmetric);
    work.run([&](LineNorm norm, const auto& r, const auto& c, RowsAndColumns& norms) {
        for (index_t j = 0; j < a.cols; ++j) {
            double of_column = 0;
            for (count_t e = a.begin[j]; e < a.begin[j + 1]; ++e) {
                const index_t i = a.row[e];
                const double scaled = magnitude[e] * r[i] * c[j];
                of_column = joined(norm, of_column, scaled);
                if (!symmetric) norms.row[i] = joined(norm, norms.row[i], scaled);
            }
            norms.column[j] = of_column;
        }
    });
    RowsAndColumns scales = work.take();
    return {ScalingMethod::equilibrate, std::move(scales.row), std::move(scales.column)};
}

}  // namespace frond

// SPDX-License-Identifier: BSD-3-Clause
// Ruiz 2001, "A scaling algorithm to equilibrate both rows and columns norms in matrices",
// RAL-TR-2001-034; the 1-norm after the inf-norm: Knight, Ruiz & Ucar 2014.
#include "frond/analysis/steps.hpp"
#include "frond/base/contract.hpp"

#include <algorithm>
#include <cmath>

namespace frond {
namespace {

enum class Norm : std::uint8_t { infinity, one };

/// Steps r_i /= sqrt(norm of row i), c_j /= sqrt(norm of column j) on B = diag(r) |A| diag(c).
class Equilibration {
public:
    Equilibration(const Pattern& a, const std::vector<double>& magnitude, bool symmetric)
        : a_(a),
          magnitude_(magnitude),
          symmetric_(symmetric),
          row_(static_cast<std::size_t>(a.rows), 1.0),
          column_(static_cast<std::size_t>(a.cols), 1.0),
          column_norm_(column_.size()) {}

    /// Until all norms lie within `tolerance` of 1, at most `steps` times.
    void run(Norm norm, int steps, double tolerance) {
        for (int step = 0; step < steps; ++step) {
            measure(norm);
            if (deviation() <= tolerance) return;
            apply();
        }
    }

    Scaling take() {
        if (symmetric_) row_ = column_;
        return {ScalingMethod::equilibrate, std::move(row_), std::move(column_)};
    }

private:
    static double join(Norm norm, double x, double y) { return norm == Norm::infinity ? std::max(x, y) : x + y; }

    /// Symmetric: row norms are column norms, and only those are used.
    void measure(Norm norm) {
        const std::vector<double>& row = symmetric_ ? column_ : row_;
        row_norm_.assign(row_.size(), 0.0);
        for (index_t j = 0; j < a_.cols; ++j) {
            double of_column = 0;
            for (count_t e = a_.begin[j]; e < a_.begin[j + 1]; ++e) {
                const index_t i = a_.row[e];
                const double scaled = magnitude_[e] * row[i] * column_[j];
                of_column = join(norm, of_column, scaled);
                if (!symmetric_) row_norm_[i] = join(norm, row_norm_[i], scaled);
            }
            column_norm_[j] = of_column;
        }
    }

    double deviation() const {
        double most = 0;
        const auto look = [&most](double norm) {
            if (norm > 0) most = std::max(most, std::abs(1 - norm));
        };
        std::for_each(column_norm_.begin(), column_norm_.end(), look);
        if (!symmetric_) std::for_each(row_norm_.begin(), row_norm_.end(), look);
        return most;
    }

    static void update(std::vector<double>& scale, const std::vector<double>& norm) {
        for (std::size_t i = 0; i < norm.size(); ++i)
            if (norm[i] > 0) scale[i] /= std::sqrt(norm[i]);
    }

    void apply() {
        update(column_, column_norm_);
        if (!symmetric_) update(row_, row_norm_);
    }

    const Pattern& a_;
    const std::vector<double>& magnitude_;
    bool symmetric_;
    std::vector<double> row_, column_;  // r, c
    std::vector<double> row_norm_, column_norm_;  // of B
};

}  // namespace

Scaling equilibrate(const Pattern& a, const std::vector<double>& magnitude, bool symmetric) {
    FROND_EXPECTS(static_cast<count_t>(magnitude.size()) == a.entries(),
                  "one magnitude an entry: " + std::to_string(magnitude.size()) + " for " +
                      std::to_string(a.entries()) + " entries");
    constexpr double tolerance = 0.1;  // scales are rounded to powers of two afterwards
    Equilibration work(a, magnitude, symmetric);
    work.run(Norm::infinity, 10, tolerance);
    work.run(Norm::one, 5, tolerance);
    return work.take();
}

}  // namespace frond

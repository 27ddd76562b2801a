// SPDX-License-Identifier: BSD-3-Clause
// Ruiz 2001, "A scaling algorithm to equilibrate both rows and columns norms in matrices",
// RAL-TR-2001-034; the 1-norm after the inf-norm: Knight, Ruiz & Ucar 2014.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "frond/base/types.hpp"
#include "frond/base/vector_index.hpp"

namespace frond {

enum class LineNorm : std::uint8_t { infinity, one };

/// The norm of a row or column to which an entry of magnitude `scaled` comes.
inline double joined(LineNorm norm, double so_far, double scaled) {
    return norm == LineNorm::infinity ? std::max(so_far, scaled) : so_far + scaled;
}

/// Something of all rows and of all columns.
struct RowsAndColumns {
    std::vector<double> row, column;
};

/// Steps r_i /= sqrt(norm of row i), c_j /= sqrt(norm of column j) on B = diag(r) |A| diag(c), wherever A is. Takes all of
/// its memory when it is made.
class Equilibration {
public:
    /// symmetric: norms of columns are those of rows, and r = c.
    Equilibration(index_t rows, index_t columns, bool symmetric)
        : symmetric_(symmetric),
          scale_{std::vector<double>(at(rows), 1.0), std::vector<double>(at(columns), 1.0)},
          norm_{std::vector<double>(symmetric ? 0 : at(rows)), std::vector<double>(at(columns))} {}

    /// Until all norms lie within 0.1 of 1, in the inf-norm at most 10 steps, then in the 1-norm at most 5.
    /// measure(norm, r, c, norms): adds the entries (|a_ij| r_i) c_j to norms.row and norms.column, which are zeros; to
    /// those of columns alone where A is symmetric. The order in which it does so decides the last bits of r and c.
    template <class Measure>
    void run(const Measure& measure) {
        run(LineNorm::infinity, 10, measure);
        run(LineNorm::one, 5, measure);
    }

    /// r and c.
    RowsAndColumns take() {
        if (symmetric_) scale_.row = scale_.column;
        return std::move(scale_);
    }

private:
    template <class Measure>
    void run(LineNorm norm, int steps, const Measure& measure) {
        constexpr double tolerance = 0.1;  // scales are rounded to powers of two afterwards
        for (int step = 0; step < steps; ++step) {
            std::fill(norm_.row.begin(), norm_.row.end(), 0.0);
            std::fill(norm_.column.begin(), norm_.column.end(), 0.0);
            measure(norm, symmetric_ ? scale_.column : scale_.row, scale_.column, norm_);
            if (std::max(deviation(norm_.column), deviation(norm_.row)) <= tolerance) return;
            update(scale_.column, norm_.column);
            update(scale_.row, norm_.row);
        }
    }

    static double deviation(const std::vector<double>& norms) {
        double most = 0;
        for (const double norm : norms)
            if (norm > 0) most = std::max(most, std::abs(1 - norm));
        return most;
    }

    /// Norms below the smallest normal number ask for scales beyond the largest one.
    static void update(std::vector<double>& scale, const std::vector<double>& norm) {
        constexpr double most = 0x1p1020;
        for (std::size_t i = 0; i < norm.size(); ++i)
            if (norm[i] > 0) scale[i] = std::clamp(scale[i] / std::sqrt(norm[i]), 1 / most, most);
    }

    bool symmetric_;
    RowsAndColumns scale_, norm_;  // r, c; of B
};

}  // namespace frond

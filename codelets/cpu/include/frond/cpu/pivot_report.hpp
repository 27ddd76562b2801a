// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"

#include <algorithm>
#include <limits>

namespace frond {

/// How small pivots are treated, with threshold or static pivoting (docs/factorization.md).
struct PivotRule {
    /// |pivot| below this is raised to it, sign (phase) kept, and counted; 0: never.
    double smallest_pivot = 0;
    /// |pivot| at or below this counts as zero (a null pivot), before it is raised.
    double zero_pivot = 0;
    /// u > 0: threshold pivoting, |l_ij| <= 1 / u (see threshold.hpp); 0: static.
    double threshold = 0;
};

/// Sizes of pivots, null ones left out; of a 2x2 pivot those of its two eigenvalues, within a factor 2. The largest is
/// infinite where one is not finite: elimination has left the range of the scalar.
struct PivotSizes {
    double smallest = std::numeric_limits<double>::infinity();
    double largest = 0;

    void see(double size) {
        smallest = std::min(smallest, size);
        if (!(size <= largest)) largest = size > largest ? size : std::numeric_limits<double>::infinity();
    }
    void see(const PivotSizes& o) {
        smallest = std::min(smallest, o.smallest);
        largest = std::max(largest, o.largest);
    }
};

/// What happened to the pivots of one block, front or subtree. Add up with operator+=.
struct PivotReport {
    count_t perturbed = 0;
    count_t two_by_two = 0;
    count_t negative = 0;  // eigenvalues of D below zero (real symmetric, Hermitian)
    count_t zero = 0;
    count_t positive = 0;
    count_t delayed = 0;  // columns handed to a parent, each time
    index_t failed_column = -1;  // LL^T: first column, local, whose pivot is not positive; -1: none
    bool rejected = false;  // threshold pivoting: factor_front gave up, see there
    bool rejected_by_rows = false;  // after the rows below the pivots were solved for
    double log_abs_determinant = 0;  // sum of log |pivot|, of the scaled matrix
    double largest_l = 0;  // largest |l_ij| seen, when measured
    PivotSizes sizes;  // of the scaled matrix

    PivotReport& operator+=(const PivotReport& o) {
        perturbed += o.perturbed;
        two_by_two += o.two_by_two;
        negative += o.negative;
        zero += o.zero;
        positive += o.positive;
        delayed += o.delayed;
        if (failed_column < 0) failed_column = o.failed_column;
        rejected = rejected || o.rejected;
        rejected_by_rows = rejected_by_rows || o.rejected_by_rows;
        log_abs_determinant += o.log_abs_determinant;
        largest_l = largest_l > o.largest_l ? largest_l : o.largest_l;
        sizes.see(o.sizes);
        return *this;
    }
};

}  // namespace frond

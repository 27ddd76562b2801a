// SPDX-License-Identifier: BSD-3-Clause
// The first pass of threshold pivoting perturbs nothing for good: a pivot that is numerically zero
// is replaced so that the block can be finished, and what was added is remembered.
#pragma once

#include "../simd/pivot_judge.hpp"
#include "frond/cpu/pivot_report.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace frond::cpu {

/// Replaces 1x1 pivots at or below rule.zero_pivot by rule.smallest_pivot; replaced[k] := what was
/// added to pivot k, else 0.
template <class T>
class PivotReplacement {
public:
    PivotReplacement(index_t n, const PivotRule& rule, T* replaced) : replaced_(replaced) {
        using R = real_t<T>;
        // Reciprocals of larger pivots are finite. A bound far above the entries of a tiny matrix
        // would lose them: they come back as the difference of the new pivot and what was added.
        zero_ = std::max(static_cast<R>(rule.zero_pivot), std::numeric_limits<R>::min());
        new_pivot_ = std::max(static_cast<R>(rule.smallest_pivot), 2 * zero_);
        std::fill_n(replaced, n, T(0));
    }

    simd::PivotJudge<T> judge() {
        // |d| >= (|re d| + |im d|) / sqrt 2
        return {this, static_cast<real_t<T>>(1.5 * static_cast<double>(zero_)),
                [](void* self, T d, index_t k) { return static_cast<PivotReplacement*>(self)->replace(d, k); },
                [](void*, T, T, T) {},
                // A pair at the limit itself is not taken.
                static_cast<double>(zero_) * (1 + 8 * std::numeric_limits<real_t<T>>::epsilon())};
    }

private:
    T replace(T d, index_t k) {
        if (!(std::abs(d) <= zero_)) return d;
        replaced_[k] = T(new_pivot_) - d;
        return T(new_pivot_);
    }

    real_t<T> zero_, new_pivot_;
    T* replaced_;
};

}  // namespace frond::cpu

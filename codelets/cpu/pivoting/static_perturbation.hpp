// SPDX-License-Identifier: BSD-3-Clause
// Static pivoting: pivots below a limit are raised to it and counted (Li & Demmel 1998,
// SuperLU_DIST, section 2; Schenk & Gaertner 2006 for the symmetric indefinite case).
#pragma once

#include "../scalar.hpp"
#include "../simd/pivot_judge.hpp"
#include "frond/cpu/log_product.hpp"
#include "frond/cpu/pivot_report.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace frond::cpu {

/// Judges and counts the pivots of one block. finish() adds the result to a report.
template <class T>
class PivotCounter {
public:
    /// signed_pivots: D is real symmetric or Hermitian, so its eigenvalues have signs.
    PivotCounter(const PivotRule& rule, bool signed_pivots)
        : smallest_(rule.smallest_pivot), zero_(rule.zero_pivot), signed_(signed_pivots) {}

    /// This counter as the kernels see it.
    simd::PivotJudge<T> judge() {
        // |d| >= (|re d| + |im d|) / sqrt 2
        const double limit =
            1.5 * std::max({smallest_, zero_, static_cast<double>(std::numeric_limits<real_t<T>>::min())});
        return {this, static_cast<real_t<T>>(limit),
                [](void* self, T d, index_t) { return static_cast<PivotCounter*>(self)->raise(d); },
                [](void* self, T d1, T e, T d2) { static_cast<PivotCounter*>(self)->count_two_by_two(d1, e, d2); },
                smallest_};
    }

    /// The 1x1 pivot to use in place of d: d, or smallest * d / |d|, or +smallest for d = 0.
    T raise(T d) {
        const double magnitude = static_cast<double>(std::abs(d));
        if (magnitude <= zero_ || magnitude < std::numeric_limits<real_t<T>>::min()) ++report_.zero;
        if (!(magnitude < smallest_)) return d;
        ++report_.perturbed;
        const T phase = magnitude > 0 ? d / static_cast<real_t<T>>(magnitude) : T(1);
        return phase * static_cast<real_t<T>>(smallest_);
    }

    /// Counts a 1x1 pivot as it is used.
    void count(T d) {
        if (signed_) ++(real_part(d) < 0 ? report_.negative : report_.positive);
        const double size = static_cast<double>(std::abs(d));
        report_.sizes.see(size);
        product_.multiply_by(size);
    }

    /// Counts a pivot of value 0 that stays so: no sign, no part of the determinant.
    void count_null() { ++report_.zero; }

    /// A 2x2 pivot [d1 e'; e d2], already found large enough. Hermitian if complex and signed.
    void count_two_by_two(T d1, T e, T d2) {
        ++report_.two_by_two;
        const PairDeterminant<T> determinant(d1, e, d2, signed_);
        if (signed_) count_signs(real_part(determinant.factor), real_part(d1));
        const double e_size = static_cast<double>(std::abs(e));
        const double norm = static_cast<double>(std::max(std::abs(d1), std::abs(d2))) + e_size;
        report_.sizes.see(norm);
        report_.sizes.see(static_cast<double>(std::abs(determinant.factor)) * (e_size / norm) * e_size);
        for (const T part : {determinant.factor, determinant.unit, determinant.unit})
            product_.multiply_by(static_cast<double>(std::abs(part)));
    }

    void finish(PivotReport& report) {
        report_.log_abs_determinant = product_.value();
        report += report_;
    }

private:
    /// d1: either diagonal entry; both have the sign of both eigenvalues when the determinant is positive.
    void count_signs(real_t<T> determinant, real_t<T> d1) {
        if (determinant < 0) {
            ++report_.negative;
            ++report_.positive;
        } else {
            (d1 < 0 ? report_.negative : report_.positive) += 2;
        }
    }

    double smallest_, zero_;
    bool signed_;
    LogProduct product_;
    PivotReport report_;
};

// The first pass of threshold pivoting perturbs nothing for good: a pivot that is numerically zero
// is replaced so that the block can be finished, and what was added is remembered.

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

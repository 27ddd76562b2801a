// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"

#include <cmath>

namespace frond::cpu {

/// log(prod |d|) without a logarithm per factor: a running product, its exponent taken out when it
/// leaves the middle of the range.
class LogProduct {
public:
    void multiply_by(double magnitude) {
        if (!(magnitude > 0x1p-200 && magnitude < 0x1p200)) {
            int exponent = 0;
            magnitude = std::frexp(magnitude, &exponent);
            exponent_ += exponent;
        }
        mantissa_ *= magnitude;
        if (!(mantissa_ > 0x1p-400 && mantissa_ < 0x1p400)) renormalize();
    }

    double value() const { return std::log(mantissa_) + static_cast<double>(exponent_) * 0.6931471805599453; }

private:
    void renormalize() {
        int exponent = 0;
        mantissa_ = std::frexp(mantissa_, &exponent);
        exponent_ += exponent;
    }

    double mantissa_ = 1;
    count_t exponent_ = 0;
};

/// det [d1 e'; e d2] = factor unit^2 of a 2x2 pivot, e' = conj(e) when Hermitian, else e; |unit| =
/// |e| > 0. No product of two entries is formed, which may leave the range of the scalar while they
/// do not. In a pivot e is not small against d1 and d2 together.
template <class T>
struct PairDeterminant {
    T unit, factor;

    PairDeterminant(T d1, T e, T d2, bool hermitian)
        : unit(hermitian ? T(std::abs(e)) : e), factor((d1 / unit) * (d2 / unit) - T(1)) {}
};

}  // namespace frond::cpu

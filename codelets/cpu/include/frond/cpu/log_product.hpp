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

}  // namespace frond::cpu

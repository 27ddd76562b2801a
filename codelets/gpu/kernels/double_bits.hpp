// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstring>

namespace frond::gpu {

/// Kernels take the maximum of doubles >= 0 by their bits, which are in the order of the numbers.
inline double double_of_bits(unsigned long long bits) {
    double value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

inline unsigned long long bits_of_double(double value) {
    unsigned long long bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

}  // namespace frond::gpu

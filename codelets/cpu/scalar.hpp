// SPDX-License-Identifier: BSD-3-Clause
// Arithmetic on one scalar. Complex products are written out: std::complex's own repair NaN parts
// (C99 annex G), which costs a call per product and never helps a factorization.
#pragma once

#include "frond/base/types.hpp"

#include <cmath>

namespace frond::cpu {

template <class T>
inline T multiply(T a, T b) {
    if constexpr (is_complex<T>)
        return T(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
    else
        return a * b;
}

/// |re| + |im|, within a factor sqrt(2) of the modulus, without a root: for pivot searches.
template <class T>
inline real_t<T> abs1(T a) {
    if constexpr (is_complex<T>)
        return std::abs(a.real()) + std::abs(a.imag());
    else
        return std::abs(a);
}

template <class T>
inline T conjugate_if(bool condition, T a) {
    return condition ? conjugate(a) : a;
}

}  // namespace frond::cpu

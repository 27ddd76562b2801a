// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"

#include <cmath>

namespace frond::detail {

/// A sum of products with about twice the digits of R: in single precision a double, in double precision two numbers,
/// with the errors of products and sums added up.
template <class R>
class TwiceSum {
public:
    void add(R a, R x) {
        if constexpr (sizeof(R) == sizeof(float)) {
            sum_ += static_cast<double>(a) * static_cast<double>(x);
        } else {
            const double product = a * x, before = sum_;
            sum_ = before + product;
            const double added = sum_ - before;
            error_ += std::fma(a, x, -product) + ((before - (sum_ - added)) + (product - added));
        }
    }

    R value() const { return static_cast<R>(sum_ + error_); }

private:
    double sum_ = 0, error_ = 0;
};

/// The same for any scalar.
template <class T>
class TwiceSumOf {
public:
    void add(T a, T x) {
        if constexpr (is_complex<T>) {
            real_.add(a.real(), x.real());
            real_.add(-a.imag(), x.imag());
            imaginary_.add(a.real(), x.imag());
            imaginary_.add(a.imag(), x.real());
        } else {
            real_.add(a, x);
        }
    }

    T value() const {
        if constexpr (is_complex<T>)
            return {real_.value(), imaginary_.value()};
        else
            return real_.value();
    }

private:
    struct Nothing {};
    TwiceSum<real_t<T>> real_;
    [[no_unique_address]] std::conditional_t<is_complex<T>, TwiceSum<real_t<T>>, Nothing> imaginary_;
};

}  // namespace frond::detail

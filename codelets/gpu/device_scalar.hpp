// SPDX-License-Identifier: BSD-3-Clause
// Scalars inside kernels: std::complex cannot be used there, Complex has its layout.
#pragma once

#include <complex>

#include "vendor.hpp"

namespace frond::gpu {

#define FROND_DEVICE __host__ __device__ inline

template <class R>
struct Complex {
    R re, im;
};

template <class R>
FROND_DEVICE Complex<R> operator+(Complex<R> a, Complex<R> b) {
    return {a.re + b.re, a.im + b.im};
}
template <class R>
FROND_DEVICE Complex<R> operator-(Complex<R> a, Complex<R> b) {
    return {a.re - b.re, a.im - b.im};
}
template <class R>
FROND_DEVICE Complex<R> operator*(Complex<R> a, Complex<R> b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
/// By the larger part of b, so that |b|^2 cannot overflow.
template <class R>
FROND_DEVICE Complex<R> operator/(Complex<R> a, Complex<R> b) {
    if (fabs(b.re) >= fabs(b.im)) {
        const R t = b.im / b.re, d = b.re + b.im * t;
        return {(a.re + a.im * t) / d, (a.im - a.re * t) / d};
    }
    const R t = b.re / b.im, d = b.re * t + b.im;
    return {(a.re * t + a.im) / d, (a.im * t - a.re) / d};
}

FROND_DEVICE float conjugate(float a) { return a; }
FROND_DEVICE double conjugate(double a) { return a; }
template <class R>
FROND_DEVICE Complex<R> conjugate(Complex<R> a) {
    return {a.re, -a.im};
}

FROND_DEVICE bool is_zero(float a) { return a == 0; }
FROND_DEVICE bool is_zero(double a) { return a == 0; }
template <class R>
FROND_DEVICE bool is_zero(Complex<R> a) {
    return a.re == 0 && a.im == 0;
}

/// |re| + |im|
FROND_DEVICE float size_1(float a) { return fabsf(a); }
FROND_DEVICE double size_1(double a) { return fabs(a); }
template <class R>
FROND_DEVICE R size_1(Complex<R> a) {
    return size_1(a.re) + size_1(a.im);
}

/// The type of T's values inside kernels.
template <class T>
struct DeviceScalarOf {
    using type = T;
};
template <class R>
struct DeviceScalarOf<std::complex<R>> {
    using type = Complex<R>;
};
template <class T>
using DeviceScalar = typename DeviceScalarOf<T>::type;

}  // namespace frond::gpu

// SPDX-License-Identifier: BSD-3-Clause
// Scalars inside kernels: std::complex cannot be used there, Complex has its layout.
#pragma once

#include <complex>
#include <type_traits>

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

FROND_DEVICE float real_part(float a) { return a; }
FROND_DEVICE double real_part(double a) { return a; }
template <class R>
FROND_DEVICE R real_part(Complex<R> a) {
    return a.re;
}

FROND_DEVICE float times_real(float a, float r) { return a * r; }
FROND_DEVICE double times_real(double a, double r) { return a * r; }
template <class R>
FROND_DEVICE Complex<R> times_real(Complex<R> a, R r) {
    return {a.re * r, a.im * r};
}

/// The real type under S, and S from a real number.
template <class S>
struct RealOf {
    using type = S;
    FROND_DEVICE static S make(S r) { return r; }
};
template <class R>
struct RealOf<Complex<R>> {
    using type = R;
    FROND_DEVICE static Complex<R> make(R r) { return {r, 0}; }
};
template <class S>
using DeviceReal = typename RealOf<S>::type;
template <class S>
inline constexpr bool is_complex_scalar = !std::is_same_v<S, DeviceReal<S>>;

/// The inverse of [d11 e'; e d22], scaled by e against overflow; cpu/scalar.hpp has the same.
template <class S>
struct TwoByTwoInverse {
    S a11, a12, a21, a22;

    FROND_DEVICE TwoByTwoInverse(S d11, S e, S d22, bool hermitian) {
        const S one = RealOf<S>::make(1);
        const S upper = hermitian ? conjugate(e) : e;
        const S s11 = d11 / upper, s22 = d22 / e;
        const S t = one / (s11 * s22 - one);
        a11 = s22 * t / upper;
        a22 = s11 * t / e;
        a12 = (one - one - t) / e;
        a21 = (one - one - t) / upper;
    }
};

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

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>
#include <cstdint>
#include <type_traits>

namespace frond {

/// Number of a row, column, vertex or front inside the library; see docs/decisions/0001.
using index_t = std::int32_t;
/// Counts of entries, offsets into arrays, bytes: always 64 bits.
using count_t = std::int64_t;

/// real_t<T>: the real type of a scalar, float for float and complex<float>, double otherwise.
template <class T>
struct RealOf {
    using type = T;
};
template <class R>
struct RealOf<std::complex<R>> {
    using type = R;
};
template <class T>
using real_t = typename RealOf<T>::type;

template <class T>
inline constexpr bool is_complex = !std::is_same_v<T, real_t<T>>;

/// conj(x) that stays in T: the identity for real scalars.
template <class T>
constexpr T conjugate(T x) {
    if constexpr (is_complex<T>)
        return std::conj(x);
    else
        return x;
}

template <class T>
constexpr real_t<T> real_part(T x) {
    if constexpr (is_complex<T>)
        return x.real();
    else
        return x;
}

/// What is known of A beyond its entries.
enum class Symmetry : std::uint8_t { general, symmetric, hermitian, skew_symmetric };

/// A = L L^H (positive definite), L D L^T (symmetric), L D L^H (Hermitian), L U.
/// For real scalars ldlt and ldlh are the same factorization.
enum class Factorization : std::uint8_t { automatic, llt, ldlt, ldlh, lu };

/// op(A) in op(A) X = B.
enum class Operation : std::uint8_t { none, transpose, adjoint };

}  // namespace frond

// SPDX-License-Identifier: BSD-3-Clause
// Vectors of FROND_VECTOR_BYTES for the instruction set FROND_ISA of the including source.
// Everything here is inlined into the kernels of that namespace, so the sources for different sets
// share no function. A complex vector holds (re, im) pairs.
#pragma once

#include "isa.hpp"

#include <utility>

namespace frond::cpu::FROND_ISA {

template <class R>
struct RealVector {
    typedef R type __attribute__((vector_size(FROND_VECTOR_BYTES)));
    typedef R unaligned __attribute__((vector_size(FROND_VECTOR_BYTES), aligned(alignof(R)), may_alias));
};

/// Register of scalars T.
template <class T>
using Vector = typename RealVector<real_t<T>>::type;

/// Scalars T in a register.
template <class T>
inline constexpr int lanes = FROND_VECTOR_BYTES / static_cast<int>(sizeof(T));

template <class T>
FROND_INLINE Vector<T> load(const T* p) {
    return *reinterpret_cast<const typename RealVector<real_t<T>>::unaligned*>(p);
}

template <class T>
FROND_INLINE void store(T* p, Vector<T> v) {
    *reinterpret_cast<typename RealVector<real_t<T>>::unaligned*>(p) = v;
}

/// Lanes first <= l < last of p[l]; the others are zero and their memory is not touched.
template <class T>
FROND_INLINE Vector<T> load_span(const T* p, int first, int last) {
    constexpr int parts = is_complex<T> ? 2 : 1;
    return load_lanes(reinterpret_cast<const real_t<T>*>(p), parts * first, parts * last);
}

template <class T>
FROND_INLINE void store_span(T* p, Vector<T> v, int first, int last) {
    constexpr int parts = is_complex<T> ? 2 : 1;
    store_lanes(reinterpret_cast<real_t<T>*>(p), v, parts * first, parts * last);
}

/// (re, im) -> (im, re) in every pair.
template <class V>
FROND_INLINE V swap_pairs(V v) {
    using R = std::remove_cvref_t<decltype(v[0])>;
    constexpr int count = FROND_VECTOR_BYTES / static_cast<int>(sizeof(R));
    if constexpr (count == 2)
        return __builtin_shufflevector(v, v, 1, 0);
    else if constexpr (count == 4)
        return __builtin_shufflevector(v, v, 1, 0, 3, 2);
    else if constexpr (count == 8)
        return __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6);
    else
        return __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
}

/// Lane l := lane l + distance of the register, around its end; real lanes.
template <int distance, class T>
FROND_INLINE Vector<T> rotated_lanes(Vector<T> v) {
    constexpr int count = FROND_VECTOR_BYTES / static_cast<int>(sizeof(real_t<T>));
    return [&]<int... l>(std::integer_sequence<int, l...>) __attribute__((always_inline)) {
        return __builtin_shufflevector(v, v, ((l + distance) % count)...);
    }
    (std::make_integer_sequence<int, count>{});
}

/// (even, odd) in every pair of lanes.
template <class R>
FROND_INLINE typename RealVector<R>::type alternating(R even, R odd) {
    typename RealVector<R>::type v;
    for (int l = 0; l < FROND_VECTOR_BYTES / static_cast<int>(sizeof(R)); l += 2) {
        v[l] = even;
        v[l + 1] = odd;
    }
    return v;
}

/// i x: (re, im) -> (-im, re).
template <class T>
FROND_INLINE Vector<T> times_i(Vector<T> x) {
    return swap_pairs(x) * alternating<real_t<T>>(-1, 1);
}

/// sum over p of a_p b_p, a_p vectors and b_p scalars, without shuffles inside the sum: for complex
/// scalars the products with Re b and Im b are kept apart and joined at the end.
template <class T>
struct Sum {
    Vector<T> value = {};

    FROND_INLINE void add_product(Vector<T> a, const T* b) { value += a * *b; }

    FROND_INLINE Vector<T> total(bool) const { return value; }
};

template <class R>
struct Sum<std::complex<R>> {
    using T = std::complex<R>;
    Vector<T> with_real = {}, with_imaginary = {};

    FROND_INLINE void add_product(Vector<T> a, const T* b) {
        const R* parts = reinterpret_cast<const R*>(b);
        with_real += a * parts[0];
        with_imaginary += a * parts[1];
    }

    /// conjugated: the sum of a_p conj(b_p).
    FROND_INLINE Vector<T> total(bool conjugated) const {
        const R s = conjugated ? R(-1) : R(1);
        return with_real + swap_pairs(with_imaginary) * alternating<R>(-s, s);
    }
};

/// y - x c for a scalar c; x_i must be times_i(x) for complex scalars, anything for real ones.
template <class T>
FROND_INLINE Vector<T> subtract_scaled(Vector<T> y, Vector<T> x, [[maybe_unused]] Vector<T> x_i, T c) {
    if constexpr (is_complex<T>) {
        return y - x * c.real() - x_i * c.imag();
    } else {
        return y - x * c;
    }
}

template <class T>
FROND_INLINE Vector<T> scaled(Vector<T> x, T c) {
    if constexpr (is_complex<T>)
        return x * c.real() + times_i<T>(x) * c.imag();
    else
        return x * c;
}

/// times_i(x) for complex scalars, which subtract_scaled wants; x itself for real ones.
template <class T>
FROND_INLINE Vector<T> rotated(Vector<T> x) {
    if constexpr (is_complex<T>)
        return times_i<T>(x);
    else
        return x;
}

/// A whole vector, or its first lanes.
template <class T>
struct WholeSpan {
    static FROND_INLINE Vector<T> get(const T* p) { return load<T>(p); }

    static FROND_INLINE void put(T* p, Vector<T> v) { store<T>(p, v); }

    static constexpr int last() { return lanes<T>; }
};

template <class T>
struct FirstSpan {
    int count;

    FROND_INLINE Vector<T> get(const T* p) const { return load_span<T>(p, 0, count); }

    FROND_INLINE void put(T* p, Vector<T> v) const { store_span<T>(p, v, 0, count); }

    int last() const { return count; }
};

/// Calls body(i, span) for the vectors that cover m scalars.
template <class T, class Body>
FROND_INLINE void for_each_vector(index_t m, Body body) {
    index_t i = 0;
    for (; i + lanes<T> <= m; i += lanes<T>) body(i, WholeSpan<T>{});
    if (i < m) body(i, FirstSpan<T>{static_cast<int>(m - i)});
}

/// y - l x[lane r], l a vector; l_i = rotated(l).
template <int r, class T>
FROND_INLINE Vector<T> subtract_lane(Vector<T> y, Vector<T> l, [[maybe_unused]] Vector<T> l_i, Vector<T> x) {
    constexpr auto same =
        []<int... lane>(std::integer_sequence<int, lane...>, Vector<T> v, auto part) __attribute__((always_inline)) {
        constexpr int from = decltype(part)::value;
        return __builtin_shufflevector(v, v, (lane * 0 + from)...);
    };
    constexpr int count = FROND_VECTOR_BYTES / static_cast<int>(sizeof(real_t<T>));
    using All = std::make_integer_sequence<int, count>;
    if constexpr (is_complex<T>) {
        const Vector<T> re = same(All{}, x, std::integral_constant<int, 2 * r>{});
        const Vector<T> im = same(All{}, x, std::integral_constant<int, 2 * r + 1>{});
        return y - l * re - l_i * im;
    } else {
        return y - l * same(All{}, x, std::integral_constant<int, r>{});
    }
}

}  // namespace frond::cpu::FROND_ISA

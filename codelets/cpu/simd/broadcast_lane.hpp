// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "vector.hpp"

#include <utility>

namespace frond::cpu::FROND_ISA {

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

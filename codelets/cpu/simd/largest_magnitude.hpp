// SPDX-License-Identifier: BSD-3-Clause
// Bounds on the entries of a column or a panel, found while its vectors pass.
#pragma once

#include "vector.hpp"

#include <limits>

namespace frond::cpu::FROND_ISA {

/// |re| + |im|, in both lanes of a complex scalar.
template <class T>
FROND_INLINE Vector<T> magnitudes(Vector<T> v) {
    v = v < 0 ? -v : v;
    if constexpr (is_complex<T>) v += swap_pairs(v);
    return v;
}

/// Largest |re| + |im| of what it has seen. A maximum loses NaN; a sum of numbers >= 0 is NaN for
/// no other reason.
template <class T>
class LargestMagnitude {
public:
    FROND_INLINE void look_at(Vector<T> v) {
        v = magnitudes<T>(v);
        sum_ += v;
        largest_ = v > largest_ ? v : largest_;
    }

    FROND_INLINE void join(const LargestMagnitude& other) {
        sum_ += other.sum_;
        largest_ = other.largest_ > largest_ ? other.largest_ : largest_;
    }

    /// Infinity when there was a NaN.
    FROND_INLINE real_t<T> value() const {
        constexpr int count = FROND_VECTOR_BYTES / static_cast<int>(sizeof(real_t<T>));
        const Vector<T> infinite = Vector<T>{} + std::numeric_limits<real_t<T>>::infinity();
        Vector<T> v = sum_ == sum_ ? largest_ : infinite;
        if constexpr (count >= 16) v = fold<8>(v);
        if constexpr (count >= 8) v = fold<4>(v);
        if constexpr (count >= 4) v = fold<2>(v);
        return fold<1>(v)[0];
    }

private:
    template <int distance>
    static FROND_INLINE Vector<T> fold(Vector<T> v) {
        const Vector<T> w = rotated_lanes<distance, T>(v);
        return w > v ? w : v;
    }

    Vector<T> sum_{}, largest_{};
};

/// True as long as |re| + |im| of all it has seen stayed within its limit; NaN does not.
template <class T>
class WithinLimits {
public:
    using Mask = decltype(Vector<T>{} <= Vector<T>{});

    FROND_INLINE void look_at(Vector<T> v, real_t<T> limit) { within_ &= magnitudes<T>(v) <= Vector<T>{} + limit; }

    /// Only lanes first <= l < last count.
    FROND_INLINE void look_at(Vector<T> v, real_t<T> limit, int first, int last) {
        constexpr int parts = is_complex<T> ? 2 : 1;
        Vector<T> lane;
        for (int l = 0; l < lanes<T> * parts; ++l) lane[l] = static_cast<real_t<T>>(l / parts);
        const Mask outside = (lane < static_cast<real_t<T>>(first)) | (lane >= static_cast<real_t<T>>(last));
        within_ &= (magnitudes<T>(v) <= Vector<T>{} + limit) | outside;
    }

    FROND_INLINE bool all() const {
        std::uint64_t words[sizeof(Mask) / 8], both = ~std::uint64_t(0);
        std::memcpy(words, &within_, sizeof within_);
        for (const std::uint64_t word : words) both &= word;
        return both == ~std::uint64_t(0);
    }

private:
    Mask within_ = Vector<T>{} <= Vector<T>{};
};

}  // namespace frond::cpu::FROND_ISA

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

// The largest entry of a column, by vectors; columns updated on the way.

/// Largest |re| + |im| seen and where. NaN never wins, and the first of equals does.
template <class T>
class LargestEntry {
public:
    using R = real_t<T>;
    static constexpr int parts = is_complex<T> ? 2 : 1;

    FROND_INLINE LargestEntry() {
        for (int l = 0; l < lanes<T> * parts; ++l) lane_[l] = static_cast<R>(l / parts);
    }

    /// x: entries row .. of the column; only lanes first <= l < last count.
    FROND_INLINE void look_at(Vector<T> x, index_t row, int first, int last) {
        Vector<T> size = x < 0 ? -x : x;
        if constexpr (is_complex<T>) size += swap_pairs(size);
        const Vector<T> where = lane_ + static_cast<R>(row);
        const auto counts = (lane_ >= static_cast<R>(first)) & (lane_ < static_cast<R>(last));
        const auto better = (size > best_) & counts;
        best_ = better ? size : best_;
        where_ = better ? where : where_;
    }

    FROND_INLINE void look_at(Vector<T> x, index_t row, int last) { look_at(x, row, 0, last); }

    /// Row of the largest entry, or -1 when there is none but NaN.
    FROND_INLINE index_t find(R& largest) {
        constexpr int count = lanes<T> * parts;
        if constexpr (count >= 16) fold<8>();
        if constexpr (count >= 8) fold<4>();
        if constexpr (count >= 4) fold<2>();
        if constexpr (!is_complex<T>) fold<1>();
        largest = best_[0];
        return static_cast<index_t>(where_[0]);
    }

private:
    /// Lane l takes the better of itself and lane l + distance.
    template <int distance>
    FROND_INLINE void fold() {
        const Vector<T> best = rotated_lanes<distance, T>(best_);
        const Vector<T> where = rotated_lanes<distance, T>(where_);
        const auto better = (best > best_) | ((best == best_) & (where < where_));
        best_ = better ? best : best_;
        where_ = better ? where : where_;
    }

    Vector<T> lane_;
    Vector<T> best_ = Vector<T>{} - 1;
    Vector<T> where_ = Vector<T>{} - 1;
};

/// Largest entry of x[0 .. m).
template <class T>
FROND_INLINE index_t largest_entry(index_t m, const T* x, real_t<T>& largest) {
    LargestEntry<T> search;
    for_each_vector<T>(
        m, [&](index_t i, auto span)
               __attribute__((always_inline)) { search.look_at(span.get(x + i), i, span.last()); });
    return search.find(largest);
}

/// to := from / d, also when 1 / d overflows; d = 0 copies (the column is then zero).
template <class T>
FROND_INLINE void divide_column(index_t m, const T* from, T* to, T d) {
    const T inverse = d == T(0) ? T(1) : T(1) / d;
    if (abs1(inverse) > std::numeric_limits<real_t<T>>::max()) {
        for (index_t i = 0; i < m; ++i) to[i] = from[i] / d;
        return;
    }
    for_each_vector<T>(
        m, [&](index_t i, auto span)
               __attribute__((always_inline)) { span.put(to + i, scaled<T>(span.get(from + i), inverse)); });
}

}  // namespace frond::cpu::FROND_ISA

// SPDX-License-Identifier: BSD-3-Clause
// The largest entry of a column, by vectors; columns updated on the way.
#pragma once

#include "vector.hpp"

namespace frond::cpu::FROND_ISA {

/// Largest |re| + |im| seen and where. NaN never wins, and the first of equals does.
template<class T>
class LargestEntry {
public:
    using R = real_t<T>;
    static constexpr int parts = is_complex<T> ? 2 : 1;

    FROND_INLINE LargestEntry() {
        for (int l = 0; l < lanes<T> * parts; ++l) lane_[l] = static_cast<R>(l / parts);
    }

    /// x: entries row .. of the column; lanes at or after `last` do not count.
    FROND_INLINE void look_at(Vector<T> x, index_t row, int last) {
        Vector<T> size = x < 0 ? -x : x;
        if constexpr (is_complex<T>) size += swap_pairs(size);
        const Vector<T> where = lane_ + static_cast<R>(row);
        const auto better = (size > best_) & (lane_ < static_cast<R>(last));
        best_ = better ? size : best_;
        where_ = better ? where : where_;
    }

    /// Row of the largest entry, or -1 when there is none but NaN.
    FROND_INLINE index_t find(R& largest) const {
        R best = -1, where = -1;
        for (int l = 0; l < lanes<T> * parts; l += parts) {
            const bool better = best_[l] > best || (best_[l] == best && where_[l] < where);
            best = better ? best_[l] : best;
            where = better ? where_[l] : where;
        }
        largest = best;
        return static_cast<index_t>(where);
    }

private:
    Vector<T> lane_;
    Vector<T> best_ = Vector<T>{} - 1;
    Vector<T> where_ = Vector<T>{} - 1;
};

/// Largest entry of x[0 .. m).
template<class T>
FROND_INLINE index_t largest_entry(index_t m, const T* x, real_t<T>& largest) {
    LargestEntry<T> search;
    for_each_vector<T>(
        m, [&](index_t i, auto span)
               __attribute__((always_inline)) { search.look_at(span.get(x + i), i, span.last()); });
    return search.find(largest);
}

/// x := x c
template<class T>
FROND_INLINE void scale_column(index_t m, T* x, T c) {
    for_each_vector<T>(
        m, [&](index_t i, auto span)
               __attribute__((always_inline)) { span.put(x + i, scaled<T>(span.get(x + i), c)); });
}

/// x := x / d, also when 1 / d overflows; d = 0 leaves x alone (its column is then zero).
template<class T>
FROND_INLINE void divide_column(index_t m, T* x, T d) {
    if (d == T(0)) return;
    const T inverse = T(1) / d;
    if (abs1(inverse) <= std::numeric_limits<real_t<T>>::max()) {
        scale_column<T>(m, x, inverse);
        return;
    }
    for (index_t i = 0; i < m; ++i) x[i] /= d;
}

} // namespace frond::cpu::FROND_ISA

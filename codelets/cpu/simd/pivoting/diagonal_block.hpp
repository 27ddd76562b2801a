// SPDX-License-Identifier: BSD-3-Clause
// L D L^H or L D L^T of a diagonal block in registers, without exchanges.
#pragma once

#include "../vector.hpp"
#include "../products/solve_kernels.hpp"

namespace frond::cpu::FROND_ISA {

/// One vector a column (C <= lanes): L D below the diagonal. As no root is taken, none waits in the
/// chain from one pivot to the next. Lanes above the diagonal hold anything.
template <class T, int C, bool hermitian>
struct DiagonalBlock {
    using Pivot = std::conditional_t<hermitian, real_t<T>, T>;
    Vector<T> column[C];
    Pivot pivot[C], inverse[C];

    /// a - left right^T (right^H), left and right [C, k].
    FROND_INLINE void load_updated(index_t k, const T* left, index_t ld_left, const T* right, index_t ld_right,
                                   const T* a, index_t lda) {
        constexpr bool masked = C < lanes<T>;
        Sum<T> sum[1][C];
        multiply_block<T, 1, C, Right::transposed, masked>(k, left, ld_left, right, ld_right, C, sum);
#pragma GCC unroll 8
        for (int j = 0; j < C; ++j)
            column[j] = load_span<T>(a + static_cast<count_t>(j) * lda, j, C) - sum[0][j].total(hermitian);
    }

    FROND_INLINE void factor() {
        [&]<int... j>(std::integer_sequence<int, j...>) __attribute__((always_inline)) { (eliminate<j>(), ...); }
        (std::make_integer_sequence<int, C>{});
    }

    /// Unit diagonal; lanes above it hold anything.
    FROND_INLINE Vector<T> column_of_l(int j) const {
        if constexpr (hermitian)
            return column[j] * inverse[j];
        else
            return scaled<T>(column[j], inverse[j]);
    }

private:
    /// column c -= column j (column j at row c, conjugated when Hermitian) / d_j for c > j
    template <int j>
    FROND_INLINE void eliminate() {
        pivot[j] = diagonal<j>();
        inverse[j] = Pivot(1) / pivot[j];
        Vector<T> l;
        if constexpr (hermitian && is_complex<T>)
            l = column[j] * inverse[j] * alternating<real_t<T>>(1, -1);
        else
            l = column_of_l(j);
        const Vector<T> column_i = rotated<T>(column[j]);
        [&]<int... c>(std::integer_sequence<int, c...>) __attribute__((always_inline)) {
            ((column[j + 1 + c] = subtract_lane<j + 1 + c, T>(column[j + 1 + c], column[j], column_i, l)), ...);
        }
        (std::make_integer_sequence<int, C - 1 - j>{});
    }

    template <int j>
    FROND_INLINE Pivot diagonal() const {
        if constexpr (!is_complex<T>)
            return column[j][j];
        else if constexpr (hermitian)
            return column[j][2 * j];
        else
            return T(column[j][2 * j], column[j][2 * j + 1]);
    }
};

}  // namespace frond::cpu::FROND_ISA

// SPDX-License-Identifier: BSD-3-Clause
// Triangular solves and products with one right-hand side: each entry of the panel is read once.
#pragma once

#include "matrix_vector.hpp"

namespace frond::cpu::FROND_ISA {

inline constexpr index_t solve_block = stream_columns;

/// x [n] := L11^-1 x, y [m] := y - L21 x, l [n + m, n].
template <class T>
void forward_lower(index_t n, index_t m, const T* l, index_t ld, bool unit, T* x, T* y) {
    for (index_t j = 0; j < n; j += solve_block) {
        const index_t columns = std::min(solve_block, n - j);
        const T* block = l + static_cast<count_t>(j) * ld;
        for (index_t c = j; c < j + columns; ++c) {
            const T* column = l + static_cast<count_t>(c) * ld;
            if (!unit) x[c] /= column[c];
            for (index_t r = c + 1; r < j + columns; ++r) x[r] -= multiply(column[r], x[c]);
        }
        const index_t below = j + columns;
        subtract_product<T>(n - below, columns, block + below, ld, x + j, x + below);
        subtract_product<T>(m, columns, block + n, ld, x + j, y);
    }
}

/// x [n] := L11^-T (x - L21^T y), conjugated: L11^-H (x - L21^H y).
template <class T>
void backward_lower(index_t n, index_t m, const T* l, index_t ld, bool unit, bool conjugated, const T* y, T* x) {
    const index_t blocks = (n + solve_block - 1) / solve_block;
    for (index_t b = blocks - 1; b >= 0; --b) {
        const index_t j = b * solve_block, columns = std::min(solve_block, n - j);
        const index_t below = j + columns;
        const T* block = l + static_cast<count_t>(j) * ld;
        subtract_transposed_product<T>(m, columns, block + n, ld, conjugated, y, x + j);
        subtract_transposed_product<T>(n - below, columns, block + below, ld, conjugated, x + below, x + j);
        for (index_t c = below - 1; c >= j; --c) {
            const T* column = l + static_cast<count_t>(c) * ld;
            for (index_t r = c + 1; r < below; ++r)
                x[c] -= multiply(conjugated ? conjugate(column[r]) : column[r], x[r]);
            if (!unit) x[c] /= conjugated ? conjugate(column[c]) : column[c];
        }
    }
}

/// x [n] := U11^-1 (x - U12 y), u12 [n, m].
template <class T>
void backward_upper(index_t n, index_t m, const T* u11, index_t ld, const T* u12, index_t ld12, const T* y, T* x) {
    subtract_product<T>(n, m, u12, ld12, y, x);
    const index_t blocks = (n + solve_block - 1) / solve_block;
    for (index_t b = blocks - 1; b >= 0; --b) {
        const index_t j = b * solve_block, columns = std::min(solve_block, n - j);
        for (index_t c = j + columns - 1; c >= j; --c) {
            const T* column = u11 + static_cast<count_t>(c) * ld;
            x[c] /= column[c];
            for (index_t r = j; r < c; ++r) x[r] -= multiply(column[r], x[c]);
        }
        subtract_product<T>(j, columns, u11 + static_cast<count_t>(j) * ld, ld, x + j, x);
    }
}

/// x [n] := U11^-T x, y [m] := y - U12^T x, conjugated: U^-H and U12^H.
template <class T>
void forward_upper(index_t n, index_t m, const T* u11, index_t ld, const T* u12, index_t ld12, bool conjugated, T* x,
                   T* y) {
    for (index_t j = 0; j < n; j += solve_block) {
        const index_t columns = std::min(solve_block, n - j);
        subtract_transposed_product<T>(j, columns, u11 + static_cast<count_t>(j) * ld, ld, conjugated, x, x + j);
        for (index_t c = j; c < j + columns; ++c) {
            const T* column = u11 + static_cast<count_t>(c) * ld;
            for (index_t r = j; r < c; ++r) x[c] -= multiply(conjugated ? conjugate(column[r]) : column[r], x[r]);
            x[c] /= conjugated ? conjugate(column[c]) : column[c];
        }
    }
    subtract_transposed_product<T>(n, m, u12, ld12, conjugated, x, y);
}

}  // namespace frond::cpu::FROND_ISA

// SPDX-License-Identifier: BSD-3-Clause
// One chunk of columns times a block of `width` right-hand sides, all blocks stored row by row.
#pragma once

#include "frond/matrix/sparse_matrix.hpp"

#include <cmath>

namespace frond::detail {

/// |z| without the cost of hypot; scaled where the square would leave the range.
template <class R>
R modulus(R x) {
    return std::abs(x);
}

template <class R>
R modulus(std::complex<R> z) {
    const R square = z.real() * z.real() + z.imag() * z.imag();
    constexpr R low = sizeof(R) == 4 ? R(1e-30) : R(1e-280);
    constexpr R high = sizeof(R) == 4 ? R(1e30) : R(1e280);
    if (square > low && square < high) return std::sqrt(square);
    return std::hypot(z.real(), z.imag());
}

/// sum += a b, without the NaN recovery of std::complex's product. Real and imaginary parts are
/// summed as separate scalars: the compiler keeps them in registers.
template <class T>
struct Sum {
    T value = T(0);

    void add(T a, T b) { value += a * b; }

    void store(T& y) const { y += value; }
};

template <class R>
struct Sum<std::complex<R>> {
    R re = 0;
    R im = 0;

    void add(std::complex<R> a, std::complex<R> b) {
        re += a.real() * b.real() - a.imag() * b.imag();
        im += a.real() * b.imag() + a.imag() * b.real();
    }

    void store(std::complex<R>& y) const {
        R* const parts = reinterpret_cast<R*>(&y);
        parts[0] += re;
        parts[1] += im;
    }
};

template <class T>
void add_product(T& y, T a, T b) {
    Sum<T> sum;
    sum.add(a, b);
    sum.store(y);
}

/// What the stored entry a_ij stands for: y_i += a_ij x_j, y_j += a_ij x_i, both, or the latter
/// conjugated.
enum class ProductKind : std::uint8_t { scatter, gather, symmetric, hermitian };

/// Rows first_row .. of Y and of |A||X|; weight is null when it is not wanted.
template <class T>
struct ProductWindow {
    index_t first_row = 0;
    index_t last_row = 0;
    T* y = nullptr;
    real_t<T>* weight = nullptr;
};

template <class T>
struct ProductInput {
    const SparseMatrix<T>& a;
    const T* x = nullptr;  // [op cols] rows of `width`
    const real_t<T>* magnitude = nullptr;  // |x|, when weights are wanted
};

/// window.y += columns [begin, end) of A times X, and window.weight += the same of |A| |X|.
template <ProductKind kind, int width, bool weighted, class T>
void multiply_columns(const ProductInput<T>& in, index_t begin, index_t end, const ProductWindow<T>& window) {
    using R = real_t<T>;
    constexpr bool scatters = kind != ProductKind::gather;
    constexpr bool gathers = kind != ProductKind::scatter;
    const count_t* const column_begin = in.a.pattern.begin.data();
    const index_t* const row = in.a.pattern.row.data();
    const T* const value = in.a.value.data();
    for (index_t j = begin; j < end; ++j) {
        Sum<T> own[width];
        R own_weight[width] = {};
        const count_t column_end = column_begin[j + 1];
        const T* const xj = in.x + count_t{j} * width;
        const R* const mj = weighted ? in.magnitude + count_t{j} * width : nullptr;
        for (count_t e = column_begin[j]; e < column_end; ++e) {
            const count_t i = row[e];
            const T a = value[e];
            const R size = weighted ? modulus(a) : R(0);
            // A stored diagonal entry has no mirror image: it scatters and must not gather as well.
            const T back = kind == ProductKind::hermitian ? conjugate(a) : a;
            const bool mirrored = kind == ProductKind::gather || i != j;
            const count_t at = (i - window.first_row) * width;
            for (int k = 0; k < width; ++k) {
                if constexpr (scatters) add_product(window.y[at + k], a, xj[k]);
                if constexpr (scatters && weighted) window.weight[at + k] += size * mj[k];
                if (gathers && mirrored) own[k].add(back, in.x[i * width + k]);
                if (gathers && weighted && mirrored) own_weight[k] += size * in.magnitude[i * width + k];
            }
        }
        if constexpr (!gathers) continue;
        const count_t at = (count_t{j} - window.first_row) * width;
        for (int k = 0; k < width; ++k) {
            own[k].store(window.y[at + k]);
            if constexpr (weighted) window.weight[at + k] += own_weight[k];
        }
    }
}

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
// A matrix whose padding is NaN with a payload, so that reads spread NaN and writes are seen.
#pragma once

#include "frond/cpu/dense_view.hpp"

#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace frond::test {

/// NaN that arithmetic does not produce: payload 0x5a5.
template <class T>
T poison() {
    if constexpr (is_complex<T>) {
        return T(poison<real_t<T>>(), poison<real_t<T>>());
    } else if constexpr (sizeof(T) == 4) {
        return std::nanf("0x5a5");
    } else {
        return std::nan("0x5a5");
    }
}

template <class T>
bool is_poison(const T& x) {
    const T p = poison<T>();
    return std::memcmp(&x, &p, sizeof(T)) == 0;
}

template <class T>
class GuardedMatrix {
public:
    /// All entries and the padding (extra rows, one column before and after) are poison.
    GuardedMatrix(index_t rows, index_t cols, index_t extra_rows = 3)
        : rows_(rows),
          cols_(cols),
          ld_(rows + extra_rows > 0 ? rows + extra_rows : 1),
          storage_(static_cast<std::size_t>(ld_) * (static_cast<std::size_t>(cols) + 2), poison<T>()) {}

    DenseView<T> view() { return {storage_.data() + ld_, rows_, cols_, ld_}; }

    DenseView<const T> view() const { return {storage_.data() + ld_, rows_, cols_, ld_}; }

    T& operator()(index_t i, index_t j) { return view()(i, j); }

    const T& operator()(index_t i, index_t j) const { return view()(i, j); }

    index_t rows() const { return rows_; }

    index_t cols() const { return cols_; }

    /// True when nothing outside [rows, cols] was written.
    bool padding_intact() const {
        for (index_t j = -1; j <= cols_; ++j) {
            const bool outside = j < 0 || j == cols_;
            for (index_t i = outside ? 0 : rows_; i < ld_; ++i)
                if (!is_poison(view()(i, j))) return false;
        }
        return true;
    }

    bool strict_upper_is_poison() const {
        for (index_t j = 0; j < cols_; ++j)
            for (index_t i = 0; i < j && i < rows_; ++i)
                if (!is_poison(view()(i, j))) return false;
        return true;
    }

private:
    index_t rows_, cols_, ld_;
    std::vector<T> storage_;
};

/// Values in [-1, 1) (both parts) from a generator that gives the same numbers everywhere.
class RandomValues {
public:
    explicit RandomValues(std::uint64_t seed) : engine_(seed) {}

    template <class T>
    T next() {
        if constexpr (is_complex<T>) {
            const real_t<T> re = next<real_t<T>>();
            return T(re, next<real_t<T>>());
        } else {
            return static_cast<T>(static_cast<double>(engine_() >> 11) * 0x1p-52 - 1.0);
        }
    }

    index_t below(index_t n) { return static_cast<index_t>(engine_() % static_cast<std::uint64_t>(n)); }

private:
    std::mt19937_64 engine_;
};

template <class T>
GuardedMatrix<T> random_matrix(index_t rows, index_t cols, std::uint64_t seed) {
    GuardedMatrix<T> a(rows, cols);
    RandomValues values(seed);
    for (index_t j = 0; j < cols; ++j)
        for (index_t i = 0; i < rows; ++i) a(i, j) = values.next<T>();
    return a;
}

/// The lower triangle of a random matrix, poison above; diagonal_shift is added to the diagonal,
/// whose imaginary part is dropped when real_diagonal.
template <class T>
GuardedMatrix<T> random_lower(index_t n, std::uint64_t seed, double diagonal_shift = 0, bool real_diagonal = false) {
    GuardedMatrix<T> a(n, n);
    RandomValues values(seed);
    for (index_t j = 0; j < n; ++j) {
        for (index_t i = j; i < n; ++i) a(i, j) = values.next<T>();
        if (real_diagonal) a(j, j) = real_part(a(j, j));
        a(j, j) += static_cast<real_t<T>>(diagonal_shift);
    }
    return a;
}

}  // namespace frond::test

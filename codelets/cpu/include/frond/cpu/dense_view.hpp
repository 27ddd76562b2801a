// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"

#include <type_traits>

namespace frond {

/// Column-major block in memory owned by somebody else: entry (i, j) at data[i + j * ld].
template <class T>
struct DenseView {
    T* data = nullptr;
    index_t rows = 0;
    index_t cols = 0;
    index_t ld = 1;

    T& operator()(index_t i, index_t j) const { return data[i + static_cast<count_t>(j) * ld]; }

    T* column(index_t j) const { return data + static_cast<count_t>(j) * ld; }

    DenseView block(index_t i, index_t j, index_t m, index_t n) const {
        return {data + i + static_cast<count_t>(j) * ld, m, n, ld};
    }

    bool empty() const { return rows <= 0 || cols <= 0; }

    DenseView<const T> as_const() const { return {data, rows, cols, ld}; }

    operator DenseView<const T>() const requires(!std::is_const_v<T>) { return as_const(); }
};

}  // namespace frond

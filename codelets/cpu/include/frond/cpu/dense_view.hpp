// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"

namespace frond {

/// Column-major block in memory owned by somebody else: entry (i, j) at data[i + j * ld].
template <class T>
struct DenseView {
    T* data = nullptr;
    index_t rows = 0;
    index_t cols = 0;
    index_t ld = 1;

    T& operator()(index_t i, index_t j) const { return data[i + static_cast<count_t>(j) * ld]; }
    DenseView block(index_t i, index_t j, index_t m, index_t n) const {
        return {data + i + static_cast<count_t>(j) * ld, m, n, ld};
    }
};

}  // namespace frond

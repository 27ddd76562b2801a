// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <vector>

#include "frond/base/host_block.hpp"
#include "frond/cpu/dense_view.hpp"

namespace frond::detail {

/// Right-hand sides that are refined together.
inline constexpr index_t most_together = 64;

/// rows x cols in this memory, column by column.
template <class T>
DenseView<T> columns_view(std::vector<T>& memory, index_t rows, index_t cols) {
    return {memory.data(), rows, cols, std::max<index_t>(rows, 1)};
}

/// Memory for rows x cols numbers, which it does not set. @throws OutOfMemory
template <class T>
HostBlock block_of_columns(index_t rows, index_t cols) {
    return HostBlock(static_cast<count_t>(rows) * cols * static_cast<count_t>(sizeof(T)));
}

template <class T>
DenseView<T> columns_view(const HostBlock& memory, index_t rows, index_t cols) {
    return {static_cast<T*>(memory.data()), rows, cols, std::max<index_t>(rows, 1)};
}

}  // namespace frond::detail

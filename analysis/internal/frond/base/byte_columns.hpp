// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "frond/base/types.hpp"

namespace frond {

/// Columns of bytes in memory, one after the other in a message.
struct ByteColumns {
    std::byte* first = nullptr;
    count_t bytes = 0;  // of a column
    count_t columns = 1;
    count_t stride = 0;  // from one column to the next

    count_t size() const { return bytes * columns; }
    bool is_one_piece() const { return columns == 1 || stride == bytes; }
};

}  // namespace frond

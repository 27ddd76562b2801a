// SPDX-License-Identifier: BSD-3-Clause
#include "memory/tree_room.hpp"

#include <algorithm>

namespace frond::detail {

/// Frond reserves what a tree takes, and counts StarPU's copy of the values there. What is left is for StarPU's chunks of
/// small blocks, for the scratch memory of tasks and for BLAS. The last two are outside of the limit, if there is one.
count_t room_for_tree(const gpu::Device& device) noexcept {
    constexpr count_t chunks = count_t{64} << 20;
    const count_t all = device.memory_bytes, fifth = all / 5;
    const count_t scratch = std::max<count_t>(fifth - device.beside_bytes, 0);
    return all - std::min(fifth, std::max({all / 20, chunks, scratch}));
}

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/parallel_for.hpp"

#include <cstddef>
#include <cstdint>

namespace frond::detail {

/// 64 bits of an array, in order, the same whatever parallel_for does: of pieces of a size that never changes, then of their
/// hashes; one piece is hashed as it is.
std::uint64_t hash_array(const void* data, std::size_t bytes, std::uint64_t seed, const ParallelFor& parallel_for = {});

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
// Address space and pages of the system, of which the heap is made.
#pragma once

#include "frond/base/types.hpp"

#include <cstdint>

namespace frond::detail {

inline constexpr count_t page_bytes = 4096;
inline constexpr count_t huge_page_bytes = count_t{2} << 20;

/// The least multiple of `to` that is not smaller.
constexpr count_t rounded_up(count_t bytes, count_t to) { return (bytes + to - 1) / to * to; }

/// Address space at a multiple of a huge page, which takes memory where it is touched; 0 when the system refuses.
std::uintptr_t map_segment(count_t bytes);

/// AddressSanitizer knows malloc's blocks; these tell it those of the heap. Without it they do nothing.
void allow_access(std::uintptr_t begin, count_t bytes);
void forbid_access(std::uintptr_t begin, count_t bytes);

/// The bytes of these whole, mapped pages that are in memory; 0 where the system does not say.
count_t resident_bytes(std::uintptr_t begin, count_t bytes) noexcept;

/// @throws OutOfMemory
[[noreturn]] void refuse_memory(count_t bytes);

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"

#include <vector>

namespace frond {

/// Throws InvalidArgument naming the position unless `order` is a permutation of 0 .. n-1.
void check_user_order(const std::vector<index_t>& order, index_t n);

/// The given order, in which each vertex whose partner comes later moves to just before that partner.
std::vector<index_t> with_pairs_adjacent(const std::vector<index_t>& order, const std::vector<index_t>& partner);

}  // namespace frond

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"

namespace frond {

/// Diagonal blocks of a triangular tile are inverted in this size on devices: products with them are quick,
/// and blocks this small keep the accuracy of the substitution.
inline constexpr index_t inverse_block = 128;

}  // namespace frond

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "system/dense_parts/dense_parts.hpp"

namespace frond::detail {

/// Every entry of the square is with one rank. @throws InvalidArgument  names one that is with none, or with two, and these
void expect_each_once(const DenseParts& parts);

}  // namespace frond::detail

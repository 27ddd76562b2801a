// SPDX-License-Identifier: BSD-3-Clause
// Numbers as people read them, with their unit.
#pragma once

#include "frond/base/types.hpp"

#include <string>
#include <vector>

namespace frond::cli {

std::string text_of_count(count_t count);  // 1,490,400
/// "0 pivots", "1 pivot", "2 pivots"; `many` where an s does not make the plural.
std::string counted(count_t count, const std::string& one, const std::string& many = {});
std::string text_of_bytes(double bytes);  // 12.3 MiB
std::string text_of_flops(double flops);  // 1.23 Tflop
std::string text_of_rate(double flops_per_s);  // 124 Gflop/s
std::string text_of_seconds(double seconds);  // 340 us, 12.3 ms, 1.31 s, 2 min 05 s
std::string text_of_error(double error);  // 1.2e-16
/// "3, 7, 9 ...": the first 8 rows or columns, counted from 1 as files do.
std::string text_of_indices(const std::vector<index_t>& indices);

}  // namespace frond::cli

// SPDX-License-Identifier: BSD-3-Clause
// Numbers as people read them, with their unit.
#pragma once

#include "frond/base/types.hpp"
#include "terminal/terminal.hpp"

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

/// What the program prints: sections with a heading and its value, and under it labelled values.
///
///   analysis         1.31 s
///     ordering       metis          of amd, metis, scotch
///     fronts         8,137          largest 5,402
class Table {
public:
    void section(std::string heading, std::string value = {}, std::string note = {});
    void row(std::string label, std::string value, std::string note = {});

    std::string text(const Style& style) const;

private:
    struct Line {
        bool is_section;
        std::string label, value, note;
    };

    std::vector<Line> lines_;
};

}  // namespace frond::cli

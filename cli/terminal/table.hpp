// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "terminal/terminal.hpp"

#include <string>
#include <vector>

namespace frond::cli {

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

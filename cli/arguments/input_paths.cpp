// SPDX-License-Identifier: BSD-3-Clause
// Files that the program reads.
#include "input_paths.hpp"

#include <fstream>
#include <sstream>

namespace frond::cli {

std::string read_text(const std::string& file, const std::string& cure) {
    if (file == "-") throw path_error(file, "cannot be read: standard input holds no such file", cure);
    expect_readable(file, cure);
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    if (!in || !text) throw path_error(file, "cannot be read to its end", cure);
    return std::move(text).str();
}

}  // namespace frond::cli

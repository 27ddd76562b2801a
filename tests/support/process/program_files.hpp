// SPDX-License-Identifier: BSD-3-Clause
// Files and texts of the tests of the program.
#pragma once

#include <fstream>
#include <sstream>
#include <string>

namespace frond::test {

/// The path of a file of tests/data.
inline std::string data(const std::string& name) { return std::string(FROND_TEST_DATA) + "/" + name; }

inline std::string content_of(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace frond::test

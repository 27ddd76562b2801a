// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace frond::cli {

/// The lines of a file of a trace, of which messages name the number.
class TraceLines {
public:
    /// @throws InvalidArgument  the file cannot be opened
    explicit TraceLines(const std::string& file);

    /// False behind the last one. @throws RuntimeError  the file cannot be read
    bool next();
    std::string_view line() const { return line_; }
    [[noreturn]] void refuse(std::string_view found, const std::string& wanted) const;

private:
    std::string file_, line_;
    std::vector<char> buffer_;
    std::ifstream stream_;
    std::size_t number_ = 0;
};

}  // namespace frond::cli

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace frond::cli {

/// "  analysing ..." on stderr while it lives, when that is a terminal.
class StatusLine {
public:
    explicit StatusLine(const std::string& text);
    ~StatusLine();
    StatusLine(const StatusLine&) = delete;
    StatusLine& operator=(const StatusLine&) = delete;

private:
    bool drawn_;
};

}  // namespace frond::cli

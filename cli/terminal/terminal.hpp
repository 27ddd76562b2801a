// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace frond::cli {

/// True when a person reads `stream`: a terminal that is not dumb.
bool is_terminal(std::FILE* stream);

/// Columns of the terminal behind `stream`; 80 when unknown.
int terminal_columns(std::FILE* stream);

/// Colours of one stream: escape sequences on a terminal, nothing elsewhere or when NO_COLOR is
/// set.
class Style {
public:
    explicit Style(std::FILE* stream);

    std::string heading(std::string_view text) const { return wrapped("1", text); }

    std::string quiet(std::string_view text) const { return wrapped("2", text); }

    std::string good(std::string_view text) const { return wrapped("1;32", text); }

    std::string warning(std::string_view text) const { return wrapped("1;33", text); }

    std::string bad(std::string_view text) const { return wrapped("1;31", text); }

private:
    std::string wrapped(const char* code, std::string_view text) const;
    bool coloured_;
};

}  // namespace frond::cli

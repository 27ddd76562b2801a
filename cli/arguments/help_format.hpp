// SPDX-License-Identifier: BSD-3-Clause
// How --help looks: names of values in place of types, texts in a column of their own.
#pragma once

#include "frond/option_table.hpp"

#include <CLI/CLI.hpp>

#include <string>

namespace frond::cli {

/// The text with lines of at most `columns` characters, broken at blanks.
std::string wrapped(const std::string& text, std::size_t columns);

/// "N", "NAME", ...: what stands for the value of an option behind its flag.
std::string value_name(const OptionInfo& info);

/// "What it does (an integer >= 0) [default]".
std::string help_text(const OptionInfo& info);

class HelpFormat : public CLI::Formatter {
public:
    HelpFormat();
    /// The name without the "{value}" that a flag has when it is given none.
    std::string make_option_name(const CLI::Option* option, bool is_positional) const override;
    std::string make_option_opts(const CLI::Option* option) const override;
    std::string make_option_desc(const CLI::Option* option) const override;
};

}  // namespace frond::cli

// SPDX-License-Identifier: BSD-3-Clause
#include "help_format.hpp"

#include <algorithm>
#include <sstream>

namespace frond::cli {
namespace {

constexpr std::size_t name_columns = 34;
constexpr std::size_t all_columns = 100;

}  // namespace

std::string wrapped(const std::string& text, std::size_t columns) {
    std::istringstream words(text);
    std::string result;
    std::size_t used = 0;
    for (std::string word; words >> word; used += word.size()) {
        const bool fits = used == 0 || used + 1 + word.size() <= columns;
        if (!result.empty()) result += fits ? ' ' : '\n';
        used = fits ? used + (used > 0) : 0;
        result += word;
    }
    return result;
}

std::string value_name(const OptionInfo& info) {
    if (!info.choices.empty() || info.range.starts_with("a name")) return "NAME";
    if (info.range.starts_with("an integer")) return "N";
    if (info.range.starts_with("a real")) return "X";
    if (info.range.starts_with("bytes")) return "BYTES";
    if (info.range.starts_with("a grid")) return "GRID";
    return "VALUE";
}

std::string help_text(const OptionInfo& info) {
    std::string text = info.text + " (" + info.range + ")" +
                       (info.default_value.empty() ? std::string() : " [" + info.default_value + "]");
    std::erase(text, '`');
    return text;
}

HelpFormat::HelpFormat() { column_width(name_columns); }

std::string HelpFormat::make_option_name(const CLI::Option* option, bool is_positional) const {
    const std::string name = Formatter::make_option_name(option, is_positional);
    return name.substr(0, name.find('{'));
}

std::string HelpFormat::make_option_opts(const CLI::Option* option) const {
    const std::string name = option->get_type_name();
    return name.empty() ? "" : " " + name;
}

std::string HelpFormat::make_option_desc(const CLI::Option* option) const {
    return wrapped(option->get_description(), all_columns - name_columns);
}

}  // namespace frond::cli

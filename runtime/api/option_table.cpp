// SPDX-License-Identifier: BSD-3-Clause
#include "frond/option_table.hpp"

#include "frond/base/error.hpp"
#include "option_row.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace frond {
namespace {

using detail::OptionRow;

std::string mapped(std::string_view text, char from, char to, int (*letter)(int)) {
    std::string result(text);
    for (char& c : result) c = c == from ? to : static_cast<char>(letter(static_cast<unsigned char>(c)));
    return result;
}

[[noreturn]] void fail_unknown_option(std::string_view name) {
    std::vector<std::string> names;
    std::string list;
    for (const OptionRow& row : detail::option_rows()) {
        names.push_back(row.info.name);
        list += (list.empty() ? "" : ", ") + row.info.name;
    }
    std::string message = "there is no option '" + std::string(name) + "'";
    const std::string nearest = nearest_spelling(mapped(name, '-', '_', std::tolower), names);
    if (!nearest.empty()) message += "; did you mean '" + nearest + "'?";
    throw InvalidArgument(message + " The options are: " + list);
}

const OptionRow& row_of(std::string_view name) {
    const std::string field = mapped(name, '-', '_', std::tolower);
    for (const OptionRow& row : detail::option_rows())
        if (row.info.name == field) return row;
    fail_unknown_option(name);
}

}  // namespace

const char* to_string(OptionPhase phase) noexcept {
    switch (phase) {
        case OptionPhase::session:
            return "session";
        case OptionPhase::analysis:
            return "analysis";
        case OptionPhase::factor:
            return "factor";
        case OptionPhase::solve:
            return "solve";
    }
    return "unknown";
}

std::span<const OptionInfo> option_table() {
    static const std::vector<OptionInfo>& table = *new std::vector<OptionInfo>([] {
        std::vector<OptionInfo> infos;
        for (const OptionRow& row : detail::option_rows()) infos.push_back(row.info);
        return infos;
    }());
    return table;
}

void set_option(Options& options, std::string_view name, std::string_view value) { row_of(name).set(options, value); }

std::string get_option(const Options& options, std::string_view name) { return row_of(name).get(options); }

void set_options(Options& options, std::string_view text) {
    constexpr std::string_view separators = " ,\t\n";
    std::size_t begin = text.find_first_not_of(separators);
    while (begin != std::string_view::npos) {
        const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
        const std::string_view item = text.substr(begin, end - begin);
        const std::size_t equals = item.find('=');
        if (equals == std::string_view::npos)
            throw InvalidArgument("'" + std::string(item) + "' is not of the form option=value");
        set_option(options, item.substr(0, equals), item.substr(equals + 1));
        begin = text.find_first_not_of(separators, end);
    }
}

void set_options_from_environment(Options& options) {
    for (const OptionRow& row : detail::option_rows()) {
        const std::string variable = environment_name(row.info.name);
        const char* value = std::getenv(variable.c_str());
        if (!value) continue;
        try {
            row.set(options, value);
        } catch (const InvalidArgument& error) {
            throw InvalidArgument("environment variable " + variable + ": " + error.what());
        }
    }
}

std::string environment_name(std::string_view option) { return "FROND_" + mapped(option, '-', '_', std::toupper); }

std::string flag_name(std::string_view option) { return "--" + mapped(option, '_', '-', std::tolower); }

}  // namespace frond

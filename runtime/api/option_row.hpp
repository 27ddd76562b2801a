// SPDX-License-Identifier: BSD-3-Clause
// One row of the option table: how the field of one option is described, set and shown. Internal.
#pragma once

#include "frond/option_table.hpp"
#include "option_value.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace frond::detail {

struct OptionRow {
    OptionInfo info;
    std::function<void(Options&, std::string_view)> set;
    std::function<std::string(const Options&)> get;
};

/// The rows, session first; option_table() is their `info`.
const std::vector<OptionRow>& option_rows();

// `field` is a generic lambda that returns a reference to the field of Options& or const Options&.

template <class Field>
OptionRow integer_option(OptionPhase phase, const char* name, const char* text, count_t smallest, Field field) {
    using Number = std::remove_reference_t<decltype(field(std::declval<Options&>()))>;
    const std::string range = "an integer >= " + std::to_string(smallest);
    const count_t largest = std::numeric_limits<Number>::max();
    return {{name, text, range, {}, phase, {}, std::is_same_v<Number, count_t> ? "count_t" : "index_t"},
            [=](Options& options, std::string_view value) {
                field(options) = static_cast<Number>(parse_integer(name, value, smallest, largest, range));
            },
            [=](const Options& options) { return std::to_string(field(options)); }};
}

template <class Field>
OptionRow real_option(OptionPhase phase, const char* name, const char* text, double largest, Field field) {
    const std::string range = "a real number in [0, " + text_of_real(largest) + "]";
    return {{name, text, range, {}, phase, {}, "double"},
            [=](Options& options, std::string_view value) {
                field(options) = parse_real(name, value, 0, largest, range);
            },
            [=](const Options& options) { return text_of_real(field(options)); }};
}

template <class Field>
OptionRow switch_option(OptionPhase phase, const char* name, const char* text, Field field) {
    const std::string range = "on or off";
    return {{name, text, range, {}, phase, {}, "bool"},
            [=](Options& options, std::string_view value) { field(options) = parse_switch(name, value, range); },
            [=](const Options& options) { return field(options) ? "on" : "off"; }};
}

template <class Field>
OptionRow bytes_option(OptionPhase phase, const char* name, const char* text, Field field) {
    const std::string range = "bytes >= 0, with K, M, G or T for powers of 1024";
    return {{name, text, range, {}, phase, {}, "count_t"},
            [=](Options& options, std::string_view value) { field(options) = parse_bytes(name, value, range); },
            [=](const Options& options) { return std::to_string(field(options)); }};
}

template <class Field>
OptionRow text_option(OptionPhase phase, const char* name, const char* text, const char* range, Field field) {
    return {{name, text, range, {}, phase, {}, "std::string"},
            [=](Options& options, std::string_view value) { field(options) = value; },
            [=](const Options& options) { return std::string(field(options)); }};
}

template <class Field>
OptionRow enum_option(OptionPhase phase, const char* type, const char* name, const char* text, Field field) {
    using E = std::remove_reference_t<decltype(field(std::declval<Options&>()))>;
    OptionRow row{{name, text, "one of " + enum_list<E>(), {}, phase, {}, type}, {}, {}};
    std::vector<std::string> names;
    for (const EnumName<E>& entry : enum_names<E>()) {
        row.info.choices.push_back({entry.name, entry.text});
        names.emplace_back(entry.name);
    }
    row.set = [=, range = row.info.range](Options& options, std::string_view value) {
        const std::optional<E> found = from_string<E>(value);
        if (!found) fail_option_value(name, value, range, names);
        field(options) = *found;
    };
    row.get = [=](const Options& options) { return std::string(to_string(field(options))); };
    return row;
}

}  // namespace frond::detail

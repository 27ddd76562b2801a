// SPDX-License-Identifier: BSD-3-Clause
// A locale whose numbers have a decimal comma, made up for the test, since systems may have none.
#pragma once

#include "system_folder.hpp"

#include <clocale>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace frond::test {

/// The calling thread's numbers have a comma while it lives. glibc alone reads its file: elsewhere,
/// and where it is refused, is_there() is false.
class CommaLocale {
public:
    CommaLocale() {
        folder_.write("/frond_comma/LC_NUMERIC", numeric_category());
        setenv("LOCPATH", folder_.path().c_str(), 1);
        locale_ = newlocale(LC_NUMERIC_MASK, "frond_comma", nullptr);
        unsetenv("LOCPATH");
        if (is_there()) before_ = uselocale(locale_);
    }
    CommaLocale(const CommaLocale&) = delete;
    CommaLocale& operator=(const CommaLocale&) = delete;
    ~CommaLocale() {
        if (!is_there()) return;
        uselocale(before_);
        freelocale(locale_);
    }

    bool is_there() const { return locale_ != nullptr; }

private:
    /// As `localedef` writes it: a magic number, the number of fields, where each begins, the fields.
    static std::string numeric_category() {
        constexpr std::uint32_t magic = 0x20031115U ^ LC_NUMERIC, fields = 6, header = 4 * (2 + fields);
        std::string text;
        const auto add = [&text](std::uint32_t number) {
            text.append(reinterpret_cast<const char*>(&number), sizeof number);
        };
        add(magic);
        add(fields);
        for (const std::uint32_t begin : {0U, 2U, 3U, 4U, 8U, 12U}) add(header + begin);
        text.append(",", 2);  // decimal point
        text.append("", 1);  // between thousands
        text.append("", 1);  // grouping
        add(',');  // decimal point, wide
        add(0);  // between thousands, wide
        text.append("ANSI_X3.4-1968", 15);
        return text;
    }

    SystemFolder folder_;
    locale_t locale_ = nullptr, before_ = nullptr;
};

}  // namespace frond::test

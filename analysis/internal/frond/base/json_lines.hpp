// SPDX-License-Identifier: BSD-3-Clause
// JSON files whose errors name file and line.
#pragma once

#include "frond/base/types.hpp"

#include <nlohmann/json.hpp>

#include <initializer_list>
#include <string>
#include <string_view>

namespace frond {

/// A file as text, and the values that were looked for in it.
class JsonLines {
public:
    /// @throws InvalidArgument  it is not JSON
    JsonLines(std::string_view text, std::string file);

    const nlohmann::json& root() const noexcept { return root_; }

    /// @throws InvalidArgument  `object` is none, or has another key than these; `what` names it
    void expect_keys(const nlohmann::json& object, const std::string& what,
                     std::initializer_list<std::string_view> known) const;
    /// The value of a key. @throws InvalidArgument  it is missing, of another type, or outside least .. most
    std::string text(const nlohmann::json& object, const std::string& key) const;
    double number(const nlohmann::json& object, const std::string& key, double least, double most) const;
    count_t whole_number(const nlohmann::json& object, const std::string& key, count_t least, count_t most) const;

    /// What is looked at from now on begins where `mark` comes next: for lines in messages.
    void go_on_at(std::string_view mark);
    void go_back() noexcept { begin_ = 0; }  // to the beginning of the file
    /// "FILE line N: reason"; the line is the next one with the key.
    [[noreturn]] void refuse(const std::string& key, const std::string& reason) const;

private:
    const nlohmann::json& value(const nlohmann::json& object, const std::string& key) const;
    std::size_t line_at(std::size_t position) const;

    std::string_view text_;
    std::string file_;
    nlohmann::json root_;
    std::size_t begin_ = 0;  // of what is looked at
};

}  // namespace frond

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace frond::cli {

/// Arrays of numbers on their way into a page: byte 0 of all numbers of an array, then byte 1 of all, ... so that they
/// compress well; all arrays one behind the other, compressed by gzip, as text in base64. page/read_columns.js reads
/// them.
class PackedColumns {
public:
    void add(const std::string& name, const std::vector<std::uint8_t>& numbers);
    void add(const std::string& name, const std::vector<float>& numbers);
    /// Adds numbers as they are.
    void add(const std::string& name, const std::vector<std::uint32_t>& numbers);
    /// Adds differences from the number before, d >= 0 as 2 d and others as -2 d - 1.
    void add_differences(const std::string& name, const std::vector<std::uint32_t>& numbers);

    /// name -> {type, coding, count, offset} of the arrays in the text.
    const nlohmann::json& index() const { return index_; }
    /// @throws RuntimeError  zlib refused
    std::string text() const;

private:
    void append(const std::string& name, const std::string& type, const std::string& coding, const void* numbers,
                std::size_t count, std::size_t size);

    nlohmann::json index_ = nlohmann::json::object();
    std::vector<std::uint8_t> bytes_;
};

}  // namespace frond::cli

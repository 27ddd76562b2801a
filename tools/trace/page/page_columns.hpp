// SPDX-License-Identifier: BSD-3-Clause
// The arrays of a page. Times are whole numbers of units; unit = end of the trace / 2^31.
#pragma once

#include "trace/analyze/trace_facts.hpp"

#include <cstdint>
#include <nlohmann/json.hpp>
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

/// Columns "task.*", worker by worker and by begin; `facts` gets the texts of names, where each worker's tasks begin,
/// and how many were left out.
/// Returns for each task of the trace its place in the columns; -1: left out.
std::vector<int> add_tasks(PackedColumns& columns, nlohmann::json& facts, const Trace& trace, const TraceFacts& of,
                           std::size_t most_tasks);

/// Columns "span.*", "transfer.*" and "node.*": the longest; `facts` gets how many were left out of each.
void add_spans(PackedColumns& columns, nlohmann::json& facts, const Trace& trace, double end);

/// Columns "curve.*" and "level.*", after the tasks.
void add_curves(PackedColumns& columns, nlohmann::json& facts, const Trace& trace, const TraceFacts& of);

/// The unit of times in columns.
double time_unit(double end);
std::uint32_t in_units(double seconds, double unit);

}  // namespace frond::cli

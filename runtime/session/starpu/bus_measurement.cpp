// SPDX-License-Identifier: BSD-3-Clause
#include "session/starpu/bus_measurement.hpp"

#include "frond/base/regular_file.hpp"
#include "session/starpu/scoped_environment.hpp"

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace frond::detail {
namespace {

constexpr std::array<const char*, 4> kinds{"affinity", "latency", "bandwidth", "config"};

std::string name_of(const BusMeasurement& m, const std::string& kind) { return m.folder + "/" + m.host + "." + kind; }

std::optional<std::string> content_of(const std::string& name) {
    std::string text;
    return why_not_read(name, text).empty() ? std::optional<std::string>(std::move(text)) : std::nullopt;
}

template <class Number>
using Table = std::vector<std::vector<Number>>;

/// The numbers of each line, up to its comment; lines of comments alone are left out. Empty:
/// something is no number, or the last line does not end.
template <class Number>
std::optional<Table<Number>> table_of(const std::string& text) {
    if (text.empty() || text.back() != '\n') return std::nullopt;
    Table<Number> table;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line.substr(0, line.find('#')));
        std::vector<Number> row;
        for (std::string word; words >> word;) {
            Number number{};
            const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
            if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
            row.push_back(number);
        }
        if (!row.empty()) table.push_back(std::move(row));
    }
    return table;
}

/// Processors, NUMA nodes, and devices of each kind.
struct Counts {
    std::size_t nodes = 0;
    std::vector<std::size_t> devices;
};

std::optional<Counts> counts_of(const std::string& text) {
    const auto table = table_of<std::uint32_t>(text);
    if (!table || table->size() < 2) return std::nullopt;
    Counts counts;
    for (std::size_t line = 0; line < table->size(); ++line) {
        if ((*table)[line].size() != 1) return std::nullopt;
        if (line == 1) counts.nodes = (*table)[line][0];
        if (line > 1) counts.devices.push_back((*table)[line][0]);
    }
    return counts;
}

/// True: the text has for each device, one at least, its number among those of its kind, and the NUMA nodes in the
/// order of their distance.
bool is_affinity(const std::string& text, const Counts& counts) {
    const auto table = table_of<std::uint32_t>(text);
    if (!table || !text.starts_with("# GPU\tNUMA0")) return false;
    std::size_t line = 0;
    for (const std::size_t devices : counts.devices)
        for (std::size_t device = 0; device < devices; ++device, ++line)
            if (line >= table->size() || (*table)[line].size() != counts.nodes + 1 || (*table)[line][0] != device)
                return false;
    return line > 0 && line == table->size();
}

bool is_matrix(const std::string& text) {
    const auto table = table_of<double>(text);
    if (!table || table->empty()) return false;
    for (const auto& row : *table)
        if (row.size() != table->size()) return false;
    return true;
}

bool write_whole(const std::string& name, const std::string& text) {
    const std::string unfinished = name + "." + std::to_string(getpid());
    std::ofstream file(unfinished, std::ios::binary);
    file << text;
    file.close();
    std::error_code error;
    if (file) std::filesystem::rename(unfinished, name, error);
    if (file && !error) return true;
    std::filesystem::remove(unfinished, error);
    return false;
}

/// StarPU's: up to the first dot, 64 characters.
std::string host_name() {
    if (const auto given = environment_value("STARPU_HOSTNAME"); given && !given->empty()) return given->substr(0, 63);
    std::array<char, 65> name{};
    if (gethostname(name.data(), name.size() - 1) != 0) return {};
    const std::string whole(name.data());
    return whole.substr(0, whole.find('.')).substr(0, 63);
}

}  // namespace

BusMeasurement kept_measurement() {
    const std::string host = host_name();
    if (const auto folder = environment_value("STARPU_PERF_MODEL_DIR"); folder && !folder->empty())
        return {*folder + "/bus", host};
    for (const char* home : {"XDG_CACHE_HOME", "STARPU_HOME", "HOME"})
        if (const auto folder = environment_value(home); folder && !folder->empty())
            return {*folder + "/.starpu/sampling/bus", host};
    return {"", host};
}

bool is_whole(const BusMeasurement& measurement) {
    const auto text = [&](const char* kind) { return content_of(name_of(measurement, kind)).value_or(""); };
    const std::optional<Counts> counts = counts_of(text("config"));
    return counts && is_affinity(text("affinity"), *counts) && is_matrix(text("latency")) &&
           is_matrix(text("bandwidth"));
}

bool copy_measurement(const BusMeasurement& from, const BusMeasurement& to) {
    if (from.folder.empty() || from.host.empty() || to.folder.empty() || to.host.empty() || !is_whole(from))
        return false;
    std::error_code error;
    std::filesystem::create_directories(to.folder, error);
    // The counts last: StarPU looks for them to see whether there is a measurement.
    for (const char* const kind : kinds) {
        const std::optional<std::string> text = content_of(name_of(from, kind));
        if (!text) return false;
        if (content_of(name_of(to, kind)) != text && !write_whole(name_of(to, kind), *text)) return false;
    }
    return true;
}

}  // namespace frond::detail

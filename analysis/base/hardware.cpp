// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/hardware.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <exception>
#include <fstream>
#include <sched.h>

namespace frond {
namespace {

namespace fs = std::filesystem;

// Value of the first line "key : value" or "key value"; empty when there is none.
std::string value_of(const fs::path& file, const std::string& key) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        if (line.compare(0, key.size(), key) != 0) continue;
        const std::size_t begin = line.find_first_not_of(" \t:", key.size());
        if (begin == std::string::npos) return {};
        return line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin);
    }
    return {};
}

std::vector<fs::path> entries_of(const fs::path& folder) {
    std::vector<fs::path> entries;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
        entries.push_back(it->path());
    std::sort(entries.begin(), entries.end());
    return entries;
}

bool is_nvidia_device(const fs::path& path) {
    const std::string name = path.filename().string();
    return name.size() > 6 && name.compare(0, 6, "nvidia") == 0 &&
           std::all_of(name.begin() + 6, name.end(), [](unsigned char c) { return std::isdigit(c); });
}

void add_nvidia(const fs::path& root, std::vector<Gpu>& gpus) {
    const std::size_t before = gpus.size();
    const auto next = [&] { return static_cast<index_t>(gpus.size() - before); };
    for (const fs::path& gpu : entries_of(root / "proc/driver/nvidia/gpus")) {
        const std::string model = value_of(gpu / "information", "Model");
        gpus.push_back({"NVIDIA", model.empty() ? "model unknown" : model, next()});
    }
    if (gpus.size() > before) return;
    for (const fs::path& device : entries_of(root / "dev"))
        if (is_nvidia_device(device)) gpus.push_back({"NVIDIA", device.filename().string(), next()});
}

// Nodes of the topology are processors too; those have no compute units (simd_count 0).
void add_amd(const fs::path& root, std::vector<Gpu>& gpus) {
    const std::size_t before = gpus.size();
    for (const fs::path& node : entries_of(root / "sys/class/kfd/kfd/topology/nodes")) {
        const std::string units = value_of(node / "properties", "simd_count");
        if (units.empty() || units == "0") continue;
        std::ifstream in(node / "name");
        std::string name;
        std::getline(in, name);
        gpus.push_back({"AMD", name.empty() ? "model unknown" : name, static_cast<index_t>(gpus.size() - before)});
    }
}

}  // namespace

std::string processor_name(const fs::path& root) {
    std::string name = value_of(root / "proc/cpuinfo", "model name");
    return name.empty() ? "unknown" : name;
}

std::vector<Gpu> find_gpus(const fs::path& root) {
    std::vector<Gpu> gpus;
    add_nvidia(root, gpus);
    add_amd(root, gpus);
    return gpus;
}

namespace {

/// Threads beyond a quota are stopped together for the rest of each period, in the middle of their
/// tasks; threads below it leave time unused. The nearest number keeps both below half a core.
index_t within_quota(index_t cores, double quota) {
    return quota < cores ? std::max(static_cast<index_t>(std::lround(quota)), 1) : cores;
}

}  // namespace

index_t usable_cores(const std::string& system_folder) noexcept {
    cpu_set_t set;
    CPU_ZERO(&set);
    const index_t cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
    try {
        return within_quota(cores, control_group_cores(system_folder));
    } catch (const std::exception&) {  // no memory to read the files with
        return cores;
    }
}

}  // namespace frond

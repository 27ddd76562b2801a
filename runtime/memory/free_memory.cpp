// SPDX-License-Identifier: BSD-3-Clause
#include "memory/free_memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <string>

#include "frond/base/hardware.hpp"
#include "frond/base/host_heap.hpp"

namespace frond::detail {
namespace {

/// MemAvailable: page cache that can be reclaimed counts as free.
count_t machine_free_bytes(const std::string& system_folder) {
    std::ifstream file(system_folder + "/proc/meminfo");
    std::string key, rest;
    count_t kib = 0;
    while (file >> key >> kib) {
        std::getline(file, rest);
        if (key == "MemAvailable:") return kib * 1024;
    }
    return static_cast<count_t>(sysconf(_SC_AVPHYS_PAGES)) * static_cast<count_t>(sysconf(_SC_PAGESIZE));
}

std::atomic<count_t> questions{0};

}  // namespace

count_t free_memory_questions() noexcept { return questions; }

count_t free_memory_bytes(const std::string& system_folder) {
    ++questions;
    const count_t of_system = std::min(machine_free_bytes(system_folder), control_group_free_bytes(system_folder));
    return of_system + host_heap().reusable_bytes();
}

}  // namespace frond::detail

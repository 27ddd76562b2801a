// SPDX-License-Identifier: BSD-3-Clause
#include "memory/free_memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace frond::detail {
namespace {

count_t available_bytes() {
    std::ifstream file("/proc/meminfo");
    std::string key, rest;
    count_t kib = 0;
    while (file >> key >> kib) {
        std::getline(file, rest);
        if (key == "MemAvailable:") return kib * 1024;
    }
    return static_cast<count_t>(sysconf(_SC_AVPHYS_PAGES)) * static_cast<count_t>(sysconf(_SC_PAGESIZE));
}

/// Room below the cgroup's limit; a huge number without one ("max" is no number).
count_t cgroup_room_bytes() {
    count_t limit = 0, used = 0;
    std::ifstream max_file("/sys/fs/cgroup/memory.max"), used_file("/sys/fs/cgroup/memory.current");
    if (!(max_file >> limit) || !(used_file >> used)) return std::numeric_limits<count_t>::max();
    return std::max<count_t>(limit - used, 0);
}

}  // namespace

count_t free_memory_bytes() { return std::min(available_bytes(), cgroup_room_bytes()); }

}  // namespace frond::detail

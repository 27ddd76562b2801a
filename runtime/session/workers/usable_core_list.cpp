// SPDX-License-Identifier: BSD-3-Clause
#include "session/workers/usable_core_list.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <sched.h>
#include <tuple>
#include <unistd.h>

namespace frond::detail {
namespace {

/// The first number of a file such as "3,19" or "0-1"; `otherwise` where there is none.
int first_number(const std::string& name, int otherwise) {
    std::ifstream file(name);
    int number = 0;
    return file >> number ? number : otherwise;
}

struct Core {
    int package_first = 0, processor = 0;
    index_t threads = 0;
};

}  // namespace

UsableCores usable_core_list(const std::string& system_folder) {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0) return {};
    UsableCores usable;
    std::map<int, Core> cores;  // by the first processor of the whole core, also where that is not for us
    for (int p = 0; p < CPU_SETSIZE; ++p) {
        if (!CPU_ISSET(p, &set)) continue;
        usable.hardware_threads.push_back(p);
        const std::string topology = system_folder + "/sys/devices/system/cpu/cpu" + std::to_string(p) + "/topology/";
        const int first = first_number(topology + "thread_siblings_list", p);
        Core& core =
            cores.try_emplace(first, Core{first_number(topology + "core_siblings_list", 0), p, 0}).first->second;
        ++core.threads;
    }
    std::vector<Core> list;
    for (const auto& [first, core] : cores) {
        list.push_back(core);
        usable.threads = std::max(usable.threads, core.threads);
    }
    std::sort(list.begin(), list.end(), [](const Core& a, const Core& b) {
        return std::tie(a.package_first, a.processor) < std::tie(b.package_first, b.processor);
    });
    for (const Core& core : list) usable.processors.push_back(core.processor);
    usable.are_part = CPU_COUNT(&set) < sysconf(_SC_NPROCESSORS_ONLN);
    return usable;
}

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#include "session/workers/running_threads.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>

namespace frond::detail {
namespace {

/// The time of one processor, since the machine started.
struct Ticks {
    count_t busy = 0, idle = 0;
};

/// Lines "cpu3 user nice system idle iowait irq softirq steal ...", for each processor that is
/// online. What another virtual machine stole is in neither sum: nobody here can say who waited.
std::map<int, Ticks> ticks_of_processors(const std::string& system_folder) {
    std::map<int, Ticks> all;
    std::ifstream file(system_folder + "/proc/stat");
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string name;
        std::array<count_t, 7> t{};
        words >> name;
        if (name.size() < 4 || !name.starts_with("cpu")) continue;
        for (count_t& ticks : t) words >> ticks;
        if (!words) continue;
        all[std::atoi(name.c_str() + 3)] = {t[0] + t[1] + t[2] + t[5] + t[6], t[3] + t[4]};
    }
    return all;
}

}  // namespace

index_t running_threads_of_machine(const std::string& system_folder) {
    std::ifstream file(system_folder + "/proc/loadavg");
    double average = 0;
    index_t running = 0;  // the calling thread is one of them
    return file >> average >> average >> average >> running ? std::max(running - 1, 0) : 0;
}

index_t busy_processors(const std::vector<int>& processors, const std::function<void()>& wait,
                        const std::string& system_folder) {
    std::map<int, Ticks> before = ticks_of_processors(system_folder);
    wait();
    std::map<int, Ticks> after = ticks_of_processors(system_folder);
    return static_cast<index_t>(std::count_if(processors.begin(), processors.end(), [&](int processor) {
        if (!before.contains(processor) || !after.contains(processor)) return false;
        const count_t busy = after[processor].busy - before[processor].busy;
        const count_t idle = after[processor].idle - before[processor].idle;
        return busy > 0 && busy >= idle;
    }));
}

index_t others_on(const UsableCores& cores) {
    const index_t others = running_threads_of_machine();
    if (others == 0 || !cores.are_part) return others;
    // Where /proc/loadavg counts threads elsewhere on the machine, this takes the time of five ticks.
    return busy_processors(cores.hardware_threads, [] { std::this_thread::sleep_for(std::chrono::milliseconds(50)); });
}

}  // namespace frond::detail

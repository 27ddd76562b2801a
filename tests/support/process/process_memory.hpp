// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <string>
#include <thread>

namespace frond::test {

/// What the process has of the machine's memory now.
inline count_t process_bytes() {
    std::ifstream file("/proc/self/status");
    std::string key, rest;
    count_t kib = 0;
    while (file >> key) {
        if (key == "VmRSS:" && file >> kib) return kib * 1024;
        std::getline(file, rest);
    }
    return 0;
}

/// How far the process grows from here on, looked at every millisecond.
class GrowthOfProcess {
public:
    GrowthOfProcess() : before_(process_bytes()), watcher_([this] { watch(); }) {}

    GrowthOfProcess(const GrowthOfProcess&) = delete;
    GrowthOfProcess& operator=(const GrowthOfProcess&) = delete;

    ~GrowthOfProcess() { end(); }

    /// The end of the watch.
    count_t end() {
        ended_ = true;
        if (watcher_.joinable()) watcher_.join();
        return most_ - before_;
    }

private:
    void watch() {
        while (!ended_) {
            most_ = std::max(most_, process_bytes());
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }

    count_t before_, most_ = 0;
    std::atomic<bool> ended_{false};
    std::thread watcher_;  // after what it uses
};

}  // namespace frond::test

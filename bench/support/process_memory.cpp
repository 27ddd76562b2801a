// SPDX-License-Identifier: BSD-3-Clause
#include "process_memory.hpp"

#include <fstream>
#include <stdexcept>
#include <string>

namespace frond::bench {
namespace {

constexpr const char* status_file = "/proc/self/status";

/// A line of the status file such as "VmRSS:  1234 kB", in bytes.
double status_bytes(const std::string& key) {
    std::ifstream file(status_file);
    std::string word;
    double kibibytes = 0;
    while (file >> word)
        if (word == key + ":" && file >> kibibytes) return 1024 * kibibytes;
    throw std::runtime_error(std::string(status_file) + " has no " + key);
}

}  // namespace

double resident_bytes() { return status_bytes("VmRSS"); }

double peak_resident_bytes() { return status_bytes("VmHWM"); }

void restart_peak() {
    std::ofstream file("/proc/self/clear_refs");
    file << "5" << std::flush;
    if (!file) throw std::runtime_error("/proc/self/clear_refs cannot be written");
}

}  // namespace frond::bench

// SPDX-License-Identifier: BSD-3-Clause
#include "run_facts.hpp"

#include <array>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <unistd.h>

#if FROND_KNOWS_COMMIT
#include "commit.hpp"  // written by cli/cmake/write_commit.cmake at every build
#else
#define FROND_COMMIT "unknown"
#endif

namespace frond::bench {
namespace {

std::string processor() {
    std::ifstream in("/proc/cpuinfo");
    for (std::string line; std::getline(in, line);)
        if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
    return "unknown";
}

std::string date() {
    const std::time_t now = std::time(nullptr);
    std::array<char, 32> text{};
    std::tm parts{};
    if (gmtime_r(&now, &parts) == nullptr) return "unknown";
    std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%MZ", &parts);
    return text.data();
}

}  // namespace

nlohmann::json run_facts() {
    const char* const core_type = std::getenv("OPENBLAS_CORETYPE");
    return {{"commit", FROND_COMMIT},
            {"date", date()},
            {"processor", processor()},
            {"cores", sysconf(_SC_NPROCESSORS_ONLN)},
            {"openblas_coretype", core_type != nullptr ? core_type : ""}};
}

}  // namespace frond::bench

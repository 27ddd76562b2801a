// SPDX-License-Identifier: BSD-3-Clause
#include "topology.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fstream>
#include <sstream>
#include <string>

namespace frond::cli {
namespace {

namespace fs = std::filesystem;

/// "4" or "4-7"; 0: it is neither.
index_t numbers_in_range(const std::string& text) {
    const std::size_t hyphen = text.find('-');
    const auto number = [](const std::string& digits) {
        index_t value = -1;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        return error == std::errc() && end == digits.data() + digits.size() ? value : -1;
    };
    const index_t first = number(text.substr(0, hyphen));
    const index_t last = hyphen == std::string::npos ? first : number(text.substr(hyphen + 1));
    return first >= 0 && last >= first ? last - first + 1 : 0;
}

/// 4 in "0-1,8-9"; 0: it is no list of the system.
index_t numbers_in(const std::string& list) {
    index_t numbers = 0;
    std::istringstream parts(list);
    for (std::string part; std::getline(parts, part, ',');) {
        const index_t here = numbers_in_range(part);
        if (here == 0) return 0;
        numbers += here;
    }
    return numbers;
}

bool is_node(const fs::path& path) {
    const std::string name = path.filename().string();
    return name.starts_with("node") && name.size() > 4 &&
           std::all_of(name.begin() + 4, name.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

}  // namespace

Topology read_topology(const fs::path& root) {
    Topology topology;
    std::string siblings;
    std::ifstream file(root / "sys/devices/system/cpu/cpu0/topology/thread_siblings_list");
    if (file >> siblings) topology.threads_per_core = std::max<index_t>(1, numbers_in(siblings));
    std::error_code error;
    index_t nodes = 0;
    for (fs::directory_iterator it(root / "sys/devices/system/node", error), end; !error && it != end;
         it.increment(error))
        nodes += is_node(it->path()) ? 1 : 0;
    topology.numa_nodes = std::max<index_t>(1, nodes);
    return topology;
}

}  // namespace frond::cli

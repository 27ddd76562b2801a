// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"

#include <filesystem>

namespace frond::cli {

/// How the processors of a machine lie together; 1 where the system does not say.
struct Topology {
    index_t threads_per_core = 1;  // hardware threads of the first core
    index_t numa_nodes = 1;  // parts of the memory, each near some cores
};

/// root: "/" (tests give a folder of their own).
Topology read_topology(const std::filesystem::path& root = "/");

}  // namespace frond::cli

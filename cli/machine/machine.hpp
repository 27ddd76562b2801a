// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/hardware.hpp"

#include <filesystem>
#include <string>

namespace frond::cli {

struct Processor {
    std::string name;  // "AMD EPYC 9755"
    int cores = 0;  // that this process may use
    bool has_avx512 = false;
};

/// root: "/" (tests give a folder of their own).
Processor read_processor(const std::filesystem::path& root = "/");

}  // namespace frond::cli

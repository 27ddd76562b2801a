// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/analysis/options.hpp"
#include "frond/codelets/rates.hpp"

#include <string_view>

namespace frond::detail {

/// So many cores, with kernels of this instruction set (instruction_set()), and so many devices, at these rates.
/// In sessions with cards rates are measured; without cards a core's is the shipped one by the width of its vectors, which
/// is the same in every run.
MachineDescription describe_machine(index_t cores, index_t devices, const Rates& rates, std::string_view kernels);

}  // namespace frond::detail

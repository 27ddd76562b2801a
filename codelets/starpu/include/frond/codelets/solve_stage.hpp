// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace frond {

/// L, D and L^T of a substitution; L and U have no diagonal stage.
enum class SolveStage : std::uint8_t { forward, diagonal, backward };

constexpr const char* text_of(SolveStage stage) {
    return stage == SolveStage::forward ? "forward" : stage == SolveStage::diagonal ? "diagonal" : "backward";
}

}  // namespace frond

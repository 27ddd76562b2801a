// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "frond/analysis/analysis.hpp"

namespace frond {

/// What save_analysis would write, without its checksum, for another process. @throws std::bad_alloc
std::vector<std::byte> packed_analysis(const Analysis& analysis);

/// What it holds is not checked, as that of a file is: it comes from this program.
/// @throws std::bad_alloc; InvalidArgument, where the bytes are not those of packed_analysis of this version
std::shared_ptr<const Analysis> unpacked_analysis(const std::vector<std::byte>& bytes);

}  // namespace frond

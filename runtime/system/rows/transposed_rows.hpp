// SPDX-License-Identifier: BSD-3-Clause
// A^T in the row blocks of A.
#pragma once

#include <memory>
#include <vector>

#include "frond/base/large_vector.hpp"
#include "ranks/communicator.hpp"
#include "system/rows/block_pattern.hpp"

namespace frond::detail {

/// Whole rows of a matrix: value [entries of the pattern].
template <class T>
struct BlockRows {
    std::shared_ptr<const BlockPattern> pattern;
    std::shared_ptr<const LargeVector<T>> value;
};

/// The rows of A^T with the cuts of A: each entry goes once to the rank that has the row of its column. Not conjugated.
/// Each rank gets those of its own block. O(entries log ranks) and one message to each rank that gets entries. Collective.
template <class T>
BlockRows<T> transposed_rows(Communicator& ranks, const BlockPattern& pattern, const LargeVector<T>& value);
/// The transposed pattern, without values.
std::shared_ptr<const BlockPattern> transposed_pattern(Communicator& ranks, const BlockPattern& pattern);

}  // namespace frond::detail

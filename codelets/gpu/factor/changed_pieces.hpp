// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>
#include <vector>

#include "factor/saved_blocks.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::gpu {

/// What failed pivots change in a tree of pieces, as far as failures are known.
class ChangedPieces {
public:
    /// blocks: between pieces, in the order of the pieces that make them, each made before it is used. has_failed: [pieces].
    ChangedPieces(const std::vector<SavedBlock>& blocks, std::vector<char> has_failed)
        : fails_below_(std::move(has_failed)), is_below_(fails_below_) {
        for (const SavedBlock& block : blocks) fails_below_[at(block.used)] |= fails_below_[at(block.made)];
        for (auto block = blocks.rbegin(); block != blocks.rend(); ++block)
            is_below_[at(block->made)] |= is_below_[at(block->used)];
    }

    /// The piece that makes it need not be factored again, that which uses it will be, or may be: rows of pieces below a
    /// failure get another order.
    bool need(const SavedBlock& block) const {
        return fails_below_[at(block.made)] == 0 && (fails_below_[at(block.used)] | is_below_[at(block.used)]) != 0;
    }

private:
    std::vector<char> fails_below_, is_below_;  // [pieces] a failure counts in its own piece, too
};

}  // namespace frond::gpu

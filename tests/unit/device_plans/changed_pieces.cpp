// SPDX-License-Identifier: BSD-3-Clause
// Which blocks between pieces are copied before they are lost: those that a failure makes needed again, against all paths
// of a tree.
#include "factor/changed_pieces.hpp"

#include <doctest/doctest.h>

#include <random>
#include <vector>

using namespace frond;

namespace {

using gpu::ChangedPieces;
using gpu::SavedBlock;

SavedBlock block_between(index_t made, index_t used) {
    SavedBlock block;
    block.front = block.made = made;
    block.used = used;
    return block;
}

/// Whether a is b, or below it.
bool is_below(const std::vector<index_t>& parent, index_t a, index_t b) {
    while (a >= 0 && a != b) a = parent[static_cast<std::size_t>(a)];
    return a == b;
}

}  // namespace

TEST_CASE("blocks are needed of pieces that stay, by pieces above or below one that failed") {
    // 0 and 1 below 2; 2 and 3 below 4
    const std::vector<SavedBlock> blocks{block_between(0, 2), block_between(1, 2), block_between(2, 4),
                                         block_between(3, 4)};
    const auto needed = [&](std::vector<char> failed) {
        const ChangedPieces changed(blocks, std::move(failed));
        std::vector<bool> all;
        for (const SavedBlock& block : blocks) all.push_back(changed.need(block));
        return all;
    };
    CHECK(needed({0, 0, 0, 0, 0}) == std::vector<bool>{false, false, false, false});
    CHECK(needed({0, 1, 0, 0, 0}) == std::vector<bool>{true, false, false, true});
    CHECK(needed({0, 0, 0, 0, 1}) == std::vector<bool>{true, true, true, true});
    CHECK(needed({1, 1, 0, 0, 0}) == std::vector<bool>{false, false, false, true});
    CHECK(needed({0, 0, 0, 1, 0}) == std::vector<bool>{false, false, true, false});
}

TEST_CASE("the same by all paths, in trees of pieces by chance") {
    std::mt19937 random(7);
    for (int trial = 0; trial < 200; ++trial) {
        const index_t pieces = 2 + static_cast<index_t>(random() % 20);
        std::vector<index_t> parent(static_cast<std::size_t>(pieces), -1);
        std::vector<SavedBlock> blocks;
        for (index_t p = 0; p + 1 < pieces; ++p) {
            parent[static_cast<std::size_t>(p)] =
                p + 1 + static_cast<index_t>(random() % static_cast<unsigned>(pieces - p - 1));
            blocks.push_back(block_between(p, parent[static_cast<std::size_t>(p)]));
        }
        std::vector<char> failed;
        for (index_t p = 0; p < pieces; ++p) failed.push_back(random() % 6 == 0 ? 1 : 0);
        const ChangedPieces changed(blocks, failed);
        for (const SavedBlock& block : blocks) {
            bool made_again = false, used_again = false;
            for (index_t p = 0; p < pieces; ++p) {
                if (failed[static_cast<std::size_t>(p)] == 0) continue;
                made_again |= is_below(parent, p, block.made);
                used_again |= is_below(parent, p, block.used) || is_below(parent, block.used, p);
            }
            REQUIRE(changed.need(block) == (!made_again && used_again));
        }
    }
}

// SPDX-License-Identifier: BSD-3-Clause
// A factorization without arithmetic: all messages of a plan, each with contents that only its sender can know, between
// tasks that are ordered as those of a factorization would be. What arrives is compared byte by byte.
#pragma once

#include "messages/drain.hpp"
#include "rank_trees.hpp"
#include "ranks.hpp"

#include <deque>
#include <map>
#include <random>

namespace frond::test {

/// An object of given size when packed (>= 64).
struct SizedBlock {
    std::vector<unsigned char> bytes;
};

struct PlanRun {
    index_t stopping_rank = -1;  // -1: none stops
    index_t stops_at = -1;  // unit: submits those before
    std::uint64_t delays = 0;  // seed of random pauses before messages; 0: none
    std::int64_t solver = 3, call = 0;
};

struct PlanResult {
    detail::MessageCounts counts;
    count_t wrong_messages = 0;
    bool failed = false;
};

/// Collective. Everything of the run has ended on this rank when it returns.
PlanResult run_plan(Door& door, const CostedTree& tree, const RankMapping& mapping, const PlanRun& run);

}  // namespace frond::test

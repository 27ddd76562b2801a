// SPDX-License-Identifier: BSD-3-Clause
// Suites of test cases that show nothing on one rank, on too few, or by another plug-in (support/requirement.hpp). All ranks
// find the same of them.
#pragma once

#include "ranks/load_plugin.hpp"
#include "requirement.hpp"
#include "some_ranks.hpp"

namespace frond::test {

inline constexpr const char* needs_several_ranks = "several ranks";
inline constexpr const char* needs_four_ranks = "four ranks";
inline constexpr const char* needs_ptscotch = "PT-Scotch";
inline constexpr const char* needs_no_ptscotch = "a plug-in without PT-Scotch";
inline constexpr const char* needs_distribution = "PT-Scotch and several ranks";

inline bool has_ptscotch() {
    const SomeRanks all(world_size());
    return detail::mpi_plugin().duplicate(all.communicator())->orders_graphs();
}

inline const bool suites_of_ranks_are_known =
    require_for_suite(needs_several_ranks, [] { return world_size() > 1; }) &&
    require_for_suite(needs_four_ranks, [] { return world_size() >= 4; }) &&
    require_for_suite(needs_ptscotch, has_ptscotch) &&
    require_for_suite(needs_no_ptscotch, [] { return !has_ptscotch(); }) &&
    require_for_suite(needs_distribution, [] { return world_size() > 1 && has_ptscotch(); });

}  // namespace frond::test

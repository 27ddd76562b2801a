// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "frond/analysis/rank_mapping.hpp"

namespace frond::detail {

/// What a task of a panel is for; among tasks of the same priority the last one comes first.
enum class PanelRole { update = 0, next_panel = 1, solve = 2, pivots = 3 };

/// So many panels of a front are begun before all updates by earlier ones are done. Ranks of a shared front keep tiles of
/// as many, so that more would wait.
constexpr index_t panels_ahead = received_panels;

/// The panel among whose updates a task of panel k stands. What the next panels wait for goes before the other updates of the
/// panels before it: else a card, which has one task at a time, does all of these first, and what it would send then comes to
/// the other ranks of the front when they have nothing left to do.
constexpr index_t place_of_panel(index_t k, PanelRole role) {
    return role == PanelRole::update ? k : std::max<index_t>(0, k - panels_ahead);
}

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
// The order of priorities of the tasks of one front: what is done less of the front comes first, then the role.
#include "submit/fronts/look_ahead.hpp"

#include <doctest/doctest.h>

#include <utility>

using namespace frond;
using namespace frond::detail;

namespace {

/// Less comes first.
std::pair<index_t, int> order_of(index_t panel, PanelRole role) {
    return {place_of_panel(panel, role), -static_cast<int>(role)};
}

}  // namespace

TEST_CASE("what the next panel waits for goes before the updates of two panels before it") {
    for (index_t k = 0; k < 40; ++k) {
        CAPTURE(k);
        CHECK(order_of(k + 1, PanelRole::pivots) < order_of(k, PanelRole::update));
        CHECK(order_of(k + 1, PanelRole::solve) < order_of(k, PanelRole::update));
        CHECK(order_of(k + 2, PanelRole::next_panel) < order_of(k, PanelRole::update));
        CHECK(order_of(k, PanelRole::update) < order_of(k + 3, PanelRole::pivots));
    }
}

TEST_CASE("panels and the steps of a panel keep their order") {
    const PanelRole roles[] = {PanelRole::pivots, PanelRole::solve, PanelRole::next_panel, PanelRole::update};
    for (index_t k = 0; k < 40; ++k)
        for (std::size_t r = 0; r < 4; ++r) {
            CAPTURE(k);
            CHECK(order_of(k, roles[r]) <= order_of(k + 1, roles[r]));
            if (r > 0) CHECK(order_of(k, roles[r - 1]) < order_of(k, roles[r]));
        }
}

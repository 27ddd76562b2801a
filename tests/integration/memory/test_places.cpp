// SPDX-License-Identifier: BSD-3-Clause
// Where a solve on a device finds factors that tasks made.
#include "factors/factors_state.hpp"
#include "factors/held_factors.hpp"
#include "factors/state_of.hpp"
#include "forced_mapping.hpp"
#include "frond/analysis/front_panels.hpp"
#include "hard_systems.hpp"
#include "random_sparse.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

#if FROND_SCALAR_D
TEST_CASE("factors held in the host's memory") {
    SystemBuilder<double> system(60, Symmetry::general);
    for (index_t i = 0; i < 60; ++i) {
        system.set(i, i, 8);
        for (const index_t j : {i - 8, i - 1, i + 1, i + 8})
            if (j >= 0 && j < 60) system.set(i, j, -1);
    }
    SessionOptions session;
    session.gpus = 0;
    const SparseMatrix<double> a = system.matrix();
    const AnalysisResult analysed = analyze(a, {});
    const Factors<double> factors = factorize(Session(session), remapped(*analysed.analysis, {"", 4, 20}), a);
    const auto& state = *detail::state_of(factors);
    const detail::JobGuard guard(*state.session);
    const detail::HeldFactors<double> held(state.factors, {0, STARPU_MAIN_RAM});
    const auto& places = held.fronts();
    REQUIRE(places.size() == state.analysis->tree.fronts.size());
    REQUIRE(!state.factors.subtrees().empty());
    REQUIRE(!state.factors.tiled().empty());
    for (std::size_t s = 0; s < state.factors.subtrees().size(); ++s) {
        const Subtree& subtree = state.analysis->mapping.subtrees[s];
        const auto* part = state.factors.subtrees()[s].chunk;
        for (index_t f = subtree.first_front; f <= subtree.root_front; ++f) {
            const auto front = static_cast<std::size_t>(f);
            CHECK(places[front].part == part);
            part += front_panels(state.analysis->tree.fronts[front], Factorization::lu).size;
        }
    }
    for (std::size_t f = 0; f < places.size(); ++f) {
        const index_t grid = state.analysis->mapping.grid_of_front[f];
        if (grid < 0) continue;
        const auto& tiled = *state.factors.tiled()[static_cast<std::size_t>(grid)];
        CHECK(places[f].part == nullptr);
        for (index_t j = 0; j < tiled.tiles(); ++j)
            for (index_t i = 0; i < tiled.tiles(); ++i) {
                const auto& tile = places[f].tiles[static_cast<std::size_t>(i + j * tiled.tiles())];
                CHECK(tile.data == (tiled.is_own(i, j) ? tiled.tile(i, j).data : nullptr));
            }
        for (index_t k = 0; k < tiled.own_tiles(); ++k)
            CHECK(PivotRecord<double>::at(places[f].records[static_cast<std::size_t>(k)], tiled.grid().size(k)).perm ==
                  tiled.record(k).perm);
    }
}
#endif

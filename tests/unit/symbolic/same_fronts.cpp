// SPDX-License-Identifier: BSD-3-Clause
#include "frond/analysis/delay_pivots.hpp"
#include "frond/analysis/steps.hpp"
#include "random_sparse.hpp"
#include "tree_checks.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

/// All that its numbers depend on, of the front and those below.
std::string told(const Analysis& analysis, index_t f) {
    const AssemblyTree& tree = analysis.tree;
    const Front& front = tree.fronts[f];
    std::string text = "(" + std::to_string(front.npiv) + ":";
    for (index_t local = 0; local < front.nfront; ++local) {
        const index_t k = position_of(tree, f, local);
        text += std::to_string(analysis.row_order[k]) + "," + std::to_string(analysis.column_order[k]);
        const bool is_paired =
            local < front.npiv && !analysis.pair_with_next.empty() && analysis.pair_with_next[k] != 0;
        text += is_paired ? "+" : " ";
    }
    if (const index_t grid = analysis.mapping.grid_of_front[f]; grid >= 0)
        for (const index_t cut : analysis.mapping.grids[grid].cut) text += "|" + std::to_string(cut);
    for (count_t c = tree.child_begin[f]; c < tree.child_begin[f + 1]; ++c) text += told(analysis, tree.children[c]);
    return text + ")";
}

/// Columns with a pivot each, every `step`-th to its parent.
std::vector<DelayedPivot> delays(const AssemblyTree& tree, index_t step) {
    std::vector<DelayedPivot> all;
    for (index_t f = 0; f < tree.front_count(); ++f)
        for (index_t k = tree.fronts[f].first_column; k < tree.fronts[f].first_column + tree.fronts[f].npiv; ++k)
            if (k % step == 0) all.push_back({k, k, tree.fronts[f].parent < 0 ? f : tree.fronts[f].parent});
    return all;
}

void check(const SparseMatrix<double>& a, const Analysis& before, index_t step) {
    const std::vector<DelayedPivot> delayed = delays(before.tree, step);
    const Analysis after = delay_pivots(before, delayed);
    const std::vector<index_t> number = fronts_after_delays(before.tree, delayed);
    const std::vector<char> same = same_fronts(before, after, number);
    index_t left = 0;
    for (index_t f = 0; f < before.tree.front_count(); ++f) {
        CAPTURE(f);
        if (number[f] >= 0) REQUIRE(number[f] == left++);
        REQUIRE((same[f] != 0) == (number[f] >= 0 && told(before, f) == told(after, number[f])));
    }
    REQUIRE(left == after.tree.front_count());
}

}  // namespace

TEST_CASE("fronts that are the same after columns were delayed") {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        CAPTURE(seed);
        const bool general = seed % 2 == 0;
        const SparseMatrix<double> a =
            random_sparse<double>(static_cast<index_t>(10 + 7 * (seed % 23)), 2,
                                  general ? Symmetry::general : Symmetry::symmetric, true, seed);
        AnalysisOptions options;
        options.factorization = general ? Factorization::lu : Factorization::ldlt;
        options.tile_size = 4;
        const Analysis given = *analyze(a, options).analysis;
        for (const index_t step : {3, 17, 1000}) check(a, given, step);
    }
}

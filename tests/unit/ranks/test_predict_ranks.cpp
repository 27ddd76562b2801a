// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/error.hpp"
#include "rank_trees.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

#include <numeric>

using namespace frond;
using namespace frond::test;

namespace {

template <class Value>
double sum(const std::vector<RankPrediction>& ranks, Value RankPrediction::*field) {
    double all = 0;
    for (const RankPrediction& r : ranks) all += static_cast<double>(r.*field);
    return all;
}

}  // namespace

TEST_CASE("what ranks have to do adds up") {
    for (const Factorization kind : {Factorization::llt, Factorization::ldlt, Factorization::lu}) {
        const CostedTree t = tree_of_grid(11, kind);
        const MessageRule rule{kind, true, 8};
        const auto alone = predict_ranks(t.tree, t.cost.front_flops, mapped(t, alike(1)), rule);
        for (const index_t ranks : {2, 4, 7}) {
            CAPTURE(static_cast<int>(kind));
            CAPTURE(ranks);
            RankMapping mapping = mapped(t, alike(ranks));
            for (const bool much : {false, true}) {
                if (much) share_much(t.tree, mapping, 3);
                const auto predicted = predict_ranks(t.tree, t.cost.front_flops, mapping, rule);
                REQUIRE(predicted.size() == at(ranks));
                CHECK(
                    is_near(sum(predicted, &RankPrediction::flops), t.cost.flops,
                            rounding_bound<double>(ranks * t.tree.front_count())));  // positive terms, in other orders
                CHECK(sum(predicted, &RankPrediction::sent_bytes) == sum(predicted, &RankPrediction::received_bytes));
                CHECK(sum(predicted, &RankPrediction::sent_messages) ==
                      sum(predicted, &RankPrediction::received_messages));
                CHECK(sum(predicted, &RankPrediction::sent_bytes) > 0);
                // Fronts on tiles have no room that aligns them, but symmetric ones the whole diagonal tiles.
                CHECK(sum(predicted, &RankPrediction::factor_bytes) <= alone[0].factor_bytes * 1.01);
                CHECK(sum(predicted, &RankPrediction::factor_bytes) >= alone[0].factor_bytes * 0.5);
                for (const RankPrediction& r : predicted) {
                    CHECK(r.peak_bytes >= r.factor_bytes);
                    CHECK(r.peak_bytes < alone[0].peak_bytes);
                }
            }
        }
        CHECK(alone[0].sent_messages == 0);
        CHECK(alone[0].peak_bytes >= t.cost.peak_scalars_sequential * 8);
    }
}

TEST_CASE("a mapping of another tree is refused") {
    const CostedTree t = tree_of_grid(6, Factorization::lu), other = tree_of_grid(5, Factorization::lu);
    const RankMapping mapping = mapped(t, alike(2));
    CHECK_THROWS_AS(predict_ranks(other.tree, other.cost.front_flops, mapping, {}), InvalidArgument);
    CHECK_THROWS_AS(predict_ranks(t.tree, {}, mapping, {}), InvalidArgument);
}

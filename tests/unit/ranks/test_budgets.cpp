// SPDX-License-Identifier: BSD-3-Clause
// Which mapping is taken: the quickest that holds the budgets.
#include "frond/base/error.hpp"
#include "rank_trees.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

namespace {

std::vector<RankPrediction> predicted(const CostedTree& t, const RankMapping& mapping) {
    return predict_ranks(t.tree, t.cost.front_flops, mapping, t.rule());
}

std::vector<count_t> peaks(const CostedTree& t, const RankMapping& mapping) {
    std::vector<count_t> all;
    for (const RankPrediction& r : predicted(t, mapping)) all.push_back(r.peak_bytes);
    return all;
}

bool fit(const std::vector<count_t>& needed, const std::vector<count_t>& budget) {
    for (std::size_t r = 0; r < needed.size(); ++r)
        if (needed[r] > budget[r]) return false;
    return true;
}

/// The budgets of n ranks in the parts 8 : 4 : 2 : 1 : 8 : 4 ...
std::vector<count_t> unequal(index_t n, double all) {
    std::vector<count_t> budget;
    double sum = 0;
    for (index_t r = 0; r < n; ++r) sum += 8 >> r % 4;
    for (index_t r = 0; r < n; ++r) budget.push_back(static_cast<count_t>(all * (8 >> r % 4) / sum));
    return budget;
}

count_t alone(const CostedTree& t) { return peaks(t, mapped(t, alike(1)))[0]; }

CostedTree random_tree(std::uint64_t seed, Factorization kind) {
    return RandomForest(seed, 1 + static_cast<index_t>(seed) % 2, 4).costed(kind);
}

/// Subtrees, of parts each, under a front without work. A part is a front of order `order` that costs `flops`; those of
/// the last subtree have `last_order`.
CostedTree parts_of(const std::vector<std::vector<double>>& subtrees, index_t order, index_t last_order = 0) {
    CostedTree t;
    t.tree.child_begin = {0};
    std::vector<index_t> tops;
    const auto add = [&](index_t npiv, double flops, const std::vector<index_t>& children) {
        const index_t own = t.tree.front_count();
        t.tree.fronts.push_back({t.tree.order, npiv, npiv, -1, 0});
        t.tree.order += npiv;
        t.tree.first_descendant.push_back(own);
        for (const index_t c : children) {
            t.tree.fronts[at(c)].parent = own;
            t.tree.children.push_back(c);
            t.tree.first_descendant[at(own)] =
                std::min(t.tree.first_descendant[at(own)], t.tree.first_descendant[at(c)]);
        }
        t.tree.child_begin.push_back(static_cast<count_t>(t.tree.children.size()));
        t.cost.front_flops.push_back(flops);
        return own;
    };
    for (const std::vector<double>& parts : subtrees) {
        std::vector<index_t> leaves;
        const bool is_last = last_order > 0 && &parts == &subtrees.back();
        for (const double flops : parts) leaves.push_back(add(is_last ? last_order : order, flops, {}));
        tops.push_back(parts.size() == 1 ? leaves[0] : add(1, 1, leaves));
    }
    add(1, 1, tops);
    return t;
}

}  // namespace

TEST_CASE("peaks of random trees are within unequal budgets, or the mapping is refused") {
    index_t fitted = 0, refused = 0, above_without = 0;
    for (const Factorization kind : {Factorization::llt, Factorization::lu})
        for (std::uint64_t seed = 1; seed <= 4; ++seed) {
            const CostedTree t = random_tree(seed, kind);
            for (const index_t ranks : {4, 6})
                for (const double factor : {0.5, 1.4, 2.2}) {
                    CAPTURE(seed);
                    CAPTURE(ranks);
                    CAPTURE(factor);
                    RankMachine machine = alike(ranks);
                    machine.budget_bytes = unequal(ranks, factor * static_cast<double>(alone(t)));
                    above_without += !fit(peaks(t, mapped(t, alike(ranks))), machine.budget_bytes);
                    try {
                        CHECK(fit(peaks(t, mapped(t, machine)), machine.budget_bytes));
                        ++fitted;
                        CHECK(factor > 0.5);
                    } catch (const MemoryBudgetExceeded& e) {
                        ++refused;
                        CHECK(e.needed_bytes() > e.budget_bytes());
                        CHECK(std::count(machine.budget_bytes.begin(), machine.budget_bytes.end(), e.budget_bytes()) >
                              0);
                        CHECK(std::string(e.what()).find("rank ") != std::string::npos);
                        CHECK(factor < 2.2);
                    }
                }
        }
    CHECK(above_without == 48);
    // One fewer without the steps further down, three fewer without any step, or with weights by rates alone.
    CHECK(fitted >= 31);
    CHECK(refused <= 17);
}

TEST_CASE("children come in turn where that holds a budget, and only there") {
    index_t in_turn = 0, fitted = 0;
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        CAPTURE(seed);
        const CostedTree t = random_tree(seed, Factorization::llt);
        const RankMapping free = mapped(t, alike(4));
        const std::vector<count_t> needed = peaks(t, free);
        RankMachine machine = alike(4);
        machine.budget_bytes.assign(4, *std::max_element(needed.begin(), needed.end()));
        const RankMapping same = mapped(t, machine);
        CHECK(fit(peaks(t, same), machine.budget_bytes));
        for (count_t& b : machine.budget_bytes) b = b * 8 / 10;
        try {
            const RankMapping less = mapped(t, machine);
            CHECK(fit(peaks(t, less), machine.budget_bytes));
            ++fitted;
            in_turn += less.in_turn != free.in_turn;
        } catch (const MemoryBudgetExceeded& e) {
            CHECK(e.needed_bytes() > e.budget_bytes());
            CHECK(e.budget_bytes() == machine.budget_bytes.front());
        }
    }
    CHECK(in_turn > 0);
    CHECK(fitted >= 4);
}

TEST_CASE("without budgets children come in turn where that saves as much memory as bytes travel more") {
    const auto sum = [](const std::vector<RankPrediction>& ranks, count_t RankPrediction::*field) {
        count_t all = 0;
        for (const RankPrediction& r : ranks) all += r.*field;
        return all;
    };
    index_t spared = 0;
    for (const Factorization kind : {Factorization::llt, Factorization::lu})
        for (std::uint64_t seed = 1; seed <= 6; ++seed) {
            CAPTURE(seed);
            const CostedTree t = random_tree(seed, kind);
            RankMachine machine = alike(4);
            const auto less = predicted(t, mapped(t, machine));
            machine.budget_bytes.assign(4, count_t{1} << 60);  // with budgets memory that fits counts no more
            const auto quickest = predicted(t, mapped(t, machine));
            const count_t saved = sum(quickest, &RankPrediction::peak_bytes) - sum(less, &RankPrediction::peak_bytes);
            const count_t before = sum(quickest, &RankPrediction::sent_bytes);
            const count_t more = sum(less, &RankPrediction::sent_bytes) - before;
            CHECK(saved >= 0);
            CHECK(more <= saved);
            CHECK(static_cast<double>(more) <= 0.35 * static_cast<double>(before));
            spared += saved > 0;
        }
    CHECK(spared >= 3);
}

TEST_CASE("children in turn where that is quicker") {
    // Side by side one of two equal fronts would have one rank of three.
    const CostedTree t = parts_of({{1e13}, {1e13}}, 20000);
    const RankMapping mapping = mapped(t, alike(3));
    for (const index_t f : {0, 1}) CHECK(mapping.grid[at(f)].members().size() == 3);
    CHECK(mapping.in_turn[2] == 1);
    CHECK(mapped(t, alike(2)).in_turn[2] == 0);
    // A twentieth is not worth what moves.
    CHECK(mapped(parts_of({{1.05e13}, {0.95e13}}, 20000), alike(2)).in_turn[2] == 0);
}

TEST_CASE("the lowest split comes in turn first, then those above it") {
    // Two fronts below each of two fronts (2, 5) below the root (6); a rank alone holds 648 MB for one of them.
    const CostedTree t = parts_of({{1e13, 1e13}, {1e13, 1e13}}, 9000);
    for (const count_t needed : peaks(t, mapped(t, alike(4)))) CHECK(needed >= 8 * 9000 * 9000);
    RankMachine machine = alike(4);
    machine.budget_bytes.assign(4, 540'000'000);
    const RankMapping lowest = mapped(t, machine);
    CHECK(fit(peaks(t, lowest), machine.budget_bytes));
    CHECK(lowest.in_turn[2] == 1);
    CHECK(lowest.in_turn[5] == 1);
    CHECK(lowest.in_turn[6] == 0);
    // The same where two ranks of four would hold all of it: in turn above, too, but not beside.
    const CostedTree uneven = parts_of({{1e13, 1e13}, {1e13, 1e13}}, 9000, 100);
    machine.budget_bytes.assign(4, 270'000'000);
    const RankMapping upwards = mapped(uneven, machine);
    CHECK(fit(peaks(uneven, upwards), machine.budget_bytes));
    CHECK(upwards.in_turn[2] == 1);
    CHECK(upwards.in_turn[5] == 0);
    CHECK(upwards.in_turn[6] == 1);
}

TEST_CASE("shares are rounded up where that is quicker") {
    // Shares of 1.4, 1.3 and 1.3 ranks. Rounded to the nearest, the first subtree would have one rank.
    const CostedTree t = parts_of({{7e9, 7e9}, {6.5e9, 6.5e9}, {6.5e9, 6.5e9}}, 100);
    for (const RankPrediction& r : predicted(t, mapped(t, alike(4)))) CHECK(r.flops < 1.31e10);
}

TEST_CASE("budgets of no front, of more ranks than fronts, and wrong ones") {
    RankMachine machine = alike(5);
    machine.budget_bytes.assign(5, 1);
    CHECK(mapped(CostedTree(), machine).group.empty());
    const CostedTree t = parts_of({{1e6}, {1e6}}, 50);
    CHECK_THROWS_AS(mapped(t, machine), MemoryBudgetExceeded);
    machine.budget_bytes.assign(5, 100000);
    CHECK(fit(peaks(t, mapped(t, machine)), machine.budget_bytes));
    machine.budget_bytes.pop_back();
    CHECK_THROWS_AS(mapped(t, machine), InvalidArgument);
    machine.budget_bytes.assign(5, 0);
    CHECK_THROWS_AS(mapped(t, machine), InvalidArgument);
}

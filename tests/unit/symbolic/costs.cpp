// SPDX-License-Identifier: BSD-3-Clause
#include "frond/analysis/front_panels.hpp"
#include "frond/analysis/steps.hpp"
#include "random_order.hpp"
#include "test_graphs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

constexpr Factorization all_kinds[] = {Factorization::llt, Factorization::ldlt, Factorization::ldlh, Factorization::lu};

/// Operations of the elimination of npiv columns, counted in loops over the entries touched.
double counted_flops(index_t npiv, index_t nfront, Factorization kind) {
    double flops = 0;
    for (index_t k = 0; k < npiv; ++k) {
        if (kind == Factorization::llt) flops += 1;  // square root
        for (index_t i = k + 1; i < nfront; ++i) {
            flops += 1;  // l_ik by a division
            const index_t last = kind == Factorization::lu ? nfront - 1 : i;
            for (index_t j = k + 1; j <= last; ++j) flops += 2;  // a_ij -= l_ik u_kj
        }
    }
    return flops;
}

/// Sequential multifrontal run that keeps every live allocation by name.
count_t simulated_peak(const AssemblyTree& tree, Factorization kind) {
    std::map<index_t, count_t> blocks, panels;
    count_t peak = 0;
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const count_t ncb = tree.fronts[f].ncb();
        blocks[f] = ncb * ncb;
        panels[f] = front_panels(tree.fronts[f], kind).size;
        count_t live = 0;
        for (const auto& [front, size] : blocks) live += size;
        for (const auto& [front, size] : panels) live += size;
        peak = std::max(peak, live);
        for (index_t g = 0; g < f; ++g)
            if (tree.fronts[g].parent == f) blocks.erase(g);
    }
    return peak;
}

struct Memory {
    count_t peak = 0;
    count_t left = 0;
};

/// Children in the order given, then the front itself (f < 0: nothing, at the roots).
Memory run_in_order(const AssemblyTree& tree, Factorization kind, index_t f, const std::vector<index_t>& children,
                    const std::vector<Memory>& memory) {
    Memory result;
    count_t blocks = 0;
    for (index_t c : children) {
        result.peak = std::max(result.peak, result.left + memory[c].peak);
        result.left += memory[c].left;
        blocks += count_t{tree.fronts[c].ncb()} * tree.fronts[c].ncb();
    }
    if (f < 0) return result;
    const count_t ncb = tree.fronts[f].ncb();
    result.left += front_panels(tree.fronts[f], kind).size + ncb * ncb;
    result.peak = std::max(result.peak, result.left);
    result.left -= blocks;
    return result;
}

Memory best_of_all_orders(const AssemblyTree& tree, Factorization kind, index_t f, std::vector<index_t> children,
                          const std::vector<Memory>& memory) {
    std::sort(children.begin(), children.end());
    Memory best = run_in_order(tree, kind, f, children, memory);
    while (std::next_permutation(children.begin(), children.end())) {
        const Memory other = run_in_order(tree, kind, f, children, memory);
        if (other.peak < best.peak) best = other;
    }
    return best;
}

/// Least peak over all orders of all children; -1 when some front has too many to try.
count_t least_peak(const AssemblyTree& tree, Factorization kind) {
    constexpr std::size_t most_children = 6;
    std::vector<Memory> memory(tree.fronts.size());
    std::vector<std::vector<index_t>> children(tree.fronts.size() + 1);
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const index_t parent = tree.fronts[f].parent;
        children[parent < 0 ? tree.fronts.size() : parent].push_back(f);
    }
    for (const auto& list : children)
        if (list.size() > most_children) return -1;
    for (index_t f = 0; f < tree.front_count(); ++f) memory[f] = best_of_all_orders(tree, kind, f, children[f], memory);
    return best_of_all_orders(tree, kind, -1, children.back(), memory).peak;
}

AssemblyTree random_tree(std::uint64_t seed, Factorization kind) {
    const index_t n = static_cast<index_t>(2 + seed % 31);
    const Pattern graph = random_graph(n, static_cast<count_t>(1 + seed % 3) * n / 2, seed);
    std::vector<index_t> order = random_order(n, seed);
    AnalysisOptions options;
    options.amalgamation_zeros = seed % 2 ? 1e-9 : 0.2;
    return build_assembly_tree(graph, order, {}, kind, options);
}

}  // namespace

TEST_CASE("flops of a front are those of its loops") {
    for (const Factorization kind : all_kinds)
        for (index_t nfront = 1; nfront <= 24; ++nfront)
            for (index_t npiv = 0; npiv <= nfront; ++npiv)
                REQUIRE(front_flops(npiv, nfront, kind) == counted_flops(npiv, nfront, kind));
    // Leading terms of a large dense front: n^3/3, n^3/3, 2 n^3/3. The next ones are 3 / (2 n) of them.
    const double n = 30000;
    CHECK(front_flops(30000, 30000, Factorization::llt) == doctest::Approx(n * n * n / 3).epsilon(2 / n));
    CHECK(front_flops(30000, 30000, Factorization::lu) == doctest::Approx(2 * n * n * n / 3).epsilon(2 / n));
}

TEST_CASE("costs of a tree are the sums and maxima over its fronts") {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        const Factorization kind = all_kinds[seed % 4];
        const AssemblyTree tree = random_tree(seed, kind);
        const CostModel cost = predict_costs(tree, kind);
        double flops = 0, longest = 0;
        index_t largest = 0;
        count_t entries = 0;
        for (index_t f = 0; f < tree.front_count(); ++f) {
            const Front& front = tree.fronts[f];
            const double own = counted_flops(front.npiv, front.nfront, kind);
            REQUIRE(cost.front_flops[f] == own);
            flops += own;
            largest = std::max(largest, front.nfront);
            for (index_t k = 0; k < front.npiv; ++k)
                entries += (kind == Factorization::lu ? 2 : 1) * (front.nfront - k - 1) + 1;
            double path = 0;
            for (index_t g = f; g >= 0; g = tree.fronts[g].parent) path += cost.front_flops[g];
            longest = std::max(longest, path);
        }
        REQUIRE(cost.flops == flops);
        REQUIRE(cost.critical_path_flops == longest);
        REQUIRE(cost.largest_front == largest);
        REQUIRE(cost.factor_entries == entries);
    }
    const CostModel nothing = predict_costs(AssemblyTree{0, {}, {}, {}, {}, {0}, {}}, all_kinds[0]);
    CHECK(nothing.flops == 0);
    CHECK(nothing.peak_scalars_sequential == 0);
}

TEST_CASE("the sequential peak is what a run with every allocation listed needs") {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        CAPTURE(seed);
        const Factorization kind = all_kinds[seed % 4];
        const AssemblyTree tree = random_tree(seed, kind);
        REQUIRE(predict_costs(tree, kind).peak_scalars_sequential == simulated_peak(tree, kind));
    }
}

TEST_CASE("no order of the children has a lower peak") {
    int compared = 0;
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        CAPTURE(seed);
        const Factorization kind = all_kinds[seed % 4];
        const AssemblyTree tree = random_tree(seed, kind);
        const count_t least = least_peak(tree, kind);
        if (least < 0) continue;
        ++compared;
        REQUIRE(predict_costs(tree, kind).peak_scalars_sequential == least);
    }
    CHECK(compared >= 150);
}

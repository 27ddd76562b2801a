// SPDX-License-Identifier: BSD-3-Clause
#include "check_analysis.hpp"

#include "../mapping/mapping_parts.hpp"
#include "frond/analysis/front_panels.hpp"
#include "frond/analysis/steps.hpp"

#include <algorithm>
#include <cmath>

namespace frond::detail {
namespace {

bool is_permutation(const std::vector<index_t>& list, index_t n) {
    if (list.size() != static_cast<std::size_t>(n)) return false;
    std::vector<std::uint8_t> met(list.size(), 0);
    for (const index_t i : list) {
        if (i < 0 || i >= n || met[static_cast<std::size_t>(i)] != 0) return false;
        met[static_cast<std::size_t>(i)] = 1;
    }
    return true;
}

/// Finite, not negative, and as many as there are fronts.
bool are_flops(const std::vector<double>& list, std::size_t fronts) {
    return list.size() == fronts &&
           std::all_of(list.begin(), list.end(), [](double x) { return x >= 0 && std::isfinite(x); });
}

/// Local numbers of the entries of one front: each where the kind reads it, by column, then row.
bool fits_front(const EntryMap& map, count_t e, bool first, const Front& front, bool symmetric) {
    const index_t i = map.row[e], j = map.column[e];
    if (std::min(i, j) < 0 || std::max(i, j) >= front.nfront || std::min(i, j) >= front.npiv) return false;
    if (symmetric && i < j) return false;
    return first || map.column[e - 1] < j || (map.column[e - 1] == j && map.row[e - 1] < i);
}

}  // namespace

std::string defect_of_order(const Analysis& analysis) {
    const index_t n = analysis.order;
    if (n < 0 || analysis.entries < 0) return "a negative order or number of entries";
    const bool symmetric = analysis.factorization != Factorization::lu;
    const bool triangle = analysis.symmetry == Symmetry::symmetric || analysis.symmetry == Symmetry::hermitian;
    if (analysis.factorization == Factorization::automatic || (symmetric && !triangle))
        return "a factorization that does not suit the symmetry";
    if (!is_permutation(analysis.row_order, n) || !is_permutation(analysis.column_order, n))
        return "an elimination order that is no permutation";
    if (symmetric && analysis.row_order != analysis.column_order)
        return "a symmetric factorization with different orders of rows and columns";
    const auto empty_or_n = [n](const auto& list) {
        return list.empty() || list.size() == static_cast<std::size_t>(n);
    };
    if (!empty_or_n(analysis.pair_with_next)) return "pairs of another order";
    const auto& matching = analysis.matching_row_of_column;
    if (!empty_or_n(matching) ||
        std::any_of(matching.begin(), matching.end(), [n](index_t i) { return i < -1 || i >= n; }))
        return "a matching with rows that are not there";
    return "";
}

std::string defect_of_entry_map(const Analysis& analysis) {
    const EntryMap& map = analysis.entry_map;
    const AssemblyTree& tree = analysis.tree;
    const std::size_t count = map.source.size();
    if (map.row.size() != count || map.column.size() != count || map.front_begin.size() != tree.fronts.size() + 1 ||
        map.front_begin.front() != 0 || map.front_begin.back() != static_cast<count_t>(count) ||
        !std::is_sorted(map.front_begin.begin(), map.front_begin.end()))
        return "an entry map whose lists differ in length";
    const bool symmetric = analysis.factorization != Factorization::lu;
    for (index_t f = 0; f < tree.front_count(); ++f)
        for (count_t e = map.front_begin[f]; e < map.front_begin[f + 1]; ++e)
            if (!fits_front(map, e, e == map.front_begin[f], tree.fronts[f], symmetric))
                return "an entry of the matrix outside its front";
    for (const count_t source : map.source)
        if ((source < 0 ? ~source : source) >= analysis.entries) return "an entry that the matrix does not have";
    return "";
}

std::string defect_of_costs(const Analysis& analysis) {
    const CostModel& cost = analysis.cost;
    const Mapping& mapping = analysis.mapping;
    const std::size_t fronts = analysis.tree.fronts.size();
    CostModel known = predict_costs(analysis.tree, analysis.factorization);
    if (!are_flops(cost.front_flops, fronts) || !are_flops(mapping.bottom_level_flops, fronts) ||
        !are_flops({cost.flops, cost.critical_path_flops}, 2))
        return "flops that are missing, negative or not finite";
    for (const Subtree& subtree : mapping.subtrees) {
        count_t scalars = 0;
        for (index_t f = subtree.first_front; f <= subtree.root_front; ++f)
            scalars += front_panels(analysis.tree.fronts[f], analysis.factorization).size;
        if (!are_flops({subtree.flops}, 1) || subtree.factor_scalars != scalars ||
            subtree.stack_scalars != stack_peak(analysis.tree, subtree.first_front, subtree.root_front))
            return "sizes of a subtree that are not those of its fronts";
    }
    known.peak_scalars_parallel = parallel_peak(analysis.tree, mapping, analysis.factorization);
    if (cost.factor_entries != known.factor_entries || cost.largest_front != known.largest_front ||
        cost.peak_scalars_sequential != known.peak_scalars_sequential ||
        cost.peak_scalars_parallel != known.peak_scalars_parallel)
        return "sizes that are not those of its fronts";
    return "";
}

std::string defect_of(const Analysis& analysis) {
    if (analysis.tree.order != analysis.order) return "a tree of another order";
    std::string defect = defect_of_order(analysis);
    if (defect.empty()) defect = defect_of_tree(analysis.tree);
    if (defect.empty()) defect = defect_of_entry_map(analysis);
    if (defect.empty()) defect = defect_of_mapping(analysis);
    if (defect.empty()) defect = defect_of_costs(analysis);
    return defect;
}

}  // namespace frond::detail

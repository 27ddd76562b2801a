// SPDX-License-Identifier: BSD-3-Clause
#include "ranked/tree/sharing.hpp"

#include <algorithm>

namespace frond::detail {

bool pays_to_share(const Analysis& analysis, bool is_complex, bool with_card) {
    const double least = with_card ? least_shared_flops_of_cards : least_shared_flops;
    return share_always() || analysis.cost.flops * (is_complex ? 4 : 1) >= least;
}

std::atomic<bool>& share_always() {
    static std::atomic<bool> always{false};
    return always;
}

std::atomic<bool>& share_fronts_always() {
    static std::atomic<bool> always{false};
    return always;
}

std::atomic<index_t>& failing_unit() {
    static std::atomic<index_t> unit{-1};
    return unit;
}

RankMachine machine_of(const std::vector<count_t>& workers, const std::vector<count_t>& cards) {
    RankMachine machine;
    for (std::size_t r = 0; r < workers.size(); ++r) {
        const double of_cores = mapped_flops_of_core * static_cast<double>(std::max<count_t>(1, workers[r]));
        const double of_cards = cards.empty() ? 0.0 : mapped_flops_of_card * static_cast<double>(cards[r]);
        machine.flops_per_second.push_back(of_cores + of_cards);
    }
    return machine;
}

RankMapping map_tree(const Analysis& analysis, const RankMachine& machine, const MessageRule& rule) {
    RankMapping mapping = map_units(analysis.tree, analysis.mapping, analysis.cost.front_flops, machine, rule, true,
                                    analysis.options.threads);
    return share_fronts_always() ? share_all_fronts(analysis.tree, analysis.mapping, mapping, rule) : mapping;
}

}  // namespace frond::detail

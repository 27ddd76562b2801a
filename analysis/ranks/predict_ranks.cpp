// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/contract.hpp"
#include "walk_ranks.hpp"

namespace frond {

std::vector<RankPrediction> predict_ranks(const AssemblyTree& tree, const std::vector<double>& front_flops,
                                          const RankMapping& mapping, const MessageRule& rule) {
    FROND_EXPECTS(mapping.group.size() == tree.fronts.size(), "the mapping is of another tree; map this one");
    FROND_EXPECTS(front_flops.size() == tree.fronts.size(), "front_flops has not one entry a front; give one");
    const RankMachine no_time;
    RankWalk walk(tree, front_flops, mapping, rule, no_time);
    for (index_t f = 0; f < tree.front_count(); ++f) walk.add(f);
    return walk.predictions();
}

}  // namespace frond

// SPDX-License-Identifier: BSD-3-Clause
#include "disjoint_subtrees.hpp"

#include <algorithm>

namespace frond {

std::vector<SubtreeRange> disjoint_subtrees(const std::vector<index_t>& first_descendant,
                                            const std::vector<count_t>& work_before, count_t most_work) {
    std::vector<SubtreeRange> ranges;
    for (auto j = static_cast<index_t>(first_descendant.size()) - 1; j >= 0;) {
        const index_t first = first_descendant[j];
        if (work_before[j + 1] - work_before[first] > most_work) {
            --j;
            continue;
        }
        ranges.push_back({first, j});
        j = first - 1;
    }
    std::reverse(ranges.begin(), ranges.end());
    return ranges;
}

std::vector<index_t> chunks_of_subtrees(const std::vector<SubtreeRange>& ranges,
                                        const std::vector<count_t>& work_before, count_t least_work) {
    std::vector<index_t> begin = {0};
    count_t work = 0;
    for (std::size_t r = 0; r < ranges.size(); ++r) {
        work += work_before[ranges[r].root + 1] - work_before[ranges[r].first];
        if (work < least_work && r + 1 < ranges.size()) continue;
        begin.push_back(static_cast<index_t>(r) + 1);
        work = 0;
    }
    return begin;
}

}  // namespace frond

// SPDX-License-Identifier: BSD-3-Clause
#include "ranked/dealt/dealt_entries.hpp"

#include "frond/base/vector_index.hpp"
#include "ranked/dealt/local_analysis.hpp"

namespace frond::detail {

count_t entries_of_rank(const Analysis& analysis, const TreeShare& share, index_t rank) {
    count_t entries = 0;
    for_each_entries(analysis, share.mapping, rank, [&](count_t begin, count_t end) { entries += end - begin; });
    return entries;
}

}  // namespace frond::detail

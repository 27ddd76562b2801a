// SPDX-License-Identifier: BSD-3-Clause
#include "ranked/rank_vectors.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "frond/base/contract.hpp"
#include "frond/base/instantiate.hpp"
#include "ranks/collectively.hpp"

namespace frond::detail {

template <class T, class U>
DenseView<U> rank_view(const BlockView<U>& v, const char* name) {
    constexpr count_t most = std::numeric_limits<index_t>::max();
    const count_t ld = v.ld == 0 ? v.rows : v.ld;
    FROND_EXPECTS(v.rows >= 0 && v.cols >= 0 && v.rows <= most && v.cols <= most && ld <= most,
                  std::string(name) + " has " + std::to_string(v.rows) + " rows on this rank and " +
                      std::to_string(v.cols) + " columns; both must be from 0 to 2^31 - 1");
    FROND_EXPECTS(ld >= v.rows, std::string(name) + " has ld = " + std::to_string(ld) +
                                    " below its rows; give at least " + std::to_string(v.rows));
    FROND_EXPECTS(v.data != nullptr || v.rows == 0 || v.cols == 0, std::string(name) + " is null; give its memory");
    return {v.data, static_cast<index_t>(v.rows), static_cast<index_t>(v.cols),
            static_cast<index_t>(std::max<count_t>(ld, 1))};
}

std::vector<index_t> rows_of_block(Communicator& ranks, const RowCuts& cuts, index_t rows, const index_t* map,
                                   const std::string& name) {
    std::vector<count_t> maps{map != nullptr ? 1 : 0};
    ranks.all_reduce_max(maps);
    const bool mapped = maps[0] != 0;
    const std::vector<count_t> mine(static_cast<std::size_t>(ranks.size()), rows);
    const std::vector<count_t> counts = ranks.all_to_all(mine);
    std::vector<index_t> numbers;
    collectively(ranks, [&] {
        FROND_EXPECTS(!mapped || map != nullptr || rows == 0,
                      "row_map of " + name + " is null, but other ranks have one; give all of them one, or none");
        if (map != nullptr) {
            numbers.assign(map, map + rows);
            return;
        }
        const count_t all = std::accumulate(counts.begin(), counts.end(), count_t{0});
        FROND_EXPECTS(mapped || all == cuts.order(), name + " has " + std::to_string(all) +
                                                         " rows on all ranks together, the matrix has order " +
                                                         std::to_string(cuts.order()) + "; give as many, or row_map");
        const count_t first = std::accumulate(counts.begin(), counts.begin() + ranks.rank(), count_t{0});
        numbers.resize(static_cast<std::size_t>(rows));
        std::iota(numbers.begin(), numbers.end(), static_cast<index_t>(first));
    });
    return numbers;
}

#define FROND_INSTANTIATE(T)                                                 \
    template DenseView<T> rank_view<T, T>(const BlockView<T>&, const char*); \
    template DenseView<const T> rank_view<T, const T>(const BlockView<const T>&, const char*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

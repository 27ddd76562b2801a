// SPDX-License-Identifier: BSD-3-Clause
#include "ranked/rank_vectors.hpp"

#include <algorithm>
#include <limits>

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

RowPlan plan_of_rows(Communicator& ranks, const RowCuts& cuts, index_t rows, const index_t* map, RowsGiven given,
                     const std::string& name) {
    const count_t said = 2 * static_cast<count_t>(rows) + (map != nullptr ? 1 : 0);
    const std::vector<count_t> all_said =
        ranks.all_to_all(std::vector<count_t>(static_cast<std::size_t>(ranks.size()), said));
    const bool mapped = std::any_of(all_said.begin(), all_said.end(), [](count_t s) { return s % 2 != 0; });
    RowCuts callers;  // without maps
    std::vector<index_t> numbers;
    collectively(ranks, [&] {
        FROND_EXPECTS(!mapped || map != nullptr || rows == 0,
                      "row_map of " + name + " is null, but other ranks have one; give all of them one, or none");
        if (map != nullptr) numbers.assign(map, map + rows);
        count_t all = 0;
        callers.first.assign(1, 0);
        for (const count_t s : all_said) callers.first.push_back(static_cast<index_t>(all += s / 2));
        FROND_EXPECTS(mapped || all == cuts.order(), name + " has " + std::to_string(all) +
                                                         " rows on all ranks together, the matrix has order " +
                                                         std::to_string(cuts.order()) + "; give as many, or row_map");
    });
    return mapped ? RowPlan(ranks, cuts, numbers, given, name) : RowPlan(ranks, cuts, callers);
}

#define FROND_INSTANTIATE(T)                                                 \
    template DenseView<T> rank_view<T, T>(const BlockView<T>&, const char*); \
    template DenseView<const T> rank_view<T, const T>(const BlockView<const T>&, const char*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

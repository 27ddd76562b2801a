// SPDX-License-Identifier: BSD-3-Clause
#include "ranked/distributed/scaling_of_rows.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "frond/analysis/steps.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/matrix/magnitude_of.hpp"
#include "ranks/collectively.hpp"
#include "row_blocks/products/equilibrate_blocks.hpp"

namespace frond::detail {
namespace {

/// Of all rows and columns, on all ranks.
template <class T>
bool are_lines_alike(Communicator& ranks, const BlockPattern& a, const LargeVector<T>& value) {
    const std::size_t n = at(a.cuts.order());
    std::vector<count_t> bits;  // those of numbers >= 0 are in the order of the numbers
    collectively(ranks, [&] {
        bits.assign(2 * n, 0);
        for (index_t i = 0; i < a.rows(); ++i)
            for (count_t e = a.begin[at(i)]; e < a.begin[at(i) + 1]; ++e) {
                const count_t size = std::bit_cast<count_t>(magnitude_of(value[at(e)]));
                count_t &row = bits[at(a.first() + i)], &column = bits[n + at(a.column[at(e)])];
                row = std::max(row, size);
                column = std::max(column, size);
            }
    });
    ranks.all_reduce_max(bits);
    std::vector<double> most;
    collectively(ranks, [&] {
        for (const count_t b : bits) most.push_back(std::bit_cast<double>(b));
    });
    const std::span<const double> all(most);
    return are_norms_alike(all.first(n)) && are_norms_alike(all.subspan(n));
}

}  // namespace

template <class T>
Scaling scaling_of_rows(Communicator& ranks, const BlockPattern& pattern, const LargeVector<T>& value,
                        const ExponentRange& diagonal, const Analysis& part, bool pivots_as_they_come) {
    const ScalingMethod asked = part.options.scaling;
    if (asked == ScalingMethod::none || needs_no_scaling<T>(diagonal, part, pivots_as_they_come)) return {};
    const bool definite = part.factorization == Factorization::llt;  // its numbers are out of range
    if (asked == ScalingMethod::automatic && !definite && are_lines_alike(ranks, pattern, value)) return {};
    const bool symmetric = part.factorization != Factorization::lu;
    RowsAndColumns scales = equilibrate_blocks(ranks, pattern, value, symmetric);
    round_to_powers_of_two(scales.row);
    round_to_powers_of_two(scales.column);
    return {ScalingMethod::equilibrate, std::move(scales.row), std::move(scales.column)};
}

#define FROND_INSTANTIATE(T)                                                                       \
    template Scaling scaling_of_rows<T>(Communicator&, const BlockPattern&, const LargeVector<T>&, \
                                        const ExponentRange&, const Analysis&, bool);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

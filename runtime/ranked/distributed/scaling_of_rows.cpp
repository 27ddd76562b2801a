// SPDX-License-Identifier: BSD-3-Clause
#include "ranked/distributed/scaling_of_rows.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>
#include <vector>

#include "frond/analysis/steps.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/matrix/magnitude_of.hpp"
#include "ranks/collectively.hpp"
#include "system/rows/equilibrate_blocks.hpp"

namespace frond::detail {
namespace {

/// The least but for zeros, and the largest, of numbers >= 0 as bits, which are in the order of the numbers.
struct Extremes {
    count_t least = std::numeric_limits<count_t>::max(), most = 0;

    void see(count_t bits) {
        if (bits > 0) least = std::min(least, bits);
        most = std::max(most, bits);
    }
    /// True: all that were seen are alike.
    bool are_alike(double range) const {
        return most == 0 ||
               are_norms_alike(std::array{std::bit_cast<double>(least), std::bit_cast<double>(most)}, range);
    }
};

/// The largest magnitude of each row of the block goes to `rows`, those of columns to `columns`, which may be empty.
template <class T>
void see_lines(const BlockPattern& a, const LargeVector<T>& value, Extremes& rows, std::vector<count_t>& columns) {
    for (index_t i = 0; i < a.rows(); ++i) {
        count_t of_row = 0;
        for (count_t e = a.begin[at(i)]; e < a.begin[at(i) + 1]; ++e) {
            const count_t size = std::bit_cast<count_t>(magnitude_of(value[at(e)]));
            of_row = std::max(of_row, size);
            if (columns.empty()) continue;
            count_t& of_column = columns[at(a.column[at(e)])];
            of_column = std::max(of_column, size);
        }
        rows.see(of_row);
    }
}

/// True: all rows and columns, on all ranks, have entries of about one size. Columns of the symmetric kinds are as
/// their rows.
template <class T>
bool are_lines_alike(Communicator& ranks, const BlockPattern& a, const LargeVector<T>& value, bool symmetric) {
    Extremes of_rows, of_columns;
    std::vector<count_t> columns;
    collectively(ranks, [&] {
        if (!symmetric) columns.assign(at(a.cuts.order()), 0);
        see_lines(a, value, of_rows, columns);
    });
    count_t ends[] = {-of_rows.least, of_rows.most};
    ranks.all_reduce_max(ends);
    if (!Extremes{-ends[0], ends[1]}.are_alike(safe_range<T>)) return false;
    ranks.all_reduce_max(columns);
    for (const count_t bits : columns) of_columns.see(bits);
    return of_columns.are_alike(safe_range<T>);
}

}  // namespace

template <class T>
Scaling scaling_of_rows(Communicator& ranks, const BlockPattern& pattern, const LargeVector<T>& value,
                        const ExponentRange& diagonal, const Analysis& part, bool pivots_as_they_come) {
    const ScalingMethod asked = part.options.scaling;
    if (asked == ScalingMethod::none || needs_no_scaling<T>(diagonal, part, pivots_as_they_come)) return {};
    const bool definite = part.factorization == Factorization::llt;  // its numbers are out of range
    const bool symmetric = part.factorization != Factorization::lu;
    if (asked == ScalingMethod::automatic && !definite && are_lines_alike(ranks, pattern, value, symmetric)) return {};
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

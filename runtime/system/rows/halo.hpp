// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "frond/base/large_vector.hpp"
#include "frond/cpu/dense_view.hpp"
#include "ranks/parcels.hpp"
#include "system/rows/block_pattern.hpp"

namespace frond::detail {

/// What a row block needs of vectors beyond its own rows: the plan of the messages for A x.
class Halo {
public:
    /// Collective.
    Halo(Communicator& ranks, const BlockPattern& pattern);

    /// [entries] Of each entry of the block, where its column is in what extended() returns.
    const std::vector<index_t>& local_columns() const { return local_column_; }
    /// Rows of what extended() returns.
    index_t extended_rows() const { return rows_ + outside_; }

    /// The rows of this block, then those that it needs of others; column-major. Collective.
    template <class T>
    LargeVector<T> extended(Communicator& ranks, DenseView<const T> x) const;

private:
    index_t rows_ = 0, outside_ = 0;
    std::vector<index_t> local_column_;
    Parcels<index_t> sent_;  // rows of this block that others need
    std::vector<count_t> received_begin_;  // rows outside, ascending: so by rank
};

}  // namespace frond::detail

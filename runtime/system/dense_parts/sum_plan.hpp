// SPDX-License-Identifier: BSD-3-Clause
// The way that sums over the rows of op(A) take through the ranks.
#pragma once

#include <vector>

#include "system/dense_parts/dense_parts.hpp"

namespace frond::detail {

/// Columns in segments, each of which has the same ranks throughout; rows in groups. In step t group g is summed over
/// segment t - g; then its sums go to the ranks that have the next segment.
struct SumPlan {
    /// turned: rows of op(A) are columns of A.
    SumPlan(const DenseParts& parts, index_t rank, bool turned);

    std::vector<index_t> segment;  // [segments + 1] columns, ascending
    std::vector<index_t> group;  // [groups + 1] rows
    std::vector<std::vector<bool>> has;  // [ranks][segments]
    std::vector<std::vector<index_t>> common;  // [ranks] rows that both this rank and the other have

    index_t segments() const { return static_cast<index_t>(segment.size()) - 1; }
    index_t groups() const { return static_cast<index_t>(group.size()) - 1; }
    index_t steps() const { return segments() + groups() - 1; }
    IndexRange columns_of(index_t s) const;
    IndexRange rows_of(index_t g) const;
    /// For each rank, the rows whose sums this one sends it after the step, or receives.
    std::vector<std::vector<index_t>> sent_after(index_t step) const { return moved_after(step, true); }
    std::vector<std::vector<index_t>> received_after(index_t step) const { return moved_after(step, false); }

private:
    std::vector<std::vector<index_t>> moved_after(index_t step, bool sends) const;

    index_t rank_;
};

}  // namespace frond::detail

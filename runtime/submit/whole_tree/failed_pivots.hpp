// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "frond/analysis/delay_pivots.hpp"
#include "frond/base/parallel_for.hpp"
#include "frond/gpu/failed_pivot.hpp"

namespace frond::detail {

/// The pivots of an analysis that failed where a front is factored as it was planned, and the analysis in which their
/// columns are eliminated later. What one factorization found serves the next one, whatever its values: an order in
/// which pivots were good for some values is a good guess for others, and each is tested anew.
class FailedPivots {
public:
    explicit FailedPivots(std::shared_ptr<const Analysis> given) : given_(given), analysis_(std::move(given)) {}

    /// The one that was given, or with columns delayed.
    const std::shared_ptr<const Analysis>& analysis() const noexcept { return analysis_; }
    const std::shared_ptr<const Analysis>& given() const noexcept { return given_; }
    /// [fronts of the analysis before the last delay()] their numbers in analysis(), see fronts_after_delays.
    const std::vector<index_t>& fronts_after() const noexcept { return fronts_after_; }
    /// Columns handed to a parent front, counted each time.
    count_t delayed() const noexcept { return delayed_; }

    /// failed: of analysis(), ascending by column. A column goes to the front whose pivot rows its largest entry is in:
    /// behind the other columns of its own, or further up; without such a row to the parent. Where that did not help, it
    /// goes to the parent, then twice as far up each time. Where a pivot below was used although it failed, what
    /// fails for the same row is not believed. Empty when analysis() is the new one, else why columns cannot be
    /// delayed; analysis() is as it was then.
    std::string delay(const Pattern& pattern, const std::vector<gpu::FailedPivot>& failed);

    /// Fronts in parts (split_fronts()), which says how many columns the next one has. False: all are whole.
    bool split(const std::function<index_t(index_t npiv, index_t nfront)>& columns, const ParallelFor& parallel_for);
    /// Nothing has failed, but fronts were split.
    bool is_only_split() const noexcept { return is_split_ && history_.empty(); }

private:
    /// What became of a column of the matrix.
    struct History {
        index_t times_behind = 0;  // that it went behind the others of a front
        index_t levels = 0;  // how far up it went when its partner is not known
    };

    std::string places_of(const std::vector<gpu::FailedPivot>& failed, std::vector<DelayedPivot>& places);
    index_t place_of(const gpu::FailedPivot& pivot, index_t front);

    std::shared_ptr<const Analysis> given_, analysis_;
    std::vector<index_t> fronts_after_;
    bool is_split_ = false;
    count_t delayed_ = 0;
    std::map<index_t, History> history_;
};

}  // namespace frond::detail

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

/// The pivots of an analysis that failed where a front is factored as it was planned, the fronts in which they are searched
/// for more widely since, and the analysis in which columns are eliminated later. What one factorization found serves the next one, whatever its values: an order in
/// which pivots were good for some values is a good guess for others, and each is tested anew.
class FailedPivots {
public:
    explicit FailedPivots(std::shared_ptr<const Analysis> given) : given_(given), analysis_(std::move(given)) {}

    /// The one that was given, or with columns delayed.
    const std::shared_ptr<const Analysis>& analysis() const noexcept { return analysis_; }
    const std::shared_ptr<const Analysis>& given() const noexcept { return given_; }
    /// [fronts of the analysis before the last mend()] their numbers in analysis(), see fronts_after_delays.
    const std::vector<index_t>& fronts_after() const noexcept { return fronts_after_; }
    /// [fronts of the analysis before the last mend()] it has begun to search them.
    const std::vector<char>& newly_searched() const noexcept { return newly_searched_; }
    /// [fronts of analysis()] L U searches for pivots in all their rows; empty: in none.
    std::vector<char> searched_fronts() const;
    bool searches() const noexcept { return !is_searched_.empty(); }
    /// Columns handed to a parent front, counted each time.
    count_t delayed() const noexcept { return delayed_; }

    /// failed: of analysis(), ascending by column. L U searches its front more widely, where a pivot may have been among rows
    /// that were not looked at. Else a column goes to the front whose pivot rows its largest entry is in: behind the other
    /// columns of its own, or further up; without such a row to the parent. Where that did not help, it goes to the parent,
    /// then twice as far up each time. Where a pivot below was used although it failed, what fails for the same row is not
    /// believed. Empty when something has changed, else why columns cannot be delayed; all is as it was then.
    std::string mend(const std::vector<gpu::FailedPivot>& failed);

    /// Fronts in parts (split_fronts()), which says how many columns the next one has. False: all are whole.
    bool split(const std::function<index_t(index_t npiv, index_t nfront)>& columns, const ParallelFor& parallel_for);
    /// Nothing has failed, but fronts were split.
    bool is_only_split() const noexcept { return is_split_ && history_.empty() && !searches(); }

private:
    /// What became of a column of the matrix.
    struct History {
        index_t times_behind = 0;  // that it went behind the others of a front
        index_t levels = 0;  // how far up it went when its partner is not known
    };

    std::string places_of(const std::vector<gpu::FailedPivot>& failed, std::vector<DelayedPivot>& places);
    index_t place_of(const gpu::FailedPivot& pivot, index_t front);
    std::string delay(const std::vector<DelayedPivot>& places);
    void search();

    std::shared_ptr<const Analysis> given_, analysis_;
    std::vector<index_t> fronts_after_;
    std::vector<char> newly_searched_;
    std::vector<char> is_searched_;  // [columns of the matrix] the front that it is the first of
    bool is_split_ = false;
    count_t delayed_ = 0;
    std::map<index_t, History> history_;
};

}  // namespace frond::detail

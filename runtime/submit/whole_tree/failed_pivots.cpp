// SPDX-License-Identifier: BSD-3-Clause
#include "submit/whole_tree/failed_pivots.hpp"

#include <algorithm>
#include <numeric>

#include "frond/analysis/delay_pivots.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::detail {
namespace {

/// At most one column in so many may fail at one time: where more do, tasks are at least as quick.
constexpr index_t most_failed_parts = 4;
/// Operations against those of the analysis that was given, and what is nothing for a device.
constexpr double most_flops_growth = 2, negligible_flops = 1e9;
constexpr index_t most_times_behind = 4;

std::string of_columns(std::size_t failed, index_t order) {
    return std::to_string(failed) + " of " + std::to_string(order) + " pivots failed there";
}

/// Pivots that failed and were used all the same, by the row that they made large: what they leave there may be why
/// others fail above them.
class SpoiltRows {
public:
    explicit SpoiltRows(const AssemblyTree& tree) : tree_(tree), is_above_(tree.fronts.size(), 0) {}

    /// Fronts in postorder; those of a front after all questions about it.
    void add(const gpu::FailedPivot& pivot, index_t front) {
        if (pivot.was_excluded) return;  // nothing of it is above
        if (pivot.partner >= 0) front_of_row_[pivot.partner] = front;
        is_above_[at(front)] = 1;
    }
    void leave(index_t front) {
        const index_t parent = tree_.fronts[at(front)].parent;
        if (parent >= 0 && is_above_[at(front)] != 0) is_above_[at(parent)] = 1;
    }
    /// A pivot without a partner may be the reason where anything failed below its front.
    bool may_be_why(const gpu::FailedPivot& pivot, index_t front) const {
        if (pivot.partner < 0) return is_above_[at(front)] != 0;
        return is_spoilt_below(pivot.partner, front) || is_spoilt_below(pivot.row, front);
    }

private:
    bool is_spoilt_below(index_t row, index_t front) const {
        const auto there = front_of_row_.find(row);
        return there != front_of_row_.end() && there->second >= tree_.first_descendant[at(front)] &&
               there->second < front;
    }

    const AssemblyTree& tree_;
    std::map<index_t, index_t> front_of_row_;  // the last one
    std::vector<std::uint8_t> is_above_;
};

/// A pivot may be in rows of its front that the device has not looked at: it takes pivots from so many at a time. A wider
/// search leaves the numbers of all other fronts as they are; columns that move do not, and others fail for that. So it comes
/// first, even where a row further up is larger than the pivot; but not where the block has nothing for the column.
bool may_search(const Front& front, const gpu::FailedPivot& pivot, bool is_first) {
    constexpr index_t rows_at_a_time = 32;
    const bool is_partner_above = pivot.partner >= front.first_column + front.npiv;
    return front.npiv > rows_at_a_time && (!is_partner_above || (is_first && !pivot.was_excluded));
}

}  // namespace

/// The front it goes to; -1: nowhere.
index_t FailedPivots::place_of(const gpu::FailedPivot& pivot, index_t front) {
    const std::vector<Front>& fronts = analysis_->tree.fronts;
    History& past = history_[analysis_->column_order[at(pivot.column)]];
    const bool is_root = fronts[at(front)].parent < 0;
    const bool is_partner_here =
        pivot.partner >= 0 && pivot.partner < fronts[at(front)].first_column + fronts[at(front)].npiv;
    if (is_root || (is_partner_here && past.times_behind == 0))
        return ++past.times_behind > most_times_behind ? -1 : front;
    past.levels = pivot.partner >= 0 && !is_partner_here ? 0 : std::max(1, 2 * past.levels);
    for (index_t l = 0; fronts[at(front)].parent >= 0; ++l) {
        const bool is_there = past.levels > 0 ? l == past.levels
                                              : pivot.partner < fronts[at(front)].first_column + fronts[at(front)].npiv;
        if (is_there) break;
        front = fronts[at(front)].parent;
        ++delayed_;
    }
    return front;
}

/// Fills newly_searched_ and `places`.
std::string FailedPivots::places_of(const std::vector<gpu::FailedPivot>& failed, std::vector<DelayedPivot>& places) {
    const AssemblyTree& tree = analysis_->tree;
    std::vector<char> searched = searched_fronts();
    const bool is_lu = analysis_->factorization == Factorization::lu, is_first = searched.empty() && history_.empty();
    searched.resize(tree.fronts.size(), is_lu ? 0 : 1);
    newly_searched_.assign(tree.fronts.size(), 0);
    SpoiltRows spoilt(tree);
    std::size_t next = 0;
    for (index_t f = 0; f < tree.front_count(); spoilt.leave(f++)) {
        const index_t end = tree.fronts[at(f)].first_column + tree.fronts[at(f)].npiv;
        const std::size_t first = next;
        while (next < failed.size() && failed[next].column < end) ++next;
        for (std::size_t p = first; p < next; ++p) {
            if (searched[at(f)] == 0 && may_search(tree.fronts[at(f)], failed[p], is_first)) {
                newly_searched_[at(f)] = 1;
                continue;
            }
            if (spoilt.may_be_why(failed[p], f)) continue;
            const index_t place = place_of(failed[p], f);
            if (place < 0)
                return "column " + std::to_string(analysis_->column_order[at(failed[p].column)]) +
                       " found no good pivot behind the others of its root";
            places.push_back({failed[p].row, failed[p].column, place});
        }
        for (std::size_t p = first; p < next; ++p) spoilt.add(failed[p], f);
    }
    return "";
}

bool FailedPivots::split(const std::function<index_t(index_t, index_t)>& columns, const ParallelFor& parallel_for) {
    const std::vector<Front>& fronts = analysis_->tree.fronts;
    const auto is_split = [&](const Front& front) { return columns(front.npiv, front.nfront) < front.npiv; };
    if (std::none_of(fronts.begin(), fronts.end(), is_split)) return false;
    analysis_ = std::make_shared<const Analysis>(split_fronts(*analysis_, columns, parallel_for));
    is_split_ = true;
    return true;
}

std::vector<char> FailedPivots::searched_fronts() const {
    std::vector<char> searched;
    if (!searches()) return searched;
    for (const Front& front : analysis_->tree.fronts)
        searched.push_back(is_searched_[at(analysis_->column_order[at(front.first_column)])]);
    return searched;
}

/// All columns of a front say so: some may leave it.
void FailedPivots::search() {
    if (!searches()) is_searched_.assign(at(analysis_->order), 0);
    for (std::size_t f = 0; f < newly_searched_.size(); ++f) {
        const Front& front = analysis_->tree.fronts[f];
        for (index_t k = front.first_column; newly_searched_[f] != 0 && k < front.first_column + front.npiv; ++k)
            is_searched_[at(analysis_->column_order[at(k)])] = 1;
    }
}

std::string FailedPivots::delay(const std::vector<DelayedPivot>& places) {
    const index_t order = analysis_->order;
    if (static_cast<index_t>(places.size()) > std::max(order / most_failed_parts, 1))
        return of_columns(places.size(), order) + ", which is too many";
    auto next = std::make_shared<const Analysis>(delay_pivots(*analysis_, places));
    if (next->cost.flops > most_flops_growth * given_->cost.flops + negligible_flops)
        return of_columns(places.size(), order) + ", and without them the work would more than double";
    fronts_after_ = fronts_after_delays(analysis_->tree, places);
    analysis_ = std::move(next);
    return "";
}

/// Where columns cannot be delayed, those of other fronts may yet be searched for.
std::string FailedPivots::mend(const std::vector<gpu::FailedPivot>& failed) {
    if (failed.empty()) return "values became infinite or no numbers";
    const count_t delayed_before = delayed_;
    std::vector<DelayedPivot> places;
    std::string reason = places_of(failed, places);
    const bool is_search = std::find(newly_searched_.begin(), newly_searched_.end(), 1) != newly_searched_.end();
    if (is_search) search();
    fronts_after_.resize(analysis_->tree.fronts.size());
    std::iota(fronts_after_.begin(), fronts_after_.end(), 0);
    if (reason.empty() && !places.empty()) reason = delay(places);
    if (!reason.empty()) delayed_ = delayed_before;
    return is_search ? "" : reason;
}

}  // namespace frond::detail

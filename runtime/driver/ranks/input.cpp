// SPDX-License-Identifier: BSD-3-Clause
// What the ranks give of a sparse matrix, and where rank 0 has room for all of it.
#include <algorithm>
#include <utility>

#include "factors/state_of.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/hardware.hpp"
#include "memory/memory_limit.hpp"
#include "driver/rank_driver.hpp"
#include "frond/enum_text.hpp"
#include "ranked/whole_matrix.hpp"
#include "session/parallel_for.hpp"

namespace frond::detail {
namespace {

/// What the parts of one matrix must have in common.
template <class T>
NamedValues shape_of_part(const RankPart<T>& part) {
    return {{"the order of A", std::to_string(part.entries->rows()) + " x " + std::to_string(part.entries->cols())},
            {"the symmetry of A", to_string(part.declared)},
            {"the triangle of A", part.both_triangles ? "both" : "one"},
            {"how A is given", part.by_rows ? "rows" : "entries"}};
}

}  // namespace

template <class T>
index_t RankDriver<T>::list_threads() const {
    if (options_.threads > 0) return options_.threads;
    return std::clamp(state_of(session_)->cpu_workers(), 1, std::max(1, usable_cores()));
}

template <class T>
RankPart<T> RankDriver<T>::agreed_part(const GivenMatrix<T>& given, InputReport& input) {
    RankPart<T> part;
    collectively(*ranks_, [&] {
        part = given.take(Extent::part, list_threads());
        if (part.entries->rows() != part.entries->cols())
            throw InvalidMatrix("the matrix has " + std::to_string(part.entries->rows()) + " rows and " +
                                std::to_string(part.entries->cols()) + " columns; give a square one");
    });
    expect_agreement(*ranks_, shape_of_part(part));
    std::vector<count_t> sums{part.input.duplicates_summed, part.input.explicit_zeros, part.is_of_view ? 1 : 0};
    ranks_->all_reduce_sum(sums);
    part.is_of_view = sums[2] > 0;  // on any rank
    input = {};
    input.duplicates_summed = sums[0];
    input.explicit_zeros = sums[1];
    return part;
}

/// Values in row blocks, by the plan at hand where it suits the parts of all ranks. cuts: for another plan, see there.
template <class T>
typename RankDriver<T>::Values RankDriver<T>::values_of(const RankPart<T>& part, const RowCuts* cuts) {
    const ParallelFor parallel_for = parallel_for_outside_jobs(*state_of(session_), "values");
    std::vector<count_t> differs{
        present_.plan == nullptr || part.by_rows || !present_.plan->suits(part, parallel_for) ? 1 : 0};
    ranks_->all_reduce_max(differs);
    Values values{differs[0] != 0 ? std::make_shared<const EntryPlan<T>>(*ranks_, part, cuts) : present_.plan, nullptr};
    values.value = values.plan->values(*ranks_, part.entries->value, parallel_for, &present_.value_memory);
    return values;
}

/// The order of this rank's arrays, for factor_values: on all ranks or, where one has no memory for it, on none.
template <class T>
void RankDriver<T>::remember(const RankPart<T>& part, std::shared_ptr<const EntryPlan<T>> plan) {
    SparseMatrix<T> pattern;
    std::vector<index_t> rows;
    std::shared_ptr<const ValueList> list;
    collectively(*ranks_, [&] {
        pattern.pattern = part.entries->pattern;
        pattern.symmetry = part.entries->symmetry;
        rows = part.rows;
        list = part.list();
    });
    present_.part = std::move(pattern);
    present_.part_rows = std::move(rows);
    present_.part_by_rows = part.by_rows;
    present_.part_duplicates = part.input.duplicates_summed;
    present_.list = std::move(list);
    present_.plan = std::move(plan);
}

template <class T>
void RankDriver<T>::expect_room(const Values& a, bool order_known, count_t budget) {
    const BlockPattern& pattern = *a.plan->pattern();
    const count_t needed = order_known ? canonical_entries(*ranks_, pattern) * 2 * static_cast<count_t>(sizeof(T))
                                       : whole_matrix_bytes<T>(*ranks_, pattern);
    collectively(*ranks_, [&] {
        if (ranks_->rank() != 0) return;
        const count_t room = budget_bytes(budget);
        if (needed > room)
            throw MemoryBudgetExceeded("gathering A takes " + std::to_string(needed) + " bytes, but " +
                                           (budget > 0 ? "the budget is " : "the machine has ") + std::to_string(room) +
                                           "; analysis and factorization are on rank 0: give it a larger budget, or a "
                                           "machine with more memory",
                                       needed, room);
    });
}

#define FROND_INSTANTIATE(T)                                                                              \
    template RankPart<T> RankDriver<T>::agreed_part(const GivenMatrix<T>&, InputReport&);                 \
    template index_t RankDriver<T>::list_threads() const;                                                 \
    template typename RankDriver<T>::Values RankDriver<T>::values_of(const RankPart<T>&, const RowCuts*); \
    template void RankDriver<T>::remember(const RankPart<T>&, std::shared_ptr<const EntryPlan<T>>);       \
    template void RankDriver<T>::expect_room(const Values&, bool, count_t);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

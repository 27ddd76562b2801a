// SPDX-License-Identifier: BSD-3-Clause
#include "system/dense_parts/sum_plan.hpp"

#include <iterator>

#include "frond/base/vector_index.hpp"

namespace frond::detail {
namespace {

/// Where a list of some rank begins or ends to have consecutive numbers.
std::vector<index_t> segments_of(const std::vector<const std::vector<index_t>*>& lists, index_t order) {
    std::vector<bool> begins(at(order) + 1, false);
    begins[0] = begins[at(order)] = true;
    for (const std::vector<index_t>* const list : lists)
        for (std::size_t k = 0; k < list->size(); ++k) {
            const index_t number = (*list)[k];
            if (k == 0 || (*list)[k - 1] + 1 != number) begins[at(number)] = true;
            if (k + 1 == list->size() || (*list)[k + 1] != number + 1) begins[at(number) + 1] = true;
        }
    std::vector<index_t> segments;
    for (index_t i = 0; i <= order; ++i)
        if (begins[at(i)]) segments.push_back(i);
    return segments;
}

}  // namespace

SumPlan::SumPlan(const DenseParts& parts, index_t rank, bool turned) : rank_(rank) {
    std::vector<const std::vector<index_t>*> rows, columns;
    const std::vector<index_t> none;
    for (const DenseParts::Part& part : parts.part) {
        const bool is_empty = part.row.empty() || part.column.empty();
        rows.push_back(is_empty ? &none : turned ? &part.column : &part.row);
        columns.push_back(is_empty ? &none : turned ? &part.row : &part.column);
    }
    segment = segments_of(columns, parts.order);
    for (const std::vector<index_t>* const list : columns) {
        std::vector<bool>& of_rank = has.emplace_back();
        for (index_t s = 0; s < segments(); ++s)
            of_rank.push_back(std::binary_search(list->begin(), list->end(), segment[at(s)]));
    }
    const auto ranks = static_cast<index_t>(parts.part.size());
    const index_t count = std::max<index_t>(1, std::min({ranks, segments(), parts.order}));
    for (index_t g = 0; g <= count; ++g) group.push_back(static_cast<index_t>(count_t{parts.order} * g / count));
    const std::vector<index_t>& own = *rows[at(rank)];
    for (const std::vector<index_t>* const list : rows) {
        std::vector<index_t>& both = common.emplace_back();
        std::set_intersection(own.begin(), own.end(), list->begin(), list->end(), std::back_inserter(both));
    }
}

IndexRange SumPlan::columns_of(index_t s) const { return {segment[at(s)], segment[at(s) + 1]}; }

IndexRange SumPlan::rows_of(index_t g) const { return {group[at(g)], group[at(g) + 1]}; }

std::vector<std::vector<index_t>> SumPlan::moved_after(index_t step, bool sends) const {
    std::vector<std::vector<index_t>> rows(has.size());
    for (index_t g = 0; g < groups(); ++g) {
        const index_t s = step - g;
        if (s < 0 || s + 1 >= segments()) continue;
        const index_t here = sends ? s : s + 1, there = sends ? s + 1 : s;
        if (!has[at(rank_)][at(here)]) continue;
        for (std::size_t r = 0; r < has.size(); ++r) {
            if (r == at(rank_) || !has[r][at(there)]) continue;
            const IndexRange places = places_of(common[r], rows_of(g));
            rows[r].insert(rows[r].end(), common[r].begin() + places.begin, common[r].begin() + places.end);
        }
    }
    return rows;
}

}  // namespace frond::detail

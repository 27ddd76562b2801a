// SPDX-License-Identifier: BSD-3-Clause
// The members that travel, in their order.
#pragma once

#include "frond/cpu/failed_parts.hpp"
#include "frond/cpu/packing.hpp"
#include "frond/cpu/pivot_record.hpp"
#include "frond/cpu/pivot_record.hpp"
#include "frond/cpu/subtree.hpp"

namespace frond::cpu {

template <class... Members>
void visit_each(auto& visit, Members&... members) {
    (visit(members), ...);
}

template <class T>
void visit_members(FailedColumns<T>& c, auto& visit) {
    visit_each(visit, c.npiv, c.ncb, c.row_position, c.column_position, c.own_rows, c.own_columns, c.square, c.below,
               c.right);
}

template <class T>
void visit_members(DelayedColumns<T>& c, auto& visit) {
    visit_each(visit, c.ncb, c.row_position, c.column_position, c.columns, c.row_part);
}

template <class T>
void visit_members(SecondPass<T>& c, auto& visit) {
    visit_each(visit, c.npiv, c.ncb, c.kept, c.row_position, c.column_position, c.row_position_after, c.null_columns,
               c.null_rows, c.null_rest, c.search_flops, c.own_rows, c.own_columns, c.panel, c.upper, c.pivots);
}

template <class T>
void visit_members(AcceptedPanel<T>& c, auto& visit) {
    visit_each(visit, c.made, c.n, c.kept, c.rows, c.cols, c.left, c.left_d, c.upper, c.square);
}

template <class T>
void visit_members(FailedPart<T>& c, auto& visit) {
    visit_each(visit, c.is_void, c.rows, c.cols, c.row_part, c.column_part);
}

template <class T>
void visit_members(FailedParts<T>& c, auto& visit) {
    visit_each(visit, c.made, c.tiles);
    visit.set_size(c.parts);
    for (FailedPart<T>& part : c.parts) visit_members(part, visit);
}

inline void visit_members(PivotReport& r, auto& visit) {
    visit_each(visit, r.perturbed, r.two_by_two, r.negative, r.zero, r.positive, r.delayed, r.failed_column, r.rejected,
               r.rejected_by_rows, r.log_abs_determinant, r.largest_l, r.sizes.smallest, r.sizes.largest);
}

inline void visit_members(PivotOutcome& c, auto& visit) {
    visit_each(visit, c.limit.columns, c.limit.largest_l, c.kept, c.failed_rows, c.failed_columns, c.hand_over_bytes);
    visit_members(c.counts, visit);
}

inline void visit_members(RowExchanges& c, auto& visit) { visit(c.list); }

template <class T>
void visit_members(PanelPivots<T>& c, auto& visit) {
    const count_t n = c.n;
    visit.known(c.n);
    visit_members(*c.outcome, visit);
    visit.array(c.record.perm, n);
    visit.array(c.record.pivots, 2 * n);
    visit.array(c.record.replaced, n);
}

template <class T>
void visit_members(SubtreePivots<T>& c, auto& visit) {
    visit(c.perm);
    visit_members(c.outcome, visit);
    visit.set_size(c.second_passes.fronts);
    for (auto& failed : c.second_passes.fronts) {
        visit_each(visit, failed.front, failed.tried_pivots, failed.tried_rows);
        visit_members(failed.second_pass, visit);
    }
}

template <class T>
void visit_members(PiecePivots<T>& c, auto& visit) {
    visit_each(visit, c.first_column, c.pivots, c.perm);
    visit_members(c.report, visit);
    visit(c.are_good);
}

}  // namespace frond::cpu

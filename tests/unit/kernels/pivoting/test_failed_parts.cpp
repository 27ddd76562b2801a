// SPDX-License-Identifier: BSD-3-Clause
// Failed columns in parts, as ranks that share a front have them: the panels and the columns of accept_pivots, to the bit.
#include "accept_cases.hpp"
#include "frond/cpu/failed_parts.hpp"
#include "scalar_lists.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

namespace {

template <class T>
void put_back(const cpu::FailedPart<T>& part, index_t begin, index_t size, bool is_own, cpu::FailedColumns<T>& failed) {
    if (!is_own) return cpu::collect_part(part, begin, failed);
    for (index_t j = 0; j < size && !part.row_part.empty(); ++j)
        std::copy_n(part.row_part.data() + static_cast<count_t>(j) * part.rows, part.rows,
                    failed.own_rows_view().column(begin + j));
    for (index_t j = 0; j < part.cols && !part.column_part.empty(); ++j)
        std::copy_n(part.column_part.data() + static_cast<count_t>(j) * size, size,
                    failed.own_columns_view().column(j) + begin);
}

/// accept_pivots by what the ranks of a shared front do, each tile on a rank of its own.
template <class T>
index_t accept_by_parts(Factorization kind, const PivotRule& rule, index_t limit, cpu::FactoredPanel<T>& panel,
                        cpu::FailedColumns<T>& failed, PivotReport& report) {
    const index_t n = panel.diagonal.cols;
    const cpu::FactoredDiagonal<T> diagonal{panel.diagonal, panel.perm, panel.pivots, panel.replaced};
    cpu::FailedPart<T> of_panel;
    cpu::deal_part<T>(kind, failed, panel.first_column, n, of_panel, nullptr);
    std::vector<cpu::FailedPart<T>> parts(panel.tiles.size()), back(panel.tiles.size());
    for (std::size_t t = 0; t < parts.size(); ++t)
        cpu::deal_part<T>(kind, failed, panel.tiles[t].begin, panel.tiles[t].left.rows, parts[t], nullptr);
    const auto accepted = cpu::decide_pivots<T>(kind, rule, limit, diagonal, of_panel, report, nullptr);
    CHECK(accepted.made == 1);
    const auto is_own = [&](std::size_t t) { return panel.tiles[t].begin < failed.npiv; };
    for (std::size_t t = 0; t < parts.size() && accepted.given_back() > 0; ++t)
        cpu::give_back_tile<T>(kind, accepted, panel.diagonal, is_own(t), panel.tiles[t], back[t], nullptr);
    if (accepted.given_back() > 0) cpu::clear_diagonal<T>(kind, accepted.kept, diagonal);
    cpu::keep_failed<T>(kind, accepted, panel.first_column, panel.first_position, failed);
    for (std::size_t t = 0; t < parts.size(); ++t) {
        cpu::update_failed_part<T>(kind, accepted, is_own(t), panel.tiles[t], &back[t], &back[t], parts[t], nullptr);
        CHECK(parts[t].rows == failed.rows());
        CHECK(parts[t].cols == failed.cols());
        put_back(parts[t], panel.tiles[t].begin, panel.tiles[t].left.rows, is_own(t), failed);
    }
    return accepted.kept;
}

/// Fronts of the same entries, one by accept_pivots.
template <class T>
void check_same_bits(const AcceptKind& k, const std::vector<index_t>& failing) {
    AcceptedFront<T> whole = accepted_front<T>(k), parts = accepted_front<T>(k);
    parts.accept = accept_by_parts<T>;
    for (AcceptedFront<T>* front : {&whole, &parts}) {
        fill_failing(*front, failing, [](index_t c) { return c + 16; });
        front->run(accept_rule<T>());
    }
    CHECK(whole.second_pass.cols() > 0);
    CHECK(parts.kept == whole.kept);
    CHECK(parts.second_pass.column_position == whole.second_pass.column_position);
    CHECK(parts.second_pass.own_rows == whole.second_pass.own_rows);
    CHECK(parts.second_pass.own_columns == whole.second_pass.own_columns);
    CHECK(parts.second_pass.panel == whole.second_pass.panel);
    CHECK(parts.second_pass.pivots == whole.second_pass.pivots);
    CHECK(parts.delayed.columns == whole.delayed.columns);
    CHECK(parts.report.largest_l == whole.report.largest_l);
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("failed columns in parts", T, failed_in_parts) {
    check_easy_fronts<T>(accept_by_parts<T>);
    check_random_fronts<T>(accept_by_parts<T>, 40);
    for (const AcceptKind& k : accept_kinds) {
        CAPTURE(std::string(k.name));
        check_same_bits<T>(k, {2, 3, 7, 8});
        check_same_bits<T>(k, {0, 6});
    }
}
TEST_CASE_TEMPLATE_APPLY(failed_in_parts, Scalars);

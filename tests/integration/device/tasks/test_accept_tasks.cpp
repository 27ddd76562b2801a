// SPDX-License-Identifier: BSD-3-Clause
// accept_pivots as a task on cores and on the device, and factor_subtree as one on cores, by the checks that the kernels
// of cores pass (tests/unit).
#include "contribution_checks.hpp"
#include "needs_device.hpp"
#include "scalar_lists.hpp"
#include "accept_cases.hpp"
#include "task_buffers.hpp"
#include "tasks/pivots/accept_pivots.hpp"
#include "tasks/piece/factor_subtree.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

namespace {

template <class T>
std::vector<unsigned char> record_of(const cpu::FactoredPanel<T>& panel) {
    const index_t n = panel.diagonal.cols;
    std::vector<unsigned char> bytes(static_cast<std::size_t>(PivotRecord<T>::bytes(n)));
    const auto record = PivotRecord<T>::at(bytes.data(), n);
    std::copy_n(panel.perm, n, record.perm);
    std::copy_n(panel.pivots, 2 * n, record.pivots);
    std::copy_n(panel.replaced, n, record.replaced);
    return bytes;
}

/// The panel and what is after it as a front of its own.
template <class T>
TileGrid grid_of(const cpu::FactoredPanel<T>& panel) {
    TileGrid grid;
    grid.cut = {panel.first_column, panel.first_column + panel.diagonal.cols};
    for (const auto& tile : panel.tiles) grid.cut.push_back(tile.begin + tile.left.rows);
    grid.own_tiles = 1;
    return grid;
}

template <class T>
index_t accept_by_task(std::uint32_t where, Factorization kind, const PivotRule& rule, index_t limit,
                       cpu::FactoredPanel<T>& panel, cpu::FailedColumns<T>& failed, PivotReport& report) {
    const TileGrid grid = grid_of(panel);
    std::vector<unsigned char> record = record_of(panel);
    const index_t n = panel.diagonal.cols;
    PivotOutcome outcome;
    outcome.begin(n);
    outcome.limit.columns = limit;
    outcome.limit.largest_l = report.largest_l;
    outcome.counts = report;
    outcome.kept = -1;
    AcceptPivotsArguments<T> a;
    a.kind = kind;
    a.rule = rule;
    a.grid = &grid;
    a.first_position = panel.first_position - panel.first_column;
    TaskBuffers buffers;
    buffers.add(panel.diagonal, STARPU_RW);
    buffers.add_record<T>(record, n, outcome, STARPU_RW);
    buffers.add_object(failed, STARPU_RW);
    for (const auto& tile : panel.tiles) {
        buffers.add(tile.left, STARPU_RW);
        buffers.add(tile.spare, STARPU_RW);
        if (kind == Factorization::lu) buffers.add(tile.upper, STARPU_RW);
    }
    buffers.run(where, accept_pivots_codelet<T>(), a);
    std::copy_n(PivotRecord<T>::at(record.data(), n).pivots, 2 * n, panel.pivots);
    CHECK(outcome.failed_rows == failed.rows());
    CHECK(outcome.failed_columns == failed.cols());
    report = outcome.counts;
    return outcome.kept;
}

template <class T>
void subtree_by_task(std::uint32_t where, const Analysis& analysis, const Subtree& subtree, const T* entries,
                     const PivotRule& rule, T* factor, index_t* perm, DenseView<T> contribution,
                     cpu::SubtreeSecondPasses<T>* second_passes, PivotReport& report, cpu::MemoryAccount* account) {
    SubtreeArguments a;
    a.analysis = &analysis;
    a.subtree = &subtree;
    a.rule = rule;
    a.threshold = second_passes != nullptr && rule.threshold > 0;
    a.account = account;
    const std::vector<count_t>& begin = analysis.entry_map.front_begin;
    const Front& first = analysis.tree.fronts[static_cast<std::size_t>(subtree.first_front)];
    const Front& root = analysis.tree.fronts[static_cast<std::size_t>(subtree.root_front)];
    cpu::SubtreePivots<T> pivots;
    pivots.perm.resize(static_cast<std::size_t>(root.first_column + root.npiv - first.first_column));
    const auto scalars =
        static_cast<index_t>(cpu::subtree_factor_scalars(analysis.tree, subtree, analysis.factorization));
    TaskBuffers buffers;
    buffers.add_vector(factor, scalars, STARPU_W);
    buffers.add_vector(const_cast<T*>(entries),
                       begin[static_cast<std::size_t>(subtree.root_front) + 1] -
                           begin[static_cast<std::size_t>(subtree.first_front)],
                       STARPU_R);
    buffers.add_object(pivots, STARPU_W);
    if (contribution.rows > 0) buffers.add(contribution, STARPU_W);
    buffers.run(where, factor_subtree_codelet<T>(), a);
    std::copy(pivots.perm.begin(), pivots.perm.end(), perm);
    report += pivots.outcome.counts;
    const cpu::DelayedColumns<T>& delayed = pivots.second_passes.delayed;
    CHECK(pivots.outcome.hand_over_bytes == (can_hand_over(a) ? cpu::packed_bytes(delayed) : 0));
    CHECK(pivots.outcome.failed_columns == delayed.cols());
    if (second_passes != nullptr) *second_passes = std::move(pivots.second_passes);
}

template <class T>
void check_accepting(std::uint32_t where) {
    const auto accept = [where](auto&&... given) { return accept_by_task<T>(where, given...); };
    check_easy_fronts<T>(accept);
    check_random_fronts<T>(accept, 20);
}

template <class T>
void check_subtree_tasks(std::uint32_t where) {
    for (const double threshold : {0.0, 0.01}) {
        CAPTURE(threshold);
        PivotRule rule;
        rule.threshold = threshold;
        rule.smallest_pivot = threshold > 0 ? 1 : 0;
        check_subtrees<T>(
            [where](const Analysis& analysis, const Subtree& subtree, const T* entries, const PivotRule& r, T* factor,
                    index_t* perm, DenseView<T> contribution, T*, cpu::StopFlags,
                    cpu::SubtreeSecondPasses<T>* second_passes, PivotReport& report, cpu::MemoryAccount* account) {
                subtree_by_task(where, analysis, subtree, entries, r, factor, perm, contribution, second_passes, report,
                                account);
            },
            rule);
    }
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("accept_pivots on cores against the reference", T, core_acceptance) {
    check_accepting<T>(STARPU_CPU);
}

TEST_CASE_TEMPLATE_APPLY(core_acceptance, Scalars);

TEST_CASE_TEMPLATE_DEFINE("factor_subtree on cores against the reference", T, core_subtrees) {
    check_subtree_tasks<T>(STARPU_CPU);
}

TEST_CASE_TEMPLATE_APPLY(core_subtrees, Scalars);

TEST_SUITE_BEGIN(needs_device);

TEST_CASE_TEMPLATE_DEFINE("accept_pivots on the device against the reference", T, accept_tasks) {
    check_accepting<T>(device_workers);
}

TEST_CASE_TEMPLATE_APPLY(accept_tasks, Scalars);

TEST_SUITE_END();

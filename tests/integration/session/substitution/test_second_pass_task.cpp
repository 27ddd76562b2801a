// SPDX-License-Identifier: BSD-3-Clause
// The task of a second pass finds all rows that it takes in its buffers, wherever these lie.
#include "engine/kind_of_run.hpp"
#include "rhs_block.hpp"
#include "scalar_lists.hpp"
#include "tasks/solve/solve_second_pass.hpp"
#include "frond/codelets/object_data.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

constexpr index_t order = 16, ncb = 3, rhs = 2;
/// The front's own columns; the segments of the task begin in these positions, in this order.
constexpr index_t own_first = 8, npiv = 5;
const std::vector<index_t> segment_first{10, 0, 8}, segment_size{3, 8, 2}, contribution_size{2, 1};

template <class T>
HostVector<T> random_values(index_t count, std::uint64_t seed) {
    const auto block = RhsBlock<T>::random(count, 1, seed);
    HostVector<T> values;
    for (index_t i = 0; i < count; ++i) values.push_back(block(i, 0));
    return values;
}

/// A second pass of four columns, two of them from other units, and three of them kept; null columns and delayed ones
/// behind these.
template <class T>
cpu::SecondPass<T> some_second_pass(Factorization kind) {
    cpu::SecondPass<T> factors;
    factors.npiv = npiv;
    factors.ncb = ncb;
    factors.kept = 3;
    factors.row_position = factors.column_position = {3, 11, 6, 9};
    if (kind == Factorization::lu) {
        factors.row_position = {9, 3, 6, 11};
        factors.row_position_after = {3, 11, 6, 9};
        factors.own_columns = random_values<T>(npiv * 4, 1);
        factors.upper = random_values<T>(3 * (1 + ncb), 2);
    } else {
        factors.pivots = random_values<T>(2 * 3, 3);
        for (index_t k = 0; k < 3; ++k) factors.pivots[static_cast<std::size_t>(2 * k + 1)] = T(0);
    }
    factors.own_rows = random_values<T>(4 * npiv, 4);
    factors.panel = random_values<T>((4 + ncb) * 3, 5);
    return factors;
}

template <class T>
DenseView<T> dense(RhsBlock<T>& block) {
    const BlockView<T> view = block.view();
    return {view.data, block.rows(), block.cols(), static_cast<index_t>(view.ld)};
}

template <class T>
struct Vectors {
    RhsBlock<T> x = RhsBlock<T>::random(order, rhs, 6), y = RhsBlock<T>::random(ncb, rhs, 7);
};

/// Rows of a block in memory of their own, as StarPU may have copied them.
template <class T>
struct CopiedRows {
    CopiedRows(RhsBlock<T>& of, index_t first, index_t rows) : block(of), begin(first), copy(rows, rhs, gap) {
        for (index_t j = 0; j < rhs; ++j)
            for (index_t i = 0; i < rows; ++i) copy(i, j) = of(first + i, j);
        const DenseView<T> view = dense(copy);
        seen.ptr = reinterpret_cast<std::uintptr_t>(view.data);
        seen.nx = static_cast<std::uint32_t>(view.rows);
        seen.ny = static_cast<std::uint32_t>(view.cols);
        seen.ld = static_cast<std::uint32_t>(view.ld);
    }
    void put_back() const {
        for (index_t j = 0; j < rhs; ++j)
            for (index_t i = 0; i < copy.rows(); ++i) block(begin + i, j) = copy(i, j);
    }

    static constexpr index_t gap = 3;
    RhsBlock<T>& block;
    index_t begin;
    RhsBlock<T> copy;
    starpu_matrix_interface seen{};
};

SecondPassGather gather_of(const auto& factors) {
    SecondPassGather gather;
    gather.segments = static_cast<int>(segment_first.size());
    std::vector<index_t> position;  // of each row of the gathered vector
    const auto row_of = [&](index_t p) {
        const auto known = std::find(position.begin(), position.end(), p);
        if (known != position.end()) return static_cast<index_t>(known - position.begin());
        position.push_back(p);
        std::size_t s = 0;
        while (p < segment_first[s] || p >= segment_first[s] + segment_size[s]) ++s;
        gather.rows.push_back({static_cast<int>(s), p - segment_first[s]});
        return static_cast<index_t>(position.size() - 1);
    };
    for (index_t k = 0; k < npiv; ++k) row_of(own_first + k);
    for (const index_t p : factors.row_position) gather.row.push_back(row_of(p));
    for (const index_t p : factors.row_position_after) gather.row_after.push_back(row_of(p));
    for (const index_t p : factors.column_position) gather.column.push_back(row_of(p));
    return gather;
}

/// By the task's body, with buffers apart from each other.
template <class T>
void by_task(SolveStage stage, Factorization kind, cpu::SecondPass<T>& factors, Vectors<T>& vectors) {
    const SecondPassGather gather = gather_of(factors);
    ObjectInterface object;
    object.object = &factors;
    std::deque<CopiedRows<T>> copies;
    for (std::size_t s = 0; s < segment_first.size(); ++s)
        copies.emplace_back(vectors.x, segment_first[s], segment_size[s]);
    index_t first = 0;
    for (const index_t rows : contribution_size) {
        copies.emplace_back(vectors.y, first, rows);
        first += rows;
    }
    std::vector<void*> buffers{&object};
    for (CopiedRows<T>& rows : copies) buffers.push_back(&rows.seen);
    Job job(detail::starpu_engine());
    SecondPassSolveArguments a;
    a.job = &job;
    a.stage = stage;
    a.kind = kind;
    a.gather = &gather;
    a.contribution_segments = stage == SolveStage::diagonal ? 0 : static_cast<int>(contribution_size.size());
    solve_second_pass_codelet<T>().cpu_funcs[0](buffers.data(), &a);
    job.wait();
    for (const CopiedRows<T>& rows : copies) rows.put_back();
}

template <class T>
void check_task(SolveStage stage, Factorization kind) {
    CAPTURE(text_of(stage));
    CAPTURE(static_cast<int>(kind));
    cpu::SecondPass<T> factors = some_second_pass<T>(kind);
    Vectors<T> whole, gathered;
    const auto before = RhsBlock<T>::random(order, rhs, 6);
    solve_second_pass(stage, Operation::none, kind, factors, cpu::rows_of_positions(factors, 0, own_first),
                      dense(whole.x), dense(whole.y));
    by_task(stage, kind, factors, gathered);
    index_t changed = 0;
    for (index_t j = 0; j < rhs; ++j) {
        for (index_t i = 0; i < order; ++i) {
            CHECK(gathered.x(i, j) == whole.x(i, j));
            changed += whole.x(i, j) != before(i, j) ? 1 : 0;
        }
        for (index_t i = 0; i < ncb; ++i) CHECK(gathered.y(i, j) == whole.y(i, j));
    }
    CHECK(changed > 0);
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("a second pass takes its rows from buffers anywhere, to the same bits", T, gathered_rows) {
    for (const SolveStage stage : {SolveStage::forward, SolveStage::diagonal, SolveStage::backward})
        check_task<T>(stage, Factorization::ldlt);
    for (const SolveStage stage : {SolveStage::forward, SolveStage::backward}) check_task<T>(stage, Factorization::lu);
}
TEST_CASE_TEMPLATE_APPLY(gathered_rows, Scalars);

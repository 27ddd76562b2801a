// SPDX-License-Identifier: BSD-3-Clause
// The tile tasks against the reference loops, by the checks that the kernels of cores pass
// (tests/unit/kernels/test_tile_kernels.cpp): on cores, and on the device.
#include "codelet_kernels.hpp"
#include "needs_device.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

namespace {

template <class T, class Check>
void on_cores(Check check) {
    CodeletKernels<T> cores(STARPU_CPU, false);
    check(cores);
}

/// By substitution, and by inverted blocks.
template <class T, class Check>
void on_the_device(Check check) {
    for (const bool with_inverses : {false, true}) {
        CAPTURE(with_inverses);
        CodeletKernels<T> device(device_workers, with_inverses);
        check(device);
    }
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("factor_diagonal on cores against the reference", T, core_diagonals) {
    on_cores<T>([](auto& kernels) { check_diagonals<T>(kernels); });
}

TEST_CASE_TEMPLATE_APPLY(core_diagonals, Scalars);

TEST_CASE_TEMPLATE_DEFINE("solve_panel on cores against the reference", T, core_panels) {
    on_cores<T>([](auto& kernels) { check_panels<T>(kernels); });
}

TEST_CASE_TEMPLATE_APPLY(core_panels, Scalars);

TEST_CASE_TEMPLATE_DEFINE("update_tile on cores against the reference", T, core_updates) {
    on_cores<T>([](auto& kernels) { check_updates<T>(kernels); });
}

TEST_CASE_TEMPLATE_APPLY(core_updates, Scalars);

TEST_CASE_TEMPLATE_DEFINE("assemble_tile on cores against the reference", T, core_assembly) {
    on_cores<T>([](auto& kernels) { check_extend_add<T>(kernels); });
}

TEST_CASE_TEMPLATE_APPLY(core_assembly, Scalars);

TEST_SUITE_BEGIN(needs_device);

TEST_CASE_TEMPLATE_DEFINE("factor_diagonal on the device against the reference", T, diagonal_tasks) {
    on_the_device<T>([](auto& kernels) { check_diagonals<T>(kernels); });
}

TEST_CASE_TEMPLATE_APPLY(diagonal_tasks, Scalars);

TEST_CASE_TEMPLATE_DEFINE("factor_diagonal with a search in the tile against the reference", T, searching_tasks) {
    CodeletKernels<T> device(device_workers, true, true);
    check_diagonals<T>(device);
}

TEST_CASE_TEMPLATE_APPLY(searching_tasks, Scalars);

/// The pivots of the first block of 32 rows are a twentieth of what is below it: good enough for it, but not for other rows.
TEST_CASE("a search in the tile takes pivots from all of its rows") {
    constexpr index_t n = 65, block = 32;
    PivotRule rule;
    rule.threshold = 0.001;
    const auto largest_l = [&](bool searches_tile) {
        GuardedMatrix<double> tile = random_matrix<double>(n, n, 7);
        for (index_t j = 0; j < n; ++j)
            for (index_t i = 0; i < block; ++i) tile(i, j) *= 0.05;
        PivotParts<double> parts(n);
        PivotReport report;
        CodeletKernels<double>(device_workers, false, searches_tile)
            .factor_diagonal(Factorization::lu, tile, rule, parts, report);
        double largest = 0;
        for (index_t j = 0; j < n; ++j)
            for (index_t i = j + 1; i < n; ++i) largest = std::max(largest, std::abs(tile(i, j)));
        return largest;
    };
    CHECK(largest_l(true) < 5);
    CHECK(largest_l(false) > 20);
}

TEST_CASE_TEMPLATE_DEFINE("solve_panel on the device against the reference", T, panel_tasks) {
    on_the_device<T>([](auto& kernels) { check_panels<T>(kernels); });
}

TEST_CASE_TEMPLATE_APPLY(panel_tasks, Scalars);

TEST_CASE_TEMPLATE_DEFINE("update_tile on the device against the reference", T, update_tasks) {
    on_the_device<T>([](auto& kernels) { check_updates<T>(kernels); });
}

TEST_CASE_TEMPLATE_APPLY(update_tasks, Scalars);

TEST_CASE_TEMPLATE_DEFINE("assemble_tile on the device against the reference", T, assembly_tasks) {
    on_the_device<T>([](auto& kernels) { check_extend_add<T>(kernels); });
}

TEST_CASE_TEMPLATE_APPLY(assembly_tasks, Scalars);

TEST_SUITE_END();

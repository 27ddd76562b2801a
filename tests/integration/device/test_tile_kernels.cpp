// SPDX-License-Identifier: BSD-3-Clause
// The tile tasks against the reference loops, by the checks that the kernels of cores pass
// (tests/unit/kernels/test_tile_kernels.cpp); on cores, and on the device where there is one.
#include "codelet_kernels.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

namespace {

/// check(kernels) on cores, on the device by substitution, and there by inverted blocks.
template <class T, class Check>
void on_every_worker(Check check) {
    CodeletKernels<T> cores(STARPU_CPU, false);
    check(cores);
    if (!has_device()) return;
    for (const bool with_inverses : {false, true}) {
        CAPTURE(with_inverses);
        CodeletKernels<T> device(device_workers, with_inverses);
        check(device);
    }
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("factor_diagonal against the reference", T, diagonal_tasks) {
    on_every_worker<T>([](auto& kernels) { check_diagonals<T>(kernels); });
}

TEST_CASE_TEMPLATE_APPLY(diagonal_tasks, Scalars);

TEST_CASE_TEMPLATE_DEFINE("solve_panel against the reference", T, panel_tasks) {
    on_every_worker<T>([](auto& kernels) { check_panels<T>(kernels); });
}

TEST_CASE_TEMPLATE_APPLY(panel_tasks, Scalars);

TEST_CASE_TEMPLATE_DEFINE("update_tile against the reference", T, update_tasks) {
    on_every_worker<T>([](auto& kernels) { check_updates<T>(kernels); });
}

TEST_CASE_TEMPLATE_APPLY(update_tasks, Scalars);

TEST_CASE_TEMPLATE_DEFINE("assemble_tile against the reference", T, assembly_tasks) {
    on_every_worker<T>([](auto& kernels) { check_extend_add<T>(kernels); });
}

TEST_CASE_TEMPLATE_APPLY(assembly_tasks, Scalars);

// SPDX-License-Identifier: BSD-3-Clause
// A kernel that faults, which takes the device from the process: DeviceError, then and later, and an orderly end.
// Only where FROND_TEST_FAULTS is set: drivers log a fault, and under MPS it ends other processes, too.
#include "child_process.hpp"
#include "device_vectors.hpp"
#include "error_oracle.hpp"
#include "grid_systems.hpp"
#include "needs_device.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <limits>

using namespace frond;
using namespace frond::test;

namespace {

constexpr index_t k = 6, n = k * k * k;

/// Two columns of which a kernel that reads the second one leaves all memory of the device, 16 GiB away.
BlockView<const double> far_apart(DeviceVectors<double>& b) {
    return {b.data(), n, 2, std::numeric_limits<index_t>::max()};
}

void check_that_solves_fault(FactorPlace place) {
    const Kind kind{Factorization::llt, Symmetry::symmetric, 6.5};
    const SparseMatrix<double> a = grid<double>(k, kind);
    const Factors<double> factors = factored(a, kind.factorization, {"", 40, 60}, place);
    const auto block = RhsBlock<double>::random(n, 2, 5);
    RhsBlock<double> x(n, 2);
    CHECK(solve(factors, block.view(), x.view()).status == SolveStatus::converged);
    CHECK(componentwise_error(dense(a), widened(x), widened(block)) <= 450 * epsilon<double>());
    CHECK(gpu::works(STARPU_MAIN_RAM));
    CHECK(!gpu::has_lost_device());
    const unsigned node = gpu::first_device().value().memory_node;
    CHECK(gpu::works(node));
    // X before B, whose last column is beyond everything, so that they do not overlap.
    DeviceVectors<double> one(block), other(block);
    const bool first = one.data() > other.data();
    DeviceVectors<double>&b = first ? one : other, &solution = first ? other : one;
    SolveOptions options;
    options.place = SolvePlace::device;
    CHECK_THROWS_AS(static_cast<void>(solve(factors, far_apart(b), solution.view(), options)), DeviceError);
    CHECK_THROWS_AS(static_cast<void>(solve(factors, block.view(), x.view())), DeviceError);
    CHECK(!gpu::works(node));
    CHECK(gpu::works(STARPU_MAIN_RAM));
    CHECK(gpu::has_lost_device());
    CHECK(gpu::devices().empty());
    CHECK_THROWS_AS(factored(a, kind.factorization, {"", 40, 60}, place), DeviceError);
}

}  // namespace

TEST_CASE("child: a fault while whole factors are on the device" * doctest::skip()) {
    check_that_solves_fault(FactorPlace::automatic);
}

TEST_CASE("child: a fault while factors of tasks are held on the device" * doctest::skip()) {
    check_that_solves_fault(FactorPlace::tasks);
}

TEST_CASE("a fault of a kernel is a DeviceError and no end of the process" * doctest::test_suite(needs_faults)) {
    CHECK(run_case_in_child("child: a fault while whole factors are on the device", {}, 120) == 0);
    CHECK(run_case_in_child("child: a fault while factors of tasks are held on the device", {}, 120) == 0);
}

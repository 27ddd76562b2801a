// SPDX-License-Identifier: BSD-3-Clause
// What tasks copy between host and device themselves is in the report: the entries of A and the pivots at least, which
// StarPU knows nothing of.
#include "frond/gpu/copied_bytes.hpp"
#include "grid_systems.hpp"
#include "needs_device.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

TEST_CASE_TEMPLATE_DEFINE("copies of tasks are counted, and once" * doctest::test_suite(needs_card), T, copies) {
    constexpr index_t points = 10;
    for (const Kind& kind : kinds<T>()) {
        if (kind.diagonal < 6) continue;  // others fall back to the host
        CAPTURE(static_cast<int>(kind.factorization));
        const SparseMatrix<T> a = grid<T>(points, kind);
        const Factors<T> factors = factored(a, kind.factorization, {"tiles", 64, 0});
        const FactorReport& report = factors.report();
        const auto entries = static_cast<count_t>(a.value.size() * sizeof(T));
        const auto pivots = static_cast<count_t>(static_cast<std::size_t>(a.rows()) * sizeof(T));
        CHECK(report.place.bytes_to_devices >= entries);
        CHECK(report.place.bytes_from_devices >= pivots);
        const gpu::CopiedBytes left = gpu::take_copied_bytes();
        CHECK(left.to_devices == 0);  // the report has taken them
        CHECK(left.from_devices == 0);
    }
}
TEST_CASE_TEMPLATE_APPLY(copies, Scalars);

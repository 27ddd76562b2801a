// SPDX-License-Identifier: BSD-3-Clause
// Dense matrices on a device, by the tasks of tiles.
#include "dense_systems.hpp"
#include "frond/gpu/devices.hpp"
#include "grid_systems.hpp"
#include "needs_device.hpp"
#include "scalar_lists.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

namespace {

template <class T>
void check_dense(Symmetry symmetry, Factorization kind, double diagonal) {
    constexpr index_t n = 150;
    DenseSystem<T> system = DenseSystem<T>::random(n, symmetry, 3, diagonal);
    DenseMatrixView<T> view{n, system.a.data()};
    view.symmetry = symmetry;
    AnalysisOptions options;
    options.factorization = kind;
    options.tile_size = 40;
    options.deterministic = true;  // then all tiles are on the device, whatever their order
    Solver<T> solver(device_session(), options);
    const FactorReport& report = solver.factor(view);
    CHECK(report.status == FactorStatus::success);
    CHECK(!report.place.on_device);
    const bool moves_data = gpu::vendor_of_build() != DeviceVendor::emulated;
    CHECK((report.place.bytes_to_devices > 0) == moves_data);
    const std::vector<T> b = random_values<T>(n, 4);
    std::vector<T> x(n);
    const SolveReport solved = solver.solve(b, x);
    CHECK(solved.status == SolveStatus::converged);
    CHECK(!solved.on_device);
    CHECK(system.error(Operation::none, x.data(), b.data()) <= rounding_bound<T>(n));
    CHECK(report.place.reason == "a dense matrix is one front on tiles");
    FactorOptions whole;
    whole.place = FactorPlace::device;
    CHECK_THROWS_AS(solver.factor(view, whole), InvalidArgument);
}

}  // namespace

TEST_SUITE_BEGIN(needs_device);

TEST_CASE_TEMPLATE_DEFINE("dense matrices on the device as on a core", T, dense_on_device) {
    check_dense<T>(Symmetry::general, Factorization::lu, 0);
    check_dense<T>(Symmetry::symmetric, Factorization::ldlt, 0);
    check_dense<T>(is_complex<T> ? Symmetry::hermitian : Symmetry::symmetric, Factorization::llt, 150);
}
TEST_CASE_TEMPLATE_APPLY(dense_on_device, Scalars);

TEST_SUITE_END();

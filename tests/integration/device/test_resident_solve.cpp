// SPDX-License-Identifier: BSD-3-Clause
// Solves with factors that stay on the device. Without a device the refusals and the host's results are
// checked.
#include "error_oracle.hpp"
#include "grid_systems.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace frond;
using namespace frond::test;

namespace {

SolveOptions on_device_alone() {
    SolveOptions options;
    options.place = SolvePlace::device;
    options.max_refinement_steps = 0;
    options.krylov = Krylov::off;
    return options;
}

template<class T>
std::string refusal(const Factors<T>& factors, const SolveOptions& options) {
    const index_t n = factors.analysis().order;
    const auto b = RhsBlock<T>::random(n, 1, 5);
    RhsBlock<T> x(n, 1);
    try {
        solve(factors, b.view(), x.view(), options);
    } catch (const InvalidArgument& error) {
        return error.what();
    }
    return "";
}

} // namespace

TEST_CASE_TEMPLATE_DEFINE("resident solves", T, resident) {
    constexpr index_t k = 7, n = k * k * k;
    for (const Kind& kind : kinds<T>()) {
        if (kind.diagonal < 6) continue; // elsewhere columns may be set back, which the device leaves to the host
        CAPTURE(static_cast<int>(kind.factorization));
        const SparseMatrix<T> a = grid<T>(k, kind);
        const DenseMatrix d = dense(a);
        for (const ForcedMapping& mapping :
             {ForcedMapping{"one subtree", 16, n}, ForcedMapping{"subtrees and tiles", 40, 60},
              ForcedMapping{"tiles", 64, 0}, ForcedMapping{"one tile a front", 300, 0}}) {
            CAPTURE(std::string(mapping.name));
            const Factors<T> factors = factored(a, kind.factorization, mapping);
            // 70: more than go over at once. Once is enough.
            const index_t most = mapping.subtree_columns == 60 ? 70 : 3;
            for (const index_t rhs : {index_t(1), index_t(3), most}) {
                CAPTURE(rhs);
                const auto b = RhsBlock<T>::random(n, rhs, 31);
                RhsBlock<T> x(n, rhs);
                SolveOptions options = on_device_alone();
                if (!has_device()) options.place = SolvePlace::automatic;
                const SolveReport report = solve(factors, b.view(), x.view(), options);
                CHECK(report.on_device == has_device());
                CHECK(componentwise_error(d, widened(x), widened(b)) <= 450 * epsilon<T>());
            }
        }
    }
}
TEST_CASE_TEMPLATE_APPLY(resident, Scalars);

TEST_CASE("2 x 2 pivots and pivot orders on the device") {
    const Kind kind{Factorization::ldlt, Symmetry::symmetric, 3};
    const SparseMatrix<double> a = grid<double>(8, kind);
    const DenseMatrix d = dense(a);
    const Factors<double> factors = factored(a, kind.factorization, {"", 40, 60});
    const auto b = RhsBlock<double>::random(512, 2, 8);
    RhsBlock<double> x(512, 2), again(512, 2);
    const SolveReport report = solve(factors, b.view(), x.view());
    CHECK(report.status == SolveStatus::converged);
    CHECK(componentwise_error(d, widened(x), widened(b)) <= 450 * epsilon<double>());
    // Bit for bit the same again.
    solve(factors, b.view(), again.view());
    for (index_t j = 0; j < 2; ++j)
        for (index_t i = 0; i < 512; ++i) REQUIRE(x(i, j) == again(i, j));
}

TEST_CASE("another factorization takes the device, and gives it back") {
    const Kind kind{Factorization::llt, Symmetry::symmetric, 6.5};
    const SparseMatrix<double> a = grid<double>(7, kind), other = grid<double>(6, kind);
    const DenseMatrix d = dense(a);
    const Factors<double> factors = factored(a, kind.factorization, {"", 40, 60});
    const auto b = RhsBlock<double>::random(343, 1, 8);
    for (int round = 0; round < 3; ++round) {
        RhsBlock<double> x(343, 1);
        const SolveReport report = solve(factors, b.view(), x.view());
        CHECK(report.on_device == has_device());
        CHECK(componentwise_error(d, widened(x), widened(b)) <= 450 * epsilon<double>());
        CHECK(factored(other, kind.factorization, {"", 40, 60}).report().status == FactorStatus::success);
    }
}

TEST_CASE("place = device says why it cannot be") {
    const Kind kind{Factorization::lu, Symmetry::general, 6.5};
    const Factors<double> factors = factored(grid<double>(5, kind), kind.factorization, {"", 16, 40});
    SolveOptions options = on_device_alone();
    if (!has_device()) {
        CHECK(refusal(factors, options).find("no device") != std::string::npos);
        return;
    }
    CHECK(refusal(factors, options).empty());
    options.operation = Operation::transpose;
    CHECK(refusal(factors, options).find("transposed") != std::string::npos);
    options.operation = Operation::none;
    options.part = SolvePart::forward;
    CHECK(refusal(factors, options).find("whole solves") != std::string::npos);
}

// SPDX-License-Identifier: BSD-3-Clause
// Fronts so large that products behind a block of columns go on beside the steps of the next one. Two of them share a
// level, or are on a device each, with the same bits; orders and separators are odd. On cores smaller ones, where nothing of that is met.
#include "frond/gpu/devices.hpp"
#include "grid_systems.hpp"
#include "needs_device.hpp"
#include "rhs_block.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

/// Two dense blocks of `own` unknowns, not coupled with each other, but with all of the last `shared` ones. So is a
/// single unknown before the blocks, whose front is joined with that of the last ones in place of theirs.
SparseMatrix<double> two_blocks(index_t own, index_t shared, Symmetry symmetry, double second_pivot) {
    const index_t n = 2 * own + 1 + shared;
    Random random(19);
    SparseMatrix<double> a;
    a.symmetry = symmetry;
    a.pattern.rows = a.pattern.cols = n;
    a.pattern.begin.push_back(0);
    for (index_t j = 0; j < n; ++j) {
        for (index_t i = symmetry == Symmetry::general ? 0 : j; i < n; ++i) {
            const index_t first = std::min(i, j), last = std::max(i, j);
            const bool apart = first == 0 || (first - 1) / own != (last - 1) / own;
            if (first < last && last <= 2 * own && apart) continue;
            a.pattern.row.push_back(i);
            a.value.push_back(i == j ? (j % 2 == 0 ? 1 : second_pivot) : random.value<double>() / n);
        }
        a.pattern.begin.push_back(static_cast<count_t>(a.pattern.row.size()));
    }
    return a;
}

RhsBlock<double> solution(const AnalysisResult& analysed, const SparseMatrix<double>& a,
                          index_t devices = has_device() ? 1 : 0) {
    const Factors<double> factors = factorize(device_session(), analysed.analysis, a, {}, &analysed.scaling);
    CHECK(factors.report().place.on_device == has_device());
    CHECK(factors.report().place.devices_used == devices);
    const auto b = RhsBlock<double>::random(a.rows(), 1, 31);
    RhsBlock<double> x(a.rows(), 1);
    SolveOptions options;
    options.max_refinement_steps = 0;
    options.krylov = Krylov::off;
    const SolveReport report = solve(factors, b.view(), x.view(), options);
    CHECK(report.componentwise_backward_error <= 450 * epsilon<double>());
    return x;
}

void check_kind(Factorization kind, Symmetry symmetry, double second_pivot) {
    CAPTURE(static_cast<int>(kind));
    const SparseMatrix<double> a =
        has_device() ? two_blocks(1301, 3303, symmetry, second_pivot) : two_blocks(71, 103, symmetry, second_pivot);
    AnalysisOptions options;
    options.factorization = kind;
    options.ordering = OrderingMethod::natural;
    options.amalgamation_zeros = 1e-6;
    options.deterministic = true;
    const AnalysisResult analysed = analyze(a, options);
    const AssemblyTree& tree = analysed.analysis->tree;
    REQUIRE(tree.front_count() == 3);
    REQUIRE(tree.fronts[0].parent == 2);
    REQUIRE(tree.fronts[1].parent == 2);
    const RhsBlock<double> x = solution(analysed, a);
    const RhsBlock<double> again = solution(analysed, a);
    CHECK(x == again);
    gpu::force_sharing(2);
    const AnalysisResult anew = analyze(a, options);  // no workspace of the one before
    const RhsBlock<double> shared = solution(anew, a, has_device() ? 2 : 0);
    gpu::force_sharing(1);
    CHECK(x == shared);
}

}  // namespace

TEST_SUITE_BEGIN(needs_device);

TEST_CASE("products of large fronts" * doctest::test_suite(needs_quick_device)) {
    check_kind(Factorization::llt, Symmetry::symmetric, 1);
    check_kind(Factorization::ldlt, Symmetry::symmetric, -1);
    check_kind(Factorization::lu, Symmetry::general, 1);
}

TEST_SUITE_END();

// SPDX-License-Identifier: BSD-3-Clause
// Subtrees on cores beside a device, against the same tree on the device alone.
#include "error_oracle.hpp"
#include "forced_sharing.hpp"
#include "grid_systems.hpp"
#include "kept_tree.hpp"
#include "needs_device.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

#include <set>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

constexpr ForcedMapping small_subtrees{"subtrees and tiles", 40, 40};
/// Cores that do all they may, and cores that leave some of it to the device.
constexpr double all_they_may = 1e6, some = 1;

template <class T>
void check_solves(const Factors<T>& factors, const SparseMatrix<T>& a, double bound) {
    const index_t n = a.rows();
    const auto b = RhsBlock<T>::random(n, 2, 31);
    for (const SolvePlace place : {SolvePlace::host, SolvePlace::automatic}) {
        CAPTURE(static_cast<int>(place));
        RhsBlock<T> x(n, 2);
        SolveOptions options;
        options.place = place;
        options.max_refinement_steps = 0;
        options.krylov = Krylov::off;
        static_cast<void>(solve(factors, b.view(), x.view(), options));
        CHECK(componentwise_error(dense(a), widened(x), widened(b)) <= bound);
    }
}

/// No more than rounding may differ. Where no column is delayed, that is all that cores may change.
template <class T>
void check_same_report(const Factors<T>& with, const Factors<T>& alone) {
    CHECK(with.report().status == alone.report().status);
    REQUIRE(with.report().pivots.inertia.has_value() == alone.report().pivots.inertia.has_value());
    if (alone.report().pivots.inertia) {
        CHECK(with.report().pivots.inertia->negative == alone.report().pivots.inertia->negative);
        CHECK(with.report().pivots.inertia->zero == alone.report().pivots.inertia->zero);
    }
    const double n = alone.analysis().order;
    CHECK(is_near(with.log_determinant()->log_abs, alone.log_determinant()->log_abs, rounding_bound<T>(4 * n)));
}

template <class T>
std::size_t check_kind(const Kind& kind, double speed) {
    const SparseMatrix<T> a = grid<T>(size_here(7, 6), kind);
    const Factors<T> alone = factored(a, kind.factorization, small_subtrees, FactorPlace::automatic);
    const ForcedCores forced(speed);
    const Factors<T> with = factored(a, kind.factorization, small_subtrees, FactorPlace::automatic);
    CHECK(with.report().place.on_device == alone.report().place.on_device);
    if (kind.diagonal > 6) CHECK(with.report().place.on_device == has_device());
    check_same_report(with, alone);
    check_solves(with, a, (kind.diagonal > 6 ? 1 : 100) * 450 * epsilon<T>());
    const std::optional<KeptTree> kept = kept_tree<T>();
    if (!kept) return 0;
    if (alone.report().place.on_device) CHECK(alone.report().work.subtree_tasks == 0);
    if (with.report().place.on_device)
        CHECK(with.report().work.subtree_tasks == static_cast<count_t>(kept->core_pieces));
    if (kept->core_pieces == 0) return 0;
    CHECK(with.report().place.on_device);
    return kept->pieces - kept->core_pieces;
}

AnalysisResult analysed_for(Factorization kind, const SparseMatrix<double>& a) {
    AnalysisOptions options;
    options.factorization = kind;
    options.deterministic = true;
    return analyze(a, options);
}

}  // namespace

TEST_SUITE_BEGIN(needs_one_device);

TEST_CASE_TEMPLATE_DEFINE("pieces on cores beside a device", T, pieces_on_cores) {
    std::set<std::size_t> pieces_of_device;
    for (const Kind& kind : kinds<T>())
        for (const double speed : {all_they_may, some}) {
            CAPTURE(static_cast<int>(kind.factorization));
            CAPTURE(kind.diagonal);
            CAPTURE(speed);
            const std::size_t pieces = check_kind<T>(kind, speed);
            pieces_of_device.insert(pieces);
            if (kind.diagonal > 6) CHECK((pieces > 0) == has_device());
        }
    // Two, before the cores end and after; with many cores they may do all that is below.
    constexpr index_t few_cores = 4;
    if (device_session().info().cpu_workers <= few_cores) CHECK(pieces_of_device.contains(2) == has_device());
}
TEST_CASE_TEMPLATE_APPLY(pieces_on_cores, Scalars);

TEST_CASE("pieces on cores, one factorization after the other") {
    SparseMatrix<double> a = grid<double>(7, {Factorization::lu, Symmetry::general, 6.5});
    const AnalysisResult analysed = analysed_for(Factorization::lu, a);
    const auto mapped = remapped(*analysed.analysis, small_subtrees);
    const ForcedCores forced(some);
    const void* plan = nullptr;
    for (int k = 0; k < 3; ++k) {
        for (double& value : a.value) value *= 1 + 0.25 * k;
        const Factors<double> factors = factorize(device_session(), mapped, a, {}, &analysed.scaling);
        CHECK(factors.report().place.on_device == has_device());
        check_solves(factors, a, 450 * epsilon<double>());
        const std::optional<KeptTree> kept = kept_tree<double>();
        REQUIRE(kept.has_value());
        CHECK(kept->core_pieces > 0);
        if (k > 0) CHECK(kept->plan == plan);
        plan = kept->plan;
    }
}

namespace {

/// A subtree's column has an entry in a row outside of it that is so large that no pivot of the column is accepted there.
void couple_by_far_too_much(const Analysis& analysis, SparseMatrix<double>& a) {
    for (const Subtree& subtree : analysis.mapping.subtrees) {
        const auto root = static_cast<std::size_t>(subtree.root_front);
        const EntryMap& map = analysis.entry_map;
        for (auto e = static_cast<std::size_t>(map.front_begin[root]);
             e < static_cast<std::size_t>(map.front_begin[root + 1]); ++e) {
            if (map.row[e] < analysis.tree.fronts[root].npiv) continue;
            const count_t source = map.source[e];
            a.value[static_cast<std::size_t>(source < 0 ? ~source : source)] *= 1e5;
            return;
        }
    }
    FAIL("no subtree has entries in rows outside of it");
}

}  // namespace

TEST_CASE("pieces on cores whose pivots fail are left to the device") {
    SparseMatrix<double> a = grid<double>(7, {Factorization::ldlt, Symmetry::symmetric, 6.5});
    const AnalysisResult analysed = analysed_for(Factorization::ldlt, a);
    const auto mapped = remapped(*analysed.analysis, small_subtrees);
    const ForcedCores forced(all_they_may);
    const auto again = [&] { return factorize(device_session(), mapped, a, {}, &analysed.scaling); };
    static_cast<void>(again());
    REQUIRE(kept_tree<double>().has_value());
    CHECK(kept_tree<double>()->core_pieces > 0);
    couple_by_far_too_much(*mapped, a);
    for (int k = 0; k < 2; ++k) {
        const Factors<double> factors = again();
        CHECK(factors.report().status == FactorStatus::success);
        CHECK(factors.report().pivots.delayed > 0);
        check_solves(factors, a, 100 * 450 * epsilon<double>());
        REQUIRE(kept_tree<double>().has_value());
        CHECK(kept_tree<double>()->without_cores);
        CHECK(kept_tree<double>()->core_pieces == 0);
    }
}

TEST_CASE("pieces on cores of a matrix that is not definite") {
    SparseMatrix<double> a = grid<double>(7, {Factorization::llt, Symmetry::symmetric, 6.5});
    const auto mapped = remapped(*analysed_for(Factorization::llt, a).analysis, small_subtrees);
    const ForcedCores forced(all_they_may);
    const Factors<double> good = factorize(device_session(), mapped, a);
    CHECK(good.report().status == FactorStatus::success);
    const index_t first = mapped->column_order.front();
    a.value[static_cast<std::size_t>(a.pattern.begin[static_cast<std::size_t>(first)])] = -1;  // its diagonal
    CHECK(factorize(device_session(), mapped, a).report().status == FactorStatus::not_positive_definite);
}

TEST_SUITE_END();

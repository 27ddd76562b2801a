// SPDX-License-Identifier: BSD-3-Clause
// Ranks with a device each: their branches are factored there, the fronts above by tasks.
#include "branch_solvers.hpp"
#include "dealt_system.hpp"
#include "frond/matrix/generate.hpp"
#include "needs_ranks.hpp"
#include "shared_always.hpp"
#include "trouble_systems.hpp"

#include <optional>

using namespace frond;
using namespace frond::test;

namespace {

struct Found {
    FactorReport report;
    double log_abs_determinant = 0;
};

/// Also solves, one right-hand side and several.
template <class T>
Found found_by(const SomeRanks& ranks, Solver<T>& solver, const SparseMatrix<T>& a, FactorPlace place) {
    Found found;
    found.report = solver.factor(dealt(a, ranks).view(), placed(place));
    if (ranks.rank() == 0) {
        const auto determinant = solver.factors().log_determinant();
        found.log_abs_determinant = determinant ? determinant->log_abs : 0;
    }
    check_solves(solver, a, ranks);
    std::vector<T> b = simple_rhs(a, 3), x(b.size());
    const SolveReport solved =
        solver.solve(whole_on<const T>(ranks, 0, b, a.rows(), 3), whole_on<T>(ranks, 0, x, a.rows(), 3));
    CHECK(solved.status == SolveStatus::converged);
    return found;
}

/// The tolerance of sums in another order, on devices.
constexpr double of_another_order = 1e-9;

void check_alike(const Found& found, const Found& on_cores) {
    const FactorReport::Pivots &here = found.report.pivots, &there = on_cores.report.pivots;
    CHECK(found.report.status == on_cores.report.status);
    REQUIRE(here.inertia.has_value() == there.inertia.has_value());
    if (here.inertia) {
        CHECK(here.inertia->negative == there.inertia->negative);
        CHECK(here.inertia->zero == there.inertia->zero);
        CHECK(here.inertia->positive == there.inertia->positive);
    }
    CHECK(found.log_abs_determinant == doctest::Approx(on_cores.log_abs_determinant).epsilon(of_another_order));
}

template <class T>
SparseMatrix<T> with_new_values(SparseMatrix<T> a) {
    for (T& value : a.value) value *= real_t<T>(3);
    return a;
}

/// With branches on devices as without a device, twice, the second time with other values. Whether all are there is checked
/// on rank 0, both times.
template <class T>
void check_branches(const SparseMatrix<T>& a, const std::shared_ptr<const Analysis>& analysis, FactorPlace place,
                    std::optional<bool> on_devices) {
    const SharedAlways shared;
    on_several_ranks([&](const SomeRanks& ranks) {
        std::vector<Found> on_cores;
        for (const index_t gpus : {0, 1}) {
            Solver<T> solver(session_of(ranks, gpus), fixed_places(analysis->factorization));
            solver.use(analysis);
            for (const bool is_first : {true, false}) {
                const SparseMatrix<T> values = is_first ? a : with_new_values(a);
                const Found found = found_by(ranks, solver, values, gpus == 0 ? FactorPlace::automatic : place);
                CAPTURE(is_first);
                CAPTURE(found.report.place.reason);
                if (gpus == 0) on_cores.push_back(found);
                if (gpus == 0 || ranks.rank() > 0) continue;
                if (on_devices) CHECK((found.report.place.devices_used > 0) == *on_devices);
                check_alike(found, on_cores[is_first ? 0 : 1]);
            }
        }
    });
}

template <class T>
void check_branches(const SparseMatrix<T>& a, Factorization kind) {
    const Analysis analysis = *analyze(a, fixed_places(kind)).analysis;
    for (const ForcedMapping& mapping : {ForcedMapping{"subtrees", 16, 60}, ForcedMapping{"tiles", 16, 0}}) {
        CAPTURE(mapping.name);
        check_branches(a, remapped(analysis, mapping), FactorPlace::device, true);
    }
}

}  // namespace

TEST_SUITE_BEGIN(needs_several_ranks);

TEST_CASE("branches of ranks on their devices") {
    SUBCASE("L L^H") { check_branches(poisson3d<double>(9).matrix, Factorization::llt); }
    SUBCASE("L D L^T") { check_branches(kkt<double>(8).matrix, Factorization::ldlt); }
    SUBCASE("L U") { check_branches(convdiff3d<double>(8).matrix, Factorization::lu); }
}

TEST_CASE_TEMPLATE_DEFINE("branches in which pivots fail are left to tasks", T, failed_branches) {
    for (const TroubleSystem<T>& trouble : trouble_systems<T>())
        for (const ForcedMapping& mapping : trouble_mappings()) {
            CAPTURE(trouble.name);
            CAPTURE(mapping.name);
            const std::shared_ptr<const Analysis> analysis =
                remapped(*analyze_as_given(trouble.matrix, trouble.kind).analysis, mapping);
            check_branches(trouble.matrix, analysis, FactorPlace::automatic, std::nullopt);
        }
}
TEST_CASE_TEMPLATE_APPLY(failed_branches, std::tuple<double>);

TEST_SUITE_END();

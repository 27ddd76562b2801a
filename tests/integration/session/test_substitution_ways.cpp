// SPDX-License-Identifier: BSD-3-Clause
// The same bits by one thread alone, by tasks of groups of units, and by tasks of each unit.
#include "factors/factors_on_host.hpp"
#include "factors/state_of.hpp"
#include "forced_mapping.hpp"
#include "frond/frond.hpp"
#include "frond/gpu/devices.hpp"
#include "frond/matrix/generate.hpp"
#include "requirement.hpp"
#include "rhs_block.hpp"
#include "scalar_lists.hpp"
#include "shared_session.hpp"
#include "substitution/factor_solve.hpp"
#include "substitution/tree/substitution.hpp"
#include "trouble_systems.hpp"
#include "watchdog.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <deque>

using namespace frond;
using namespace frond::test;
using detail::SubstitutionWay;

namespace {

/// With a device the solves of these cases may run there. (The sessions of this program start and end in its cases, so
/// none is asked.)
constexpr const char* needs_no_device = "a machine without a device that Frond can drive";
[[maybe_unused]] const bool suite_is_known =
    require_for_suite(needs_no_device, [] { return gpu::device_count() == 0 || !gpu::why_unusable().empty(); });

/// Then tasks of the first solve bring the factors to the host, wherever they were made.
FactorOptions by_tasks() {
    FactorOptions options;
    options.place = FactorPlace::tasks;
    return options;
}

template <class T>
std::vector<T> numbers(index_t n, index_t rhs) {
    const auto b = RhsBlock<T>::random(n, rhs, 31);
    std::vector<T> x;
    for (index_t j = 0; j < rhs; ++j)
        for (index_t i = 0; i < n; ++i) x.push_back(b(i, j));
    return x;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// How often each kind of part was there.
struct Seen {
    int large_groups = 0, single_fronts = 0, apart = 0;

    void count(const detail::SubstitutionPlan& plan) {
        for (const detail::UnitGroup& g : plan.groups) {
            large_groups += g.first < g.root;
            single_fronts += g.first == g.root && plan.units[static_cast<std::size_t>(g.root)].subtree < 0;
        }
        for (const detail::PlannedUnit& unit : plan.units) apart += unit.group < 0;
    }
};

/// x in elimination order, by the plan.
template <class T>
std::vector<T> substituted(const detail::FactorsState<T>& state, const detail::SubstitutionPlan& plan, Operation op,
                           index_t rhs) {
    const index_t n = state.analysis->order;
    std::vector<T> x = numbers<T>(n, rhs);
    const detail::JobGuard guard(*state.session);
    WorkspacePool workspaces(detail::Substitution<T>::workspace_bytes(*state.analysis, rhs));
    Job job(detail::starpu_engine());
    detail::Substitution<T> s(state.factors, plan, op, {x.data(), n, rhs, n}, job, workspaces);
    s.forward();
    s.diagonal();
    s.backward();
    job.wait();
    return x;
}

/// Plans with limits from that of no unit to that of all.
template <class T>
void check_plans(const Factors<T>& factors, index_t rhs, Seen& seen) {
    const detail::FactorsState<T>& state = *detail::state_of(factors);
    const bool lu = state.kind() == Factorization::lu;
    for (const Operation op : {Operation::none, Operation::transpose, Operation::adjoint}) {
        if (!lu && op != Operation::none) continue;
        detail::SubstitutionLoad load{.rhs = rhs, .cores = 4};
        Rates r;
        detail::SubstitutionPlan plan = detail::plan_substitution(*state.analysis, load, r);
        plan.way = SubstitutionWay::units;
        const std::vector<T> expected = substituted(state, plan, op, rhs);
        REQUIRE(detail::factors_on_host(state.factors));
        plan.way = SubstitutionWay::alone;
        CHECK(same_bits(substituted(state, plan, op, rhs), expected));
        for (const double task : {1e-9, 5e-8, 2e-7, 1e-6, 1e-5}) {
            r.core_task_seconds = task;
            plan = detail::plan_substitution(*state.analysis, load, r);
            plan.way = SubstitutionWay::groups;
            seen.count(plan);
            CHECK(same_bits(substituted(state, plan, op, rhs), expected));
        }
    }
}

template <class T>
std::vector<T> applied(const Factors<T>& factors, SubstitutionWay way, SolveOptions options, index_t rhs) {
    options.place = SolvePlace::host;
    const detail::FactorsState<T>& state = *detail::state_of(factors);
    const index_t n = state.analysis->order;
    std::vector<T> x = numbers<T>(n, rhs);
    detail::FactorSolve<T> inverse(state, options);
    inverse.force(way);
    const detail::JobGuard guard(*state.session, detail::Workers::resting);
    inverse.apply({x.data(), n, rhs, n});
    return x;
}

template <class T>
Factors<T> factored(const SparseMatrix<T>& a, Factorization kind, const ForcedMapping& mapping) {
    AnalysisOptions options;
    options.factorization = kind;
    const AnalysisResult analysed = analyze(a, options);
    return factorize(shared_session(), remapped(*analysed.analysis, mapping), a, by_tasks(), &analysed.scaling);
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("the bits of a substitution are those of any plan", T, plans) {
    const Watchdog watchdog(300);
    const auto definite = poisson2d<T>(17).matrix, unsymmetric = convdiff3d<T>(7).matrix;
    Seen seen;
    for (const ForcedMapping& mapping : {ForcedMapping{"all on tiles", 8, 0}, ForcedMapping{"some", 8, 20},
                                         ForcedMapping{"one subtree", 16, 1 << 20}}) {
        CAPTURE(std::string(mapping.name));
        for (const index_t rhs : {1, 5}) {
            if (!is_complex<T>) check_plans(factored(definite, Factorization::llt, mapping), rhs, seen);
            check_plans(factored(definite, Factorization::ldlt, mapping), rhs, seen);
            check_plans(factored(unsymmetric, Factorization::lu, mapping), rhs, seen);
        }
    }
    CHECK(seen.large_groups > 10);
    CHECK(seen.single_fronts > 10);
    CHECK(seen.apart > 10);
}

TEST_CASE_TEMPLATE_APPLY(plans, Scalars);

TEST_CASE_TEMPLATE_DEFINE("so are those with columns that threshold pivoting set back", T, delayed) {
    const Watchdog watchdog(300);
    Seen seen;
    count_t set_back = 0;
    std::size_t turn = 0;
    for (const TroubleSystem<T>& system : trouble_systems<T>()) {
        CAPTURE(system.name);
        const ForcedMapping& mapping = trouble_mappings()[turn++ % trouble_mappings().size()];
        const AnalysisResult analysed = analyze_as_given(system.matrix, system.kind);
        const Factors<T> factors = factorize(shared_session(), remapped(*analysed.analysis, mapping), system.matrix,
                                             by_tasks(), &analysed.scaling);
        set_back += factors.report().pivots.delayed;
        check_plans(factors, 2, seen);
    }
    CHECK(set_back > 50);
    CHECK(seen.single_fronts > 10);
    CHECK(seen.apart > 10);
}

TEST_CASE_TEMPLATE_APPLY(delayed, Scalars);

TEST_CASE_TEMPLATE_DEFINE("parts, blocks of right-hand sides and conjugates are the same alone", T, alone) {
    const Watchdog watchdog(120);
    const ForcedMapping mapping{"some", 8, 20};
    const auto definite = poisson2d<T>(15).matrix, unsymmetric = convdiff3d<T>(6).matrix;
    const Factors<T> all[] = {factored(definite, Factorization::ldlt, mapping),
                              factored(unsymmetric, Factorization::lu, mapping)};
    for (const Factors<T>& factors : all)
        for (const SolvePart part : {SolvePart::all, SolvePart::forward, SolvePart::diagonal, SolvePart::backward})
            for (const Operation op : {Operation::none, Operation::transpose, Operation::adjoint}) {
                SolveOptions options;
                options.part = part;
                options.operation = op;
                options.rhs_block = 3;
                const std::vector<T> expected = applied(factors, SubstitutionWay::units, options, 7);
                CHECK(same_bits(applied(factors, SubstitutionWay::alone, options, 7), expected));
                CHECK(same_bits(applied(factors, SubstitutionWay::groups, options, 7), expected));
            }
}

TEST_CASE_TEMPLATE_APPLY(alone, Scalars);

TEST_CASE("a cancelled solve says the same whatever runs it") {
    const Factors<double> factors = factored(poisson2d<double>(15).matrix, Factorization::llt, {"some", 8, 20});
    const std::atomic<bool> cancel{true};
    SolveOptions options;
    options.cancel = &cancel;
    for (const SubstitutionWay way : {SubstitutionWay::alone, SubstitutionWay::groups, SubstitutionWay::units})
        CHECK_THROWS_WITH_AS(applied(factors, way, options, 2), "the caller asked to stop", Cancelled);
}

TEST_CASE("small solves are done alone, large ones by tasks" * doctest::test_suite(needs_no_device)) {
    const Watchdog watchdog(120);
    REQUIRE_FALSE(detail::state_of(shared_session())->has_devices());
    const SolveOptions options;
    const auto works_alone = [&](index_t n, index_t rhs) {
        const auto a = poisson3d<double>(n).matrix;
        Solver<double> solver(shared_session());
        solver.factor(a);
        return detail::FactorSolve<double>(*detail::state_of(solver.factors()), options).works_alone(rhs);
    };
    CHECK(works_alone(6, 1));
    CHECK(works_alone(10, 1));
    CHECK_FALSE(works_alone(32, 64));
}

TEST_CASE("a solve alone leaves the workers at rest, and joins them where they are awake" *
          doctest::test_suite(needs_no_device)) {
    const auto& state = detail::state_of(shared_session());
    REQUIRE_FALSE(state->has_devices());
    REQUIRE_FALSE(state->join_workers());
    const auto a = poisson3d<double>(6).matrix;
    Solver<double> solver(shared_session());
    solver.factor(a);
    const auto b = RhsBlock<double>::random(a.rows(), 2, 5);
    RhsBlock<double> at_rest(a.rows(), 2), awake(a.rows(), 2);
    CHECK(solver.solve(b.view(), at_rest.view()).status == SolveStatus::converged);
    CHECK_FALSE(state->join_workers());
    {
        const detail::JobGuard guard(*state);
        CHECK(solver.solve(b.view(), awake.view()).status == SolveStatus::converged);
        REQUIRE(state->join_workers());
        state->rest_workers();
    }
    CHECK_FALSE(state->join_workers());
    CHECK(at_rest == awake);
}

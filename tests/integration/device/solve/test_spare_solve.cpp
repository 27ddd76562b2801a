// SPDX-License-Identifier: BSD-3-Clause
// What solves with factors had on the device serves the next factors of the same analysis. Without a device nothing is
// kept, and cores solve.
#include "factors/state_of.hpp"
#include "error_oracle.hpp"
#include "frond/codelets/device_room.hpp"
#include "grid_systems.hpp"
#include "kept_tree.hpp"
#include "needs_device.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <optional>

using namespace frond;
using namespace frond::test;

namespace {

using Use = DeviceRoom::Use;

constexpr index_t points = 5;

detail::SessionState& session_state() { return *detail::state_of(device_session()); }

void forget_kept_memory() {
    const detail::JobGuard guard(session_state());
    session_state().forget_workspaces();
    session_state().forget_spare_solves();
    session_state().forget_parts();
}

template <class T>
struct GridSystem {
    SparseMatrix<T> a;
    Scaling scaling;
    std::shared_ptr<const Analysis> analysis;

    explicit GridSystem(const Kind& kind, index_t k = points) : a(grid<T>(k, kind)) {
        AnalysisOptions options;
        options.factorization = kind.factorization;
        options.deterministic = true;
        AnalysisResult analysed = analyze(a, options);
        scaling = std::move(analysed.scaling);
        analysis = remapped(*analysed.analysis, {"one subtree", 16, k * k * k});
    }

    Factors<T> factored(const SparseMatrix<T>& values) const {
        return factorize(device_session(), analysis, values, {}, &scaling);
    }
    SparseMatrix<T> times(double factor) const {
        SparseMatrix<T> other = a;
        for (T& v : other.value) v *= real_scalar<T>(factor);
        return other;
    }
};

template <class T>
struct Solved {
    std::vector<T> x;
    count_t requests;  // for tables on the device
};

template <class T>
Solved<T> solved(const Factors<T>& factors, const SparseMatrix<T>& a, index_t rhs = 2, Operation op = Operation::none) {
    const auto b = RhsBlock<T>::random(a.rows(), rhs, 31);
    RhsBlock<T> x(a.rows(), rhs);
    SolveOptions options;
    options.operation = op;
    const count_t before = device_room().requests(Use::tables);
    const SolveReport report = solve(factors, b.view(), x.view(), options);
    CHECK(report.on_device == has_device());
    CHECK(report.status == SolveStatus::converged);
    if (op == Operation::none) CHECK(componentwise_error(dense(a), widened(x), widened(b)) <= 450 * epsilon<T>());
    return {{x.view().data, x.view().data + a.rows() * rhs}, device_room().requests(Use::tables) - before};
}

template <class T>
void check_kind(const Kind& kind) {
    CAPTURE(static_cast<int>(kind.factorization));
    const GridSystem<T> system(kind);
    const SparseMatrix<T> other = system.times(0.75);
    forget_kept_memory();
    std::vector<T> expected, expected_transposed;
    count_t requests = 0;
    {
        const Factors<T> factors = system.factored(other);
        const Solved<T> first = solved(factors, other);
        expected = first.x, requests = first.requests;
        if (kind.factorization == Factorization::lu)
            expected_transposed = solved(factors, other, 2, Operation::transpose).x;
    }
    forget_kept_memory();
    std::optional<Factors<T>> factors = system.factored(system.a);
    solved(*factors, system.a);
    CHECK(session_state().spare_solve_bytes() == 0);
    factors.reset();
    CHECK((session_state().spare_solve_bytes() > 0) == has_device());
    for (int round = 0; round < 2; ++round) {
        factors.reset();
        factors = system.factored(other);
        const Solved<T> again = solved(*factors, other);
        CHECK(again.x == expected);
        CHECK(again.requests <= requests / 4);
        if (!expected_transposed.empty())
            CHECK(solved(*factors, other, 2, Operation::transpose).x == expected_transposed);
        CHECK(session_state().spare_solve_bytes() == 0);
    }
}

}  // namespace

TEST_SUITE_BEGIN(needs_device);

TEST_CASE_TEMPLATE_DEFINE("what solves had serves the next factors of an analysis", T, spare_solve) {
    check_kind<T>({Factorization::lu, Symmetry::general, 6.5});
    check_kind<T>({Factorization::ldlt, Symmetry::symmetric, 3});
    check_kind<T>({Factorization::llt, is_complex<T> ? Symmetry::hermitian : Symmetry::symmetric, 6.5});
}
TEST_CASE_TEMPLATE_APPLY(spare_solve, Scalars);

TEST_CASE("what solves had serves factors elsewhere, more right-hand sides, and no other analysis") {
    const Kind kind{Factorization::lu, Symmetry::general, 6.5};
    const GridSystem<double> system(kind), another(kind, points + 1);
    forget_kept_memory();
    std::optional<Factors<double>> first = system.factored(system.a);
    solved(*first, system.a);
    const Factors<double> beside = system.factored(system.times(0.5));
    CHECK(session_state().spare_solve_bytes() == 0);  // the first ones hold theirs: there is room
    solved(beside, system.times(0.5));
    solved(*first, system.a);
    first.reset();
    CHECK((session_state().spare_solve_bytes() > 0) == has_device());
    const Factors<double> next = system.factored(system.times(0.25));
    solved(next, system.times(0.25));
    solved(next, system.times(0.25), 20);
    CHECK(session_state().spare_solve_bytes() == 0);
    const Factors<double> unlike = another.factored(another.a);
    solved(unlike, another.a);
    CHECK(session_state().spare_solve_bytes() == 0);
    solved(beside, system.times(0.5), 9);
}

TEST_CASE("what solves had goes where the tree needs the room, and where tables are refused") {
    const GridSystem<double> system({Factorization::llt, Symmetry::symmetric, 6.5});
    forget_kept_memory();
    solved(system.factored(system.a), system.a);
    const count_t spare = session_state().spare_solve_bytes();
    REQUIRE(spare > 0);
    const KeptTree kept = kept_tree<double>().value();
    {
        const LimitedRoom room(kept.tree_bytes + kept.factor_bytes + spare - 1);
        const Factors<double> factors = system.factored(system.a);
        CHECK(session_state().spare_solve_bytes() == 0);
        CHECK(factors.report().place.on_device);
        CHECK(!kept_tree<double>().value().is_in_parts);
    }
    solved(system.factored(system.a), system.a);
    CHECK(session_state().spare_solve_bytes() == spare);
    const Factors<double> factors = system.factored(system.times(2));
    CHECK(session_state().spare_solve_bytes() == spare);
    device_room().admit_only(Use::tables, 0);
    const auto b = RhsBlock<double>::random(system.a.rows(), 9, 31);  // more than the spare vectors are for
    RhsBlock<double> x(system.a.rows(), 9);
    const SolveReport report = solve(factors, b.view(), x.view());
    device_room().admit_all();
    CHECK(!report.on_device);
    CHECK(report.status == SolveStatus::converged);
    CHECK(session_state().spare_solve_bytes() == 0);
    solved(factors, system.times(2));
}

TEST_SUITE_END();

// SPDX-License-Identifier: BSD-3-Clause
// Factors go while the workers rest: also when StarPU still has copies of them to make between host and device, as a
// factorization leaves behind that stops at a pivot which is not positive.
#include "child_process.hpp"
#include "factors/factors_state.hpp"
#include "factors/state_of.hpp"
#include "error_oracle.hpp"
#include "grid_systems.hpp"
#include "needs_device.hpp"
#include "temporary_file.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

#include <starpu.h>

#include <filesystem>
#include <string>

using namespace frond;
using namespace frond::test;

namespace {

constexpr index_t cube_points = 8, cube_order = cube_points * cube_points * cube_points;
const Kind definite{Factorization::llt, Symmetry::symmetric, 6.5};

/// Where copies can go: a device, or the disk that a child process is given.
int other_node() {
    if (starpu_disk_swap_node >= 0) return starpu_disk_swap_node;
    return has_device() ? static_cast<int>(gpu::first_device().value().memory_node) : -1;
}

/// Asks StarPU for copies of all factors; nobody makes them before workers run.
template <class T>
void ask_for_copies(const detail::FactorsState<T>& state, int node) {
    const auto to = static_cast<unsigned>(node);
    for (const auto& subtree : state.factors.subtrees())
        CHECK(starpu_data_prefetch_on_node(subtree.handle.get(), to, 1) == 0);
    for (const auto& tiled : state.factors.tiled())
        for (index_t k = 0; k < tiled->own_tiles(); ++k)
            CHECK(starpu_data_prefetch_on_node(tiled->handle(k, k), to, 1) == 0);
}

template <class T>
void check_solution(const Factors<T>& factors, const SparseMatrix<T>& a) {
    const auto b = RhsBlock<T>::random(a.rows(), 1, 31);
    RhsBlock<T> x(a.rows(), 1);
    CHECK(solve(factors, b.view(), x.view()).status == SolveStatus::converged);
    CHECK(componentwise_error(dense(a), widened(x), widened(b)) <= 450 * epsilon<T>());
}

/// The same pattern; one point in seven gets a negative diagonal.
SparseMatrix<double> no_more_definite(const SparseMatrix<double>& a) {
    SparseMatrix<double> other = a;
    for (index_t j = 0; j < a.cols(); j += 7)
        other.value[static_cast<std::size_t>(a.pattern.begin[static_cast<std::size_t>(j)])] *= -1;
    return other;
}

void check_values_that_are_not_definite(Factorization asked) {
    const SparseMatrix<double> a = grid<double>(cube_points, definite), other = no_more_definite(a);
    AnalysisOptions options;
    options.factorization = asked;
    Solver<double> solver(device_session(), options);
    for (int round = 0; round < 4; ++round) {
        CHECK(solver.factor(a).status == FactorStatus::success);
        check_solution(solver.factors(), a);
        const FactorReport& report = solver.factor(other);
        if (asked == Factorization::llt) {
            CHECK(report.status == FactorStatus::not_positive_definite);
        } else {
            CHECK(report.status == FactorStatus::success);
            CHECK(report.fell_back_to_ldlt == (round == 0));
            check_solution(solver.factors(), other);
        }
    }
}

}  // namespace

namespace {

void check_that_factors_go(bool with_copies) {
    const SparseMatrix<double> a = grid<double>(cube_points, definite);
    for (const ForcedMapping& mapping :
         {ForcedMapping{"one subtree", 16, cube_order}, ForcedMapping{"subtrees and tiles", 40, 60}}) {
        CAPTURE(std::string(mapping.name));
        const Factors<double> factors = factored(a, definite.factorization, mapping);
        check_solution(factors, a);
        if (with_copies) ask_for_copies(*detail::state_of(factors), other_node());
    }  // without running workers, the end of the factors would wait for ever
    check_solution(factored(a, definite.factorization, {"one subtree", 16, cube_order}), a);
}

}  // namespace

TEST_CASE("factors go while copies of them are under way to a device" * doctest::test_suite(needs_device)) {
    check_that_factors_go(has_device() && other_node() > 0);
}

TEST_CASE("child: factors go while copies of them are under way" * doctest::skip()) {
    const Session session;
    static_cast<void>(session.info());  // StarPU has started, and knows its nodes
    CHECK(other_node() >= 0);
    check_that_factors_go(true);
}

TEST_CASE("factors go while copies of them are under way to a disk") {
    const TemporaryFile swap("-swap");
    CHECK(std::filesystem::create_directory(swap.path()));
    CHECK(run_case_in_child("child: factors go while copies of them are under way",
                            {{"STARPU_DISK_SWAP", swap.path()},
                             {"STARPU_DISK_SWAP_BACKEND", "unistd"},
                             {"STARPU_DISK_SWAP_SIZE", "64"}},
                            60) == 0);
    std::filesystem::remove_all(swap.path());
}

TEST_CASE("values that are no longer definite, as L L^T" * doctest::test_suite(wherever)) {
    check_values_that_are_not_definite(Factorization::llt);
}

TEST_CASE("values that are no longer definite, as chosen" * doctest::test_suite(wherever)) {
    check_values_that_are_not_definite(Factorization::automatic);
}

// SPDX-License-Identifier: BSD-3-Clause
// Substitutions with branches on the devices of ranks, against those on cores: one sweep forward, one backward.
#include "branch_solvers.hpp"
#include "frond/matrix/generate.hpp"
#include "needs_ranks.hpp"
#include "random_sparse.hpp"
#include "scalar_lists.hpp"
#include "shared_always.hpp"

using namespace frond;
using namespace frond::test;

namespace {

/// Devices multiply with inverses of diagonal blocks, and sum in another order.
constexpr double error_of_inverses = 20;

/// Without refinement, which would hide what the sweeps are wrong in.
SolveOptions one_substitution(Operation op, index_t rhs_block = 0) {
    SolveOptions options;
    options.operation = op;
    options.max_refinement_steps = 0;
    options.krylov = Krylov::off;
    options.condition_hint = false;
    options.rhs_block = rhs_block;
    return options;
}

template <class T>
void check_substitutions(const SomeRanks& ranks, Solver<T>& on_devices, Solver<T>& on_cores, const SparseMatrix<T>& a,
                         Operation op) {
    constexpr double eps = std::numeric_limits<real_t<T>>::epsilon();
    // 20: by tiles of vectors. 70: in two substitutions, one after the other; blocks of 30 follow each other in one.
    struct Width {
        index_t rhs = 0, block = 0;
    };
    for (const Width width : {Width{1, 0}, Width{3, 0}, Width{3, 0}, Width{20, 0}, Width{50, 30}, Width{70, 0}}) {
        CAPTURE(width.rhs);
        CAPTURE(width.block);
        const SolveOptions options = one_substitution(op, width.block);
        const SolvedSystem<T> here = solve_system(ranks, on_devices, a, width.rhs, options);
        SolveOptions on_host = options;
        on_host.place = SolvePlace::host;
        const SolvedSystem<T> there = solve_system(ranks, on_cores, a, width.rhs, on_host);
        CHECK(here.report.on_device);
        CHECK(!there.report.on_device);
        CHECK(has_branches_on_device(ranks, on_devices));
        CHECK(here.error <= error_of_inverses * std::max(there.error, eps));
        CHECK(here.report.refinement_steps == 0);
    }
}

template <class T>
void check_kind(const SparseMatrix<T>& a, Factorization kind, std::vector<Operation> operations) {
    const SharedAlways shared;
    for (const ForcedMapping& mapping : branch_mappings()) {
        CAPTURE(mapping.name);
        const std::shared_ptr<const Analysis> analysis = analysis_for(a, kind, mapping);
        on_several_ranks([&](const SomeRanks& ranks) {
            Solver<T> on_devices(session_of(ranks, 1), fixed_places(kind));
            on_devices.use(analysis);
            CHECK(on_devices.factor(dealt(a, ranks).view(), placed(FactorPlace::device)).place.devices_used > 0);
            Solver<T> on_cores(on_devices);
            on_cores.factor(dealt(a, ranks).view(), placed(FactorPlace::tasks));
            for (const Operation op : operations) {
                CAPTURE(static_cast<int>(op));
                check_substitutions(ranks, on_devices, on_cores, a, op);
            }
        });
    }
}

constexpr index_t grid_size = 16;

}  // namespace

TEST_SUITE_BEGIN(needs_several_ranks);

TEST_CASE_TEMPLATE_DEFINE("branches of ranks are substituted with on their devices", T, substitutions) {
    constexpr Symmetry definite = is_complex<T> ? Symmetry::hermitian : Symmetry::symmetric;
    check_kind(random_grid<T>(grid_size, definite, true, 3), Factorization::llt, {Operation::none});
    check_kind(random_grid<T>(grid_size, Symmetry::symmetric, true, 4), Factorization::ldlt,
               {Operation::none, Operation::adjoint});
    check_kind(random_grid<T>(grid_size, Symmetry::general, true, 5), Factorization::lu,
               {Operation::none, Operation::transpose, Operation::adjoint, Operation::none});
    if (is_complex<T>)
        check_kind(random_grid<T>(grid_size, Symmetry::hermitian, true, 6), Factorization::ldlh,
                   {Operation::none, Operation::transpose});
}
TEST_CASE_TEMPLATE_APPLY(substitutions, Scalars);

TEST_CASE("branches of ranks with 2 x 2 pivots are substituted with on their devices") {
    check_kind(kkt<double>(8).matrix, Factorization::ldlt, {Operation::none});
}

TEST_SUITE_END();

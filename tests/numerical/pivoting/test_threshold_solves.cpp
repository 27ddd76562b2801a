// SPDX-License-Identifier: BSD-3-Clause
// Whole solves with threshold pivoting by tasks: planted trouble, the order given, no matching.
#include "error_oracle.hpp"
#include "frond/frond.hpp"
#include "scalar_lists.hpp"
#include "shared_session.hpp"
#include "tolerance.hpp"
#include "trouble_systems.hpp"
#include "watchdog.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::test;

namespace {

/// 1e-13 in double precision.
template <class T>
constexpr double componentwise_bound = 450 * epsilon<T>();

constexpr Operation operations[] = {Operation::none, Operation::transpose, Operation::adjoint};

/// Calls visit(system, mapping, factors): every system on one mapping, all of them in turn.
template <class T, class Visit>
void for_each_factored(const FactorOptions& options, Visit visit) {
    std::size_t turn = 0;
    for (const TroubleSystem<T>& system : trouble_systems<T>()) {
        const ForcedMapping& mapping = trouble_mappings()[turn++ % trouble_mappings().size()];
        CAPTURE(system.name);
        CAPTURE(static_cast<int>(system.kind));
        CAPTURE(std::string(mapping.name));
        const AnalysisResult analysed = analyze_as_given(system.matrix, system.kind);
        visit(system, factorize(shared_session(), remapped(*analysed.analysis, mapping), system.matrix, options,
                                &analysed.scaling));
    }
}

template <class T>
void check_solution(const TroubleSystem<T>& system, const Factors<T>& factors, Operation operation) {
    const index_t n = system.matrix.rows();
    const auto b = RhsBlock<T>::random(n, 3, 21, 2);
    RhsBlock<T> x(n, 3, 1);
    SolveOptions options;
    options.operation = operation;
    CHECK(solve(factors, b.view(), x.view(), options).status == SolveStatus::converged);
    CHECK(x.guards_intact());
    const DenseMatrix a = apply_operation(dense(system.matrix), operation);
    CHECK(componentwise_error(a, widened(x), widened(b)) <= componentwise_bound<T>);
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("planted trouble is solved: plain, transposed and adjoint", T, solved) {
    const Watchdog watchdog(300);
    count_t delayed = 0;
    for_each_factored<T>({}, [&](const TroubleSystem<T>& system, const Factors<T>& factors) {
        CHECK(factors.report().status == FactorStatus::success);
        CHECK(factors.report().pivots.perturbed == 0);
        CHECK(factors.report().pivots.largest_l <= 100 * (1 + 100 * epsilon<T>()));
        delayed += factors.report().pivots.delayed;
        for (const Operation operation : operations) {
            CAPTURE(static_cast<int>(operation));
            check_solution(system, factors, operation);
        }
    });
    CHECK(delayed > 100);
}

TEST_CASE_TEMPLATE_APPLY(solved, Scalars);

TEST_CASE_TEMPLATE_DEFINE("the factors alone are backward stable", T, unrefined) {
    const Watchdog watchdog(300);
    FactorOptions factor_options;
    factor_options.pivot_threshold = 0.1;
    for_each_factored<T>(factor_options, [](const TroubleSystem<T>& system, const Factors<T>& factors) {
        // Backward error of the scaled system; scaling of graded ones is
        // undone in A.
        if (system.name.starts_with("graded")) return;
        const index_t n = system.matrix.rows();
        const auto b = RhsBlock<T>::random(n, 2, 22);
        RhsBlock<T> x(n, 2);
        SolveOptions options;
        options.max_refinement_steps = 0;
        options.krylov = Krylov::off;
        static_cast<void>(solve(factors, b.view(), x.view(), options));
        // Entries of the factors grow up to 100 times on these matrices.
        CHECK(normwise_error(dense(system.matrix), widened(x), widened(b)) <= 100 * rounding_bound<T>(3 * n));
    });
}

TEST_CASE_TEMPLATE_APPLY(unrefined, Scalars);

TEST_CASE_TEMPLATE_DEFINE("parts make the whole, with delays", T, parts) {
    const Watchdog watchdog(300);
    std::size_t turn = 0;
    for_each_factored<T>({}, [&](const TroubleSystem<T>& system, const Factors<T>& factors) {
        const Operation operation = operations[turn++ % 3];
        CAPTURE(static_cast<int>(operation));
        const index_t n = system.matrix.rows();
        const auto b = RhsBlock<T>::random(n, 2, 25);
        RhsBlock<T> x = b, whole(n, 2);
        SolveOptions options;
        options.operation = operation;
        options.max_refinement_steps = 0;
        options.krylov = Krylov::off;
        static_cast<void>(solve(factors, b.view(), whole.view(), options));
        for (const SolvePart part : {SolvePart::forward, SolvePart::diagonal, SolvePart::backward}) {
            options.part = part;
            static_cast<void>(solve(factors, std::as_const(x).view(), x.view(), options));
        }
        CHECK(largest_difference(widened(x), widened(whole)) == 0);
    });
}

TEST_CASE_TEMPLATE_APPLY(parts, Scalars);

TEST_CASE_TEMPLATE_DEFINE("new values on the same analysis, with and without delays", T, again) {
    const Watchdog watchdog(300);
    for (const TroubleSystem<T>& system : trouble_systems<T>()) {
        if (system.name != "trouble at the tips" && system.name != "saddle point") continue;
        CAPTURE(system.name);
        const AnalysisResult analysed = analyze_as_given(system.matrix, system.kind, ScalingMethod::none);
        const auto analysis = remapped(*analysed.analysis, trouble_mappings()[3]);
        TroubleSystem<T> easy = system;
        for (index_t j = 0; j < easy.matrix.cols(); ++j)
            for (count_t e = easy.matrix.pattern.begin[static_cast<std::size_t>(j)];
                 e < easy.matrix.pattern.begin[static_cast<std::size_t>(j) + 1]; ++e)
                if (easy.matrix.pattern.row[static_cast<std::size_t>(e)] == j)
                    easy.matrix.value[static_cast<std::size_t>(e)] = T(50);
        const auto factored = [&](const TroubleSystem<T>& s) {
            return factorize(shared_session(), analysis, s.matrix, {}, &analysed.scaling);
        };
        const Factors<T> first = factored(system), between = factored(easy), last = factored(system);
        CHECK(first.report().pivots.delayed > 0);
        CHECK(between.report().pivots.delayed == 0);
        CHECK(between.report().pivots.second_pass == 0);
        CHECK(last.report().pivots.delayed == first.report().pivots.delayed);
        CHECK(last.report().pivots.second_pass == first.report().pivots.second_pass);
        for (const Operation operation : operations) {
            check_solution(system, first, operation);
            check_solution(easy, between, operation);
            check_solution(system, last, operation);
        }
    }
}

TEST_CASE_TEMPLATE_APPLY(again, Scalars);

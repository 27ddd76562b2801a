// SPDX-License-Identifier: BSD-3-Clause
// Fronts with failed pivots allocate: each allocation is made to fail once.
#include "failing_allocations.hpp"
#include "hard_checks.hpp"
#include "hard_systems.hpp"

using namespace frond;
using namespace frond::test;

namespace {

struct Buffers {
    Buffers(const Analysis& analysis, const Subtree& tree)
        : factor(static_cast<std::size_t>(cpu::subtree_factor_scalars(analysis.tree, tree, analysis.factorization))),
          arena(static_cast<std::size_t>(cpu::subtree_arena_scalars(analysis.tree, tree, analysis.factorization))),
          perm(static_cast<std::size_t>(analysis.order)) {}

    std::vector<double> factor, arena;
    std::vector<index_t> perm;
};

}  // namespace

TEST_CASE("a failed allocation in factorization or substitution leaks nothing") {
    for (const KindCase& c : threshold_cases()) {
        CAPTURE(c.name);
        const SparseMatrix<double> a = troubled_tips<double>(16, 4, c.symmetry, 11);
        const Analysis analysis = simple_analysis(a.pattern, c.symmetry, c.kind, {1, 2});
        const Subtree tree = whole_tree(analysis.tree);
        const std::vector<double> entries = map_values(a, analysis.entry_map);
        Buffers b(analysis, tree);
        const auto factored = [&] {
            cpu::SubtreeSecondPasses<double> second_passes;
            PivotReport report;
            cpu::factor_subtree<double>(analysis, tree, entries.data(), threshold_rule<double>(0.01, 8),
                                        b.factor.data(), b.perm.data(), {}, b.arena.data(), nullptr, &second_passes,
                                        report);
            return second_passes;
        };
        const FaultReport factoring = fail_every_allocation([&] { factored(); });
        CHECK(factoring.failures > 20);
        CHECK(factoring.leaked == 0);
        const cpu::SubtreeSecondPasses<double> kept = factored();
        CHECK(kept.fronts.size() > 4);
        std::vector<double> x(16);
        const DenseView<double> view{x.data(), 16, 1, 16}, y{nullptr, 0, 1, 1};
        const FaultReport solving = fail_every_allocation([&] {
            cpu::forward_subtree<double>(analysis, tree, Operation::none, b.factor.data(), b.perm.data(), &kept, view,
                                         y, b.arena.data());
            cpu::backward_subtree<double>(analysis, tree, Operation::none, b.factor.data(), b.perm.data(), &kept, view,
                                          y.as_const(), b.arena.data());
        });
        CHECK(solving.failures >= static_cast<long>(kept.fronts.size()));
        CHECK(solving.leaked == 0);
    }
}

TEST_CASE("without room for second passes pivoting is static whatever the threshold, and nothing is allocated") {
    const SparseMatrix<double> a = constant_diagonal<double>(20, 1, 0, Symmetry::symmetric, 2);
    const Analysis analysis = simple_analysis(a.pattern, a.symmetry, Factorization::ldlt, {1, 2});
    const Subtree tree = whole_tree(analysis.tree);
    const std::vector<double> entries = map_values(a, analysis.entry_map);
    Buffers b(analysis, tree);
    PivotReport report;
    const FailingAllocations armed(0);
    cpu::factor_subtree<double>(analysis, tree, entries.data(), threshold_rule<double>(0.01), b.factor.data(),
                                b.perm.data(), {}, b.arena.data(), nullptr, nullptr, report);
    const WorkingAllocations working;
    CHECK(report.perturbed > 0);
}

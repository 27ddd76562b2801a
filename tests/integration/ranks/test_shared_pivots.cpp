// SPDX-License-Identifier: BSD-3-Clause
// Threshold pivoting in fronts that several ranks factor together: columns that fail, are delayed to fronts of other ranks and
// eliminated late give the bits, counts and null columns of one rank.
#include "dealt_system.hpp"
#include "failing_units.hpp"
#include "frond/base/vector_index.hpp"
#include "needs_ranks.hpp"
#include "random_sparse.hpp"
#include "same_report.hpp"
#include "scalar_lists.hpp"
#include "shared_always.hpp"
#include "trouble_systems.hpp"

#include <array>
#include <cstring>
#include <limits>
#include <optional>

using namespace frond;
using namespace frond::test;

namespace {

constexpr ForcedMapping mappings[] = {{"tiles of 4", 4, 0}, {"tiles of 6 above subtrees", 6, 12}};

template <class T>
struct Found {
    FactorReport report;
    std::vector<T> x, x_transposed;
    std::optional<typename Factors<T>::LogDeterminant> determinant;
    std::vector<RankReport> parts;
};

/// Without refinement: so every bit of the factors counts.
template <class T>
std::vector<T> solution(Solver<T>& solver, const SparseMatrix<T>& a, const SomeRanks& ranks, Operation operation) {
    std::vector<T> b = simple_rhs(a, 2), x(b.size());
    SolveOptions options;
    options.max_refinement_steps = 0;
    options.operation = operation;
    static_cast<void>(
        solver.solve(whole_on<const T>(ranks, 0, b, a.rows(), 2), whole_on<T>(ranks, 0, x, a.rows(), 2), options));
    return x;
}

template <class T>
Found<T> find_on(const SomeRanks& ranks, const Session& session, const SparseMatrix<T>& a,
                 const std::shared_ptr<const Analysis>& analysis) {
    AnalysisOptions options;
    options.deterministic = true;
    options.factorization = analysis->factorization;
    Solver<T> solver(session, options);
    solver.use(analysis);
    Found<T> found;
    FactorOptions factor_options;
    factor_options.pivoting = Pivoting::threshold;
    found.report = solver.factor(dealt(a, ranks).view(), factor_options);
    found.parts = solver.rank_reports();
    found.determinant = solver.log_determinant();
    found.x = solution(solver, a, ranks, Operation::none);
    found.x_transposed = solution(solver, a, ranks, Operation::transpose);
    return found;
}

template <class T>
bool is_same(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

template <class T>
void check_same(const Found<T>& found, const Found<T>& alone) {
    check_same_report(found.report, alone.report);
    CHECK(is_same(found.x, alone.x));
    CHECK(is_same(found.x_transposed, alone.x_transposed));
    check_same_determinant(found.determinant, alone.determinant);
}

template <class T>
struct System {
    std::string name, mapping;
    SparseMatrix<T> matrix;
    std::shared_ptr<const Analysis> analysis;
};

/// What several ranks find of each system is what one finds. Columns that were delayed: L D L^T, L U.
template <class T>
std::array<count_t, 2> check_bits(const std::vector<System<T>>& systems) {
    std::vector<Found<T>> alone;
    std::array<count_t, 2> delayed{0, 0};
    on_some_ranks([&](const SomeRanks& ranks) {
        const Session session = ranks.session();  // of all systems: it takes longer than these
        for (std::size_t s = 0; s < systems.size(); ++s) {
            CAPTURE(systems[s].name);
            CAPTURE(systems[s].mapping);
            Found<T> found = find_on(ranks, session, systems[s].matrix, systems[s].analysis);
            if (alone.size() <= s) {
                delayed[systems[s].analysis->factorization == Factorization::lu ? 1 : 0] += found.report.pivots.delayed;
                alone.push_back(std::move(found));
            } else if (ranks.rank() == 0) {
                check_same(found, alone[s]);
            }
        }
    });
    return delayed;
}

/// Fronts that several ranks have tiles of.
index_t shared_fronts(const Analysis& analysis, int ranks) {
    const MessageRule rule{analysis.factorization, true, 8};
    const RankMapping mapping =
        detail::map_tree(analysis, detail::machine_of(std::vector<count_t>(static_cast<std::size_t>(ranks), 1)), rule);
    index_t shared = 0;
    for (const RankGrid& grid : mapping.grid) shared += grid.rank.size() > 1 ? 1 : 0;
    return shared;
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("columns that fail in shared fronts", T, failed_in_shared_fronts) {
    const FrontsSharedAlways always;
    std::vector<System<T>> systems;
    index_t shared = 0;
    for (const TroubleSystem<T>& trouble : trouble_systems<T>()) {
        const ForcedMapping& mapping = mappings[systems.size() % 2];
        systems.push_back({trouble.name, mapping.name, trouble.matrix,
                           remapped(*analyze_as_given(trouble.matrix, trouble.kind).analysis, mapping)});
        shared += shared_fronts(*systems.back().analysis, 2);
    }
    CHECK(shared > 20);
    const auto [symmetric, general] = check_bits(systems);
    CHECK(symmetric > 0);
    CHECK(general > 0);
}
TEST_CASE_TEMPLATE_APPLY(failed_in_shared_fronts, DoubleScalars);

TEST_CASE_TEMPLATE_DEFINE("columns set back to a rank that has tiles of the front they come from", T, held_beside) {
    const FrontsSharedAlways always;
    const Broom broom{2, 2, 6, 4, 4};
    std::vector<System<T>> systems;
    for (const Factorization kind : {Factorization::ldlt, Factorization::lu})
        for (const ForcedMapping& mapping : {ForcedMapping{"tiles of 1", 1, 0}, ForcedMapping{"tiles of 2", 2, 0}}) {
            const auto a =
                broom_matrix<T>(broom, kind == Factorization::lu ? Symmetry::general : Symmetry::symmetric, 2);
            systems.push_back({"broom", mapping.name, a, remapped(*analyze_as_given(a, kind).analysis, mapping)});
        }
    const auto [symmetric, general] = check_bits(systems);
    CHECK(symmetric == 4 * broom.root_columns());  // two mappings, two fronts that set each of them back
    CHECK(general == 4 * broom.root_columns());
}
TEST_CASE_TEMPLATE_APPLY(held_beside, DoubleScalars);

TEST_CASE("singular matrices whose fronts are shared") {
    const FrontsSharedAlways always;
    std::vector<System<double>> systems;
    for (const ForcedMapping& mapping : mappings)
        for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::general}) {
            const SparseMatrix<double> a = rank_deficient<double>(40, 31, true, symmetry, 3);
            const Factorization kind = symmetry == Symmetry::general ? Factorization::lu : Factorization::ldlt;
            systems.push_back({"singular", mapping.name, a, remapped(*analyze_as_given(a, kind).analysis, mapping)});
        }
    check_bits(systems);
}

TEST_CASE("units of shared fronts with failed columns that fail on any rank" *
          doctest::test_suite(needs_several_ranks)) {
    const FrontsSharedAlways always;
    for (const Factorization kind : {Factorization::ldlt, Factorization::lu})
        on_several_ranks([&](const SomeRanks& ranks) {
            const Symmetry symmetry = kind == Factorization::lu ? Symmetry::general : Symmetry::symmetric;
            const SparseMatrix<double> a = graded<double>(saddle_point<double>(40, 0, symmetry, 8), 5);
            const auto analysis = remapped(*analyze_as_given(a, kind).analysis, mappings[0]);
            AnalysisOptions options;
            options.deterministic = true;
            options.factorization = kind;
            Solver<double> solver(ranks.session(), options);
            solver.use(analysis);
            const auto matrix = dealt(a, ranks);
            const count_t delayed = solver.factor(matrix.view()).pivots.delayed;
            CHECK(delayed > 0);
            index_t failed = 0;
            for (int victim = 0; victim < ranks.size(); ++victim)
                for (index_t unit = 0; unit < 40; unit += 5) {
                    CAPTURE(victim);
                    CAPTURE(unit);
                    const std::string text =
                        text_of_failing_unit(ranks, victim, unit, [&] { solver.factor(matrix.view()); });
                    failed += text.empty() ? 0 : 1;
                }
            CHECK(failed > 2 * ranks.size());
            CHECK(solver.factor(matrix.view()).pivots.delayed == delayed);
            check_solves(solver, a, ranks);
        });
}

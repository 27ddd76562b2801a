// SPDX-License-Identifier: BSD-3-Clause
// Fronts that several ranks factor and solve with together: every bit is that of one rank, messages are those predicted,
// and errors anywhere stop all ranks.
#include "check_cancellations.hpp"
#include "dealt_system.hpp"
#include "forced_mapping.hpp"
#include "failing_units.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/matrix/generate.hpp"
#include "needs_ranks.hpp"
#include "same_report.hpp"
#include "scalar_lists.hpp"
#include "shared_always.hpp"
#include "watched_tasks.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

using namespace frond;
using namespace frond::test;

namespace {

struct Kind {
    const char* name;
    Factorization factorization;
    Pivoting pivoting;
};
constexpr Kind kinds[] = {{"L L^T", Factorization::llt, Pivoting::automatic},
                          {"L D L^T, static pivots", Factorization::ldlt, Pivoting::static_pivots},
                          {"L U, static pivots", Factorization::lu, Pivoting::static_pivots},
                          {"L D L^T", Factorization::ldlt, Pivoting::threshold},
                          {"L U", Factorization::lu, Pivoting::threshold}};
constexpr const Kind &definite = kinds[0], &general = kinds[2], &with_pivots = kinds[4];
/// A kind for Hermitian matrices alone.
constexpr Kind hermitian = {"L D L^H", Factorization::ldlh, Pivoting::threshold};

/// All on small tiles, or above subtrees.
constexpr ForcedMapping mappings[] = {{"all on tiles", 7, 0}, {"tiles above subtrees", 24, 200}};

AnalysisOptions many_tiles() {
    AnalysisOptions options;
    options.deterministic = true;
    options.tile_size = 32;
    return options;
}

/// How many ranks have a part of the tree.
std::ptrdiff_t have_parts(const std::vector<RankReport>& ranks) {
    return std::count_if(ranks.begin(), ranks.end(), [](const RankReport& part) { return part.flops > 0; });
}

/// Entries of the lower triangle beside the diagonal times i: as definite as before.
template <class T>
SparseMatrix<T> turned(SparseMatrix<T> a) {
    for (index_t j = 0; j < a.cols(); ++j)
        for (count_t e = a.pattern.begin[at(j)]; e < a.pattern.begin[at(j) + 1]; ++e)
            if (a.pattern.row[static_cast<std::size_t>(e)] != j) a.value[static_cast<std::size_t>(e)] *= T(0, 1);
    a.symmetry = Symmetry::hermitian;
    return a;
}

/// Complex: Hermitian where L L^H and L D L^H need it.
template <class T>
SparseMatrix<T> matrix_of(const Kind& kind, index_t k) {
    if (kind.factorization == Factorization::lu) return convdiff3d<T>(k).matrix;
    const bool is_hermitian = kind.factorization == Factorization::llt || kind.factorization == Factorization::ldlh;
    if constexpr (is_complex<T>)
        if (is_hermitian) return turned(poisson3d<T>(k).matrix);
    return poisson3d<T>(k).matrix;
}

template <class T>
std::shared_ptr<const Analysis> analysis_of(const SparseMatrix<T>& a, const Kind& kind, const ForcedMapping& mapping) {
    AnalysisOptions options;
    options.factorization = kind.factorization;
    options.ordering = OrderingMethod::nested_dissection;
    options.deterministic = true;
    return remapped(*analyze(a, options).analysis, mapping);
}

FactorOptions factor_options(const Kind& kind) {
    FactorOptions options;
    options.pivoting = kind.pivoting;
    return options;
}

template <class T>
Solver<T> solver_for(const Session& session, const std::shared_ptr<const Analysis>& analysis) {
    AnalysisOptions options;
    options.deterministic = true;
    options.factorization = analysis->factorization;
    Solver<T> solver(session, options);
    solver.use(analysis);
    return solver;
}
template <class T>
Solver<T> solver_for(const SomeRanks& ranks, const std::shared_ptr<const Analysis>& analysis) {
    return solver_for<T>(ranks.session(), analysis);
}

/// X of B without refinement, all of it on all ranks: so every bit of the factors counts.
template <class T>
std::vector<T> plain_solution(Solver<T>& solver, const SparseMatrix<T>& a, const SomeRanks& ranks, index_t count,
                              Operation operation) {
    std::vector<T> b = simple_rhs(a, count), x(b.size());
    SolveOptions options;
    options.max_refinement_steps = 0;
    options.operation = operation;
    static_cast<void>(solver.solve(whole_on<const T>(ranks, 0, b, a.rows(), count),
                                   whole_on<T>(ranks, 0, x, a.rows(), count), options));
    broadcast_from(ranks, 0, x);
    return x;
}

template <class T>
struct Outcome {
    FactorReport report;
    std::vector<std::vector<T>> solutions;
    std::vector<RankReport> parts;
    std::optional<typename Factors<T>::LogDeterminant> determinant;
};

template <class T>
Outcome<T> outcome_on(const SomeRanks& ranks, const Session& session, const SparseMatrix<T>& a, const Kind& kind,
                      const std::shared_ptr<const Analysis>& analysis) {
    Solver<T> solver = solver_for<T>(session, analysis);
    Outcome<T> outcome;
    outcome.report = solver.factor(dealt(a, ranks).view(), factor_options(kind));
    outcome.parts = solver.rank_reports();
    outcome.determinant = solver.log_determinant();
    outcome.solutions.push_back(plain_solution(solver, a, ranks, 1, Operation::none));
    outcome.solutions.push_back(plain_solution(solver, a, ranks, 3, Operation::transpose));
    return outcome;
}

template <class T>
void check_same(const Outcome<T>& found, const Outcome<T>& alone) {
    CHECK(found.report.status == alone.report.status);
    CHECK(found.report.pivots.perturbed == alone.report.pivots.perturbed);
    CHECK(found.report.pivots.smallest == alone.report.pivots.smallest);
    CHECK(found.report.pivots.largest == alone.report.pivots.largest);
    check_same_inertia(found.report, alone.report);
    CHECK(found.report.memory.factor_bytes == alone.report.memory.factor_bytes);
    for (std::size_t s = 0; s < alone.solutions.size(); ++s)
        CHECK(std::memcmp(found.solutions[s].data(), alone.solutions[s].data(),
                          alone.solutions[s].size() * sizeof(T)) == 0);
    check_same_determinant(found.determinant, alone.determinant);
}

MessageRule rule_of(const Kind& kind, std::size_t scalar_bytes) {
    return {kind.factorization, kind.pivoting != Pivoting::static_pivots, static_cast<count_t>(scalar_bytes)};
}

/// Sent and received are counted before any solve.
template <class T>
void check_messages(const SomeRanks& ranks, const Analysis& analysis, const Kind& kind,
                    const std::vector<RankReport>& parts) {
    const MessageRule rule = rule_of(kind, sizeof(T));
    const RankMapping mapping =
        detail::map_tree(analysis, detail::machine_of(std::vector<count_t>(at(ranks.size()), 1)), rule);
    index_t shared = 0;
    for (const RankGrid& grid : mapping.grid) shared += grid.rank.size() > 1 ? 1 : 0;
    CHECK(shared > 0);
    const auto predicted = predict_ranks(analysis.tree, analysis.cost.front_flops, mapping, rule);
    for (std::size_t r = 0; r < predicted.size(); ++r) {
        CHECK(parts[r].tree_bytes_sent == predicted[r].sent_bytes);
        CHECK(parts[r].tree_messages_sent == predicted[r].sent_messages);
    }
}

/// All kinds for double precision; for single precision one with threshold pivoting.
template <class T>
std::vector<Kind> kinds_of() {
    if (sizeof(real_t<T>) == 4) return {is_complex<T> ? hermitian : with_pivots};
    std::vector<Kind> all(std::begin(kinds), std::end(kinds));
    if (is_complex<T>) all.push_back(hermitian);
    return all;
}

template <class Body>
void on_several(const Body& body) {
    const FrontsSharedAlways shared;
    on_several_ranks(body);
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("fronts of several ranks have the bits of one", T, shared_bits) {
    const FrontsSharedAlways shared;
    std::vector<Outcome<T>> alone;
    on_some_ranks([&](const SomeRanks& ranks) {
        const Session session = ranks.session();  // of all solvers: to start one takes longer than these
        std::size_t number = 0;
        for (const Kind& kind : kinds_of<T>())
            for (const ForcedMapping& mapping : mappings) {
                CAPTURE(kind.name);
                CAPTURE(mapping.name);
                const SparseMatrix<T> a = matrix_of<T>(kind, 9);
                const std::shared_ptr<const Analysis> analysis = analysis_of(a, kind, mapping);
                Outcome<T> found = outcome_on(ranks, session, a, kind, analysis);
                if (ranks.rank() == 0 && ranks.size() > 1) check_messages<T>(ranks, *analysis, kind, found.parts);
                if (number == alone.size()) alone.push_back(found);
                check_same(found, alone[number++]);
            }
    });
}
TEST_CASE_TEMPLATE_APPLY(shared_bits, Scalars);

TEST_CASE("fronts of several ranks of two workers each have the bits of one of one worker") {
    const FrontsSharedAlways shared;
    std::optional<Outcome<double>> alone;
    const SparseMatrix<double> a = convdiff3d<double>(9).matrix;
    const std::shared_ptr<const Analysis> analysis = analysis_of(a, with_pivots, mappings[1]);
    on_some_ranks([&](const SomeRanks& ranks) {
        const Session session = ranks.session(ranks.size() == 1 ? 1 : 2);
        REQUIRE(session.info().cpu_workers == (ranks.size() == 1 ? 1 : 2));
        const Outcome<double> found = outcome_on(ranks, session, a, with_pivots, analysis);
        if (!alone) alone = found;
        check_same(found, *alone);
    });
}

TEST_CASE("pivots that are raised are counted once") {
    const FrontsSharedAlways shared;
    SparseMatrix<double> a = convdiff3d<double>(8).matrix;
    for (index_t j = 0; j < a.cols(); j += 5)  // rows of zeros: pivots vanish
        for (count_t e = a.pattern.begin[at(j)]; e < a.pattern.begin[at(j) + 1]; ++e)
            a.value[static_cast<std::size_t>(e)] = 0;
    const std::shared_ptr<const Analysis> analysis = analysis_of(a, general, mappings[0]);
    count_t alone = -1;
    on_some_ranks([&](const SomeRanks& ranks) {
        Solver<double> solver = solver_for<double>(ranks, analysis);
        const FactorReport report = solver.factor(dealt(a, ranks).view(), factor_options(general));
        if (alone < 0) alone = report.pivots.perturbed;
        CHECK(report.pivots.perturbed == alone);
        CHECK(alone > 0);
    });
}

TEST_CASE("a matrix that is not definite is found by the rank of its diagonal tile" *
          doctest::test_suite(needs_several_ranks)) {
    on_several([&](const SomeRanks& ranks) {
        SparseMatrix<double> a = poisson3d<double>(8).matrix;
        const std::shared_ptr<const Analysis> analysis = analysis_of(a, definite, mappings[0]);
        Solver<double> solver = solver_for<double>(ranks, analysis);
        for (const index_t column : {a.cols() - 1, a.cols() / 2, index_t{3}}) {
            SparseMatrix<double> bad = a;
            bad.value[static_cast<std::size_t>(bad.pattern.begin[at(column)])] = -1;  // of the lower triangle
            const FactorReport report = solver.factor(dealt(bad, ranks).view());
            CHECK(report.status != FactorStatus::success);
        }
        solver.factor(dealt(a, ranks).view());
        check_solves(solver, a, ranks);
    });
}

TEST_CASE("L L^T of what only looks definite becomes L D L^T by the ranks that share the tree" *
          doctest::test_suite(needs_several_ranks)) {
    const FrontsSharedAlways shared;
    on_several([](const SomeRanks& ranks) {
        SparseMatrix<double> a = poisson3d<double>(15).matrix;
        for (index_t j = 0; j < a.cols(); ++j)  // minors of order 2 stay positive
            for (count_t e = a.pattern.begin[at(j)]; e < a.pattern.begin[at(j) + 1]; ++e)
                if (a.pattern.row[at(e)] != j) a.value[at(e)] *= 5;
        for (const bool is_analysed : {false, true}) {
            Solver<double> solver(ranks.session(), many_tiles());
            auto part = dealt(a, ranks);
            if (is_analysed) solver.analyze(part.view());
            const FactorReport report = solver.factor(part.view());
            CHECK(report.fell_back_to_ldlt);
            REQUIRE(report.pivots.inertia.has_value());
            CHECK(report.pivots.inertia->negative > 0);
            check_solves(solver, a, ranks);
            CHECK(!solver.factor_values(part.value).fell_back_to_ldlt);
            check_solves(solver, a, ranks);
            CHECK(have_parts(solver.rank_reports()) > 1);
        }
    });
}

TEST_CASE("a first factorization without an analysis, and one that cannot begin" *
          doctest::test_suite(needs_several_ranks)) {
    const FrontsSharedAlways shared;
    on_several([](const SomeRanks& ranks) {
        const SparseMatrix<double> a = convdiff3d<double>(15).matrix;
        Solver<double> solver(ranks.session(), many_tiles());
        FactorOptions wrong;
        wrong.pivot_threshold = 2;
        CHECK_THROWS_AS(solver.factor(dealt(a, ranks).view(), wrong), InvalidArgument);
        CHECK_THROWS_AS(solver.analysis_report(), InvalidArgument);  // nothing was begun
        FactorOptions little;
        little.memory_budget_bytes = 2 << 20;  // A has room on rank 0
        CHECK_THROWS_AS(solver.factor(dealt(a, ranks).view(), little), MemoryBudgetExceeded);
        CHECK_THROWS_AS(solver.analysis_report(), InvalidArgument);  // and so may another pattern come
        const SparseMatrix<double> other = convdiff3d<double>(6).matrix;
        solver.factor(dealt(other, ranks).view());
        check_solves(solver, other, ranks);
        solver.analyze(dealt(a, ranks).view());
        solver.factor(dealt(a, ranks).view());
        CHECK(have_parts(solver.rank_reports()) > 1);
        check_solves(solver, a, ranks);
    });
}

TEST_CASE("any unit of shared fronts that fails on any rank stops all of them" *
          doctest::test_suite(needs_several_ranks)) {
    for (const Kind& kind : kinds)
        on_several([&](const SomeRanks& ranks) {
            const SparseMatrix<double> a = matrix_of<double>(kind, 7);
            const std::shared_ptr<const Analysis> analysis = analysis_of(a, kind, mappings[1]);
            Solver<double> solver = solver_for<double>(ranks, analysis);
            solver.factor(dealt(a, ranks).view(), factor_options(kind));
            const std::vector<RankReport> parts = solver.rank_reports();
            for (int victim = 0; victim < ranks.size(); ++victim)
                for (index_t unit = 0; unit < 12; ++unit) {
                    CAPTURE(victim);
                    CAPTURE(unit);
                    const std::string text = text_of_failing_unit(ranks, victim, unit, [&] {
                        solver.factor(dealt(a, ranks).view(), factor_options(kind));
                    });
                    CHECK((!text.empty() || unit > 0 || !(parts[at(victim)].flops > 0)));
                }
            solver.factor(dealt(a, ranks).view(), factor_options(kind));
            check_solves(solver, a, ranks);
        });
}

TEST_CASE("a budget that one rank of a shared front cannot keep to" * doctest::test_suite(needs_several_ranks)) {
    on_several([](const SomeRanks& ranks) {
        const SparseMatrix<double> a = poisson3d<double>(9).matrix;
        const std::shared_ptr<const Analysis> analysis = analysis_of(a, definite, mappings[1]);
        Solver<double> solver = solver_for<double>(ranks, analysis);
        FactorOptions options;
        options.memory_budget_bytes = ranks.rank() == ranks.last() ? 1000 : 0;
        const std::string text =
            message_of<MemoryBudgetExceeded>([&] { solver.factor(dealt(a, ranks).view(), options); });
        CHECK(contains(text, "rank " + std::to_string(ranks.last()) + ": "));
        CHECK(is_same_everywhere(ranks, text));
        const FactorReport report = solver.factor(dealt(a, ranks).view());
        CHECK(report.memory.peak_bytes <= report.memory.peak_bytes_predicted);
        check_solves(solver, a, ranks);
    });
}

TEST_CASE("any rank of a shared front cancels at any time" * doctest::test_suite(needs_several_ranks)) {
    on_several([](const SomeRanks& ranks) {
        const SparseMatrix<double> a = poisson3d<double>(14).matrix;
        const std::shared_ptr<const Analysis> analysis = analysis_of(a, definite, mappings[1]);
        Solver<double> solver = solver_for<double>(ranks, analysis);
        solver.factor(dealt(a, ranks).view());
        check_cancellations(solver, a, ranks, {0, 3, 8, 15});
    });
}

TEST_CASE("any rank cancels at every tenth task" * doctest::test_suite(needs_several_ranks)) {
    on_several([](const SomeRanks& ranks) {
        const SparseMatrix<double> a = poisson3d<double>(12).matrix;
        Solver<double> solver = solver_for<double>(ranks, analysis_of(a, definite, mappings[1]));
        int cancelled = 0, runs = 0;
        for (int victim = 0; victim < ranks.size(); ++victim)
            for (count_t task = 0, tasks = 1; task < tasks; task += 10, ++runs) {
                CAPTURE(victim);
                CAPTURE(task);
                std::atomic<bool> cancel{false};
                FactorOptions options;
                options.cancel = &cancel;
                const bool here = ranks.rank() == victim;
                const WatchedTasks watched("", [&](count_t k) { cancel = here && k >= task; });
                std::string text;
                try {
                    solver.factor(dealt(a, ranks).view(), options);
                } catch (const Cancelled& error) {
                    text = error.what();
                }
                CHECK(is_same_everywhere(ranks, text));
                if (!text.empty()) ++cancelled;
                if (text.empty())
                    tasks = watched.submitted();  // of a whole run, or one that was stopped too late
                else
                    tasks = task + 11;
                MPI_Bcast(&tasks, 1, MPI_INT64_T, victim, *ranks.communicator());
            }
        CHECK(cancelled > 0);
        CHECK(runs > 10 * ranks.size());
        solver.factor(dealt(a, ranks).view());
        check_solves(solver, a, ranks);
    });
}

TEST_CASE("another pivoting deals the same tree in another way" * doctest::test_suite(needs_several_ranks)) {
    on_several([](const SomeRanks& ranks) {
        const SparseMatrix<double> a = convdiff3d<double>(8).matrix;
        const std::shared_ptr<const Analysis> analysis = analysis_of(a, general, mappings[1]);
        Solver<double> solver = solver_for<double>(ranks, analysis);
        for (const Pivoting pivoting : {Pivoting::static_pivots, Pivoting::threshold, Pivoting::static_pivots}) {
            FactorOptions options;
            options.pivoting = pivoting;
            solver.factor(dealt(a, ranks).view(), options);
            check_solves(solver, a, ranks);
        }
    });
}

// SPDX-License-Identifier: BSD-3-Clause
// Trees that several ranks factor together: what is found, and every bit, is that of one rank.
#include "dealt_system.hpp"
#include "frond/matrix/generate.hpp"
#include "needs_ranks.hpp"
#include "random_sparse.hpp"
#include "same_report.hpp"
#include "scalar_lists.hpp"
#include "shared_always.hpp"
#include "trouble_systems.hpp"

#include <optional>

using namespace frond;
using namespace frond::test;

namespace {

/// Cuts that leave much to send: small tiles, and a tree of many units.
AnalysisOptions many_units(Factorization kind = Factorization::automatic) {
    AnalysisOptions options;
    options.deterministic = true;
    options.factorization = kind;
    options.tile_size = 32;
    return options;
}

template <class T>
struct Outcome {
    FactorReport report;
    std::optional<typename Factors<T>::LogDeterminant> determinant;
    std::vector<RankReport> parts;
};

/// analysis (may be null): what is used in place of the solver's own.
template <class T>
Outcome<T> factored(const SomeRanks& ranks, const SparseMatrix<T>& a, const AnalysisOptions& options,
                    const std::shared_ptr<const Analysis>& analysis = nullptr) {
    Solver<T> solver(ranks.session(), options);
    if (analysis != nullptr) solver.use(analysis);
    Outcome<T> outcome;
    outcome.report = solver.factor(dealt(a, ranks).view());
    outcome.parts = solver.rank_reports();
    outcome.determinant = solver.log_determinant();
    return outcome;
}

/// How many ranks have a part of the tree.
index_t busy(const std::vector<RankReport>& parts) {
    return static_cast<index_t>(
        std::count_if(parts.begin(), parts.end(), [](const RankReport& part) { return part.factor_bytes > 0; }));
}

template <class T>
void check_same(const Outcome<T>& found, const Outcome<T>& alone) {
    check_same_report(found.report, alone.report);
    check_same_determinant(found.determinant, alone.determinant);
}

/// What was shared: the most ranks that had a part, and the report, which is the same on all of them.
struct SharedWork {
    index_t busy = 0;
    FactorReport report;
};

/// factor(ranks) on some ranks finds what it finds on one.
template <class Factor>
SharedWork shared_work(const Factor& factor) {
    const SharedAlways shared;
    std::optional<decltype(factor(std::declval<const SomeRanks&>()))> alone;
    SharedWork work;
    on_some_ranks([&](const SomeRanks& ranks) {
        const auto found = factor(ranks);
        work.busy = std::max(work.busy, busy(found.parts));
        work.report = found.report;
        if (!alone) alone = found;
        check_same(found, *alone);
    });
    return work;
}

template <class T>
void check_factors(const SparseMatrix<T>& a, Factorization kind) {
    const SharedWork work = shared_work([&](const SomeRanks& ranks) { return factored(ranks, a, many_units(kind)); });
    CHECK(work.busy >= std::min(3, world_size()));
}

}  // namespace

TEST_CASE("several ranks find the pivots of one") {
    SUBCASE("L L^H") { check_factors(poisson3d<double>(18).matrix, Factorization::llt); }
    SUBCASE("L D L^T") { check_factors(kkt<double>(12).matrix, Factorization::ldlt); }
    SUBCASE("L U") { check_factors(convdiff3d<double>(15).matrix, Factorization::lu); }
}

TEST_CASE_TEMPLATE_DEFINE("columns that fail go to fronts of other ranks", T, delayed_columns) {
    index_t most_busy = 0;
    count_t delayed = 0;
    for (const TroubleSystem<T>& trouble : trouble_systems<T>())
        for (const ForcedMapping& mapping : trouble_mappings()) {
            CAPTURE(trouble.name);
            CAPTURE(mapping.name);
            const std::shared_ptr<const Analysis> analysis =
                remapped(*analyze_as_given(trouble.matrix, trouble.kind).analysis, mapping);
            const SharedWork work = shared_work([&](const SomeRanks& ranks) {
                return factored(ranks, trouble.matrix, many_units(trouble.kind), analysis);
            });
            most_busy = std::max(most_busy, work.busy);
            delayed += work.report.pivots.delayed;
        }
    CHECK(most_busy >= std::min(3, world_size()));
    CHECK(delayed > 0);
}
TEST_CASE_TEMPLATE_APPLY(delayed_columns, Scalars);

TEST_CASE("singular matrices have the rank that one rank finds") {
    index_t most_busy = 0;
    for (const ForcedMapping& mapping : trouble_mappings())
        for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::general}) {
            CAPTURE(mapping.name);
            const SparseMatrix<double> a = rank_deficient<double>(40, 31, true, symmetry, 3);
            const Factorization kind = symmetry == Symmetry::general ? Factorization::lu : Factorization::ldlt;
            const std::shared_ptr<const Analysis> analysis = remapped(*analyze_as_given(a, kind).analysis, mapping);
            const SharedWork work =
                shared_work([&](const SomeRanks& ranks) { return factored(ranks, a, many_units(kind), analysis); });
            CHECK(work.report.status == FactorStatus::singular);
            CHECK(work.report.pivots.small_columns.size() == 40 - 31);
            most_busy = std::max(most_busy, work.busy);
        }
    CHECK(most_busy >= std::min(2, world_size()));
}

TEST_CASE("ranks send what was predicted, to the byte" * doctest::test_suite(needs_several_ranks)) {
    const SharedAlways shared;
    on_several_ranks([](const SomeRanks& ranks) {
        for (const Factorization kind : {Factorization::llt, Factorization::lu}) {
            const SparseMatrix<double> a =
                kind == Factorization::llt ? poisson3d<double>(18).matrix : convdiff3d<double>(15).matrix;
            Solver<double> solver(ranks.session(), many_units(kind));
            const FactorReport report = solver.factor(dealt(a, ranks).view());
            REQUIRE(report.pivots.second_pass == 0);  // nothing failed: sizes are those predicted
            const std::vector<RankReport> parts = solver.rank_reports();
            if (ranks.rank() > 0) continue;
            const Analysis& analysis = *solver.analysis();
            const MessageRule rule{kind, true, static_cast<count_t>(sizeof(double))};
            const RankMapping mapping =
                map_units(analysis.tree, analysis.mapping, analysis.cost.front_flops,
                          detail::machine_of(std::vector<count_t>(static_cast<std::size_t>(ranks.size()), 1)), rule);
            const auto predicted = predict_ranks(analysis.tree, analysis.cost.front_flops, mapping, rule);
            count_t sent = 0;
            for (std::size_t r = 0; r < predicted.size(); ++r) {
                CHECK(parts[r].tree_bytes_sent == predicted[r].sent_bytes);
                CHECK(parts[r].tree_messages_sent == predicted[r].sent_messages);
                CHECK(parts[r].peak_bytes <= parts[r].peak_bytes_predicted);
                sent += predicted[r].sent_bytes;
            }
            CHECK(sent > 0);
        }
    });
}

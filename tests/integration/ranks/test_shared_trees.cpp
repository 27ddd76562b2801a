// SPDX-License-Identifier: BSD-3-Clause
// Trees that several ranks factor together: what is found, and every bit, is that of one rank.
#include "dealt_system.hpp"
#include "frond/matrix/generate.hpp"
#include "needs_ranks.hpp"
#include "random_sparse.hpp"
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
    if (ranks.rank() == 0) outcome.determinant = solver.factors().log_determinant();
    return outcome;
}

/// How many ranks have a part of the tree.
index_t busy(const std::vector<RankReport>& parts) {
    return static_cast<index_t>(
        std::count_if(parts.begin(), parts.end(), [](const RankReport& part) { return part.factor_bytes > 0; }));
}

/// Of sums of positive terms, some hundred thousand at most, in another order.
constexpr double of_another_order = 1e5 * std::numeric_limits<double>::epsilon();

void check_same(const FactorReport& found, const FactorReport& alone) {
    CHECK(found.status == alone.status);
    CHECK(found.pivots.inertia.has_value() == alone.pivots.inertia.has_value());
    if (found.pivots.inertia && alone.pivots.inertia) {
        CHECK(found.pivots.inertia->negative == alone.pivots.inertia->negative);
        CHECK(found.pivots.inertia->zero == alone.pivots.inertia->zero);
        CHECK(found.pivots.inertia->positive == alone.pivots.inertia->positive);
    }
    CHECK(found.pivots.delayed == alone.pivots.delayed);
    CHECK(found.pivots.second_pass == alone.pivots.second_pass);
    CHECK(found.pivots.two_by_two == alone.pivots.two_by_two);
    CHECK(found.pivots.largest_l == alone.pivots.largest_l);
    CHECK(found.pivots.smallest == alone.pivots.smallest);
    CHECK(found.pivots.largest == alone.pivots.largest);
    CHECK(found.pivots.small_columns == alone.pivots.small_columns);
    CHECK(found.pivots.null_rows == alone.pivots.null_rows);
    CHECK(found.pivots.perturbed == alone.pivots.perturbed);
    CHECK(found.memory.factor_entries == alone.memory.factor_entries);
    CHECK(found.memory.factor_bytes == alone.memory.factor_bytes);
    CHECK(found.work.flops == doctest::Approx(alone.work.flops).epsilon(of_another_order));
}

template <class T>
void check_same(const Outcome<T>& found, const Outcome<T>& alone) {
    check_same(found.report, alone.report);
    REQUIRE(found.determinant.has_value() == alone.determinant.has_value());
    if (!found.determinant) return;
    CHECK(found.determinant->log_abs == alone.determinant->log_abs);
    CHECK(found.determinant->phase == alone.determinant->phase);
}

/// factor(ranks) on some ranks finds what it finds on one; the most ranks that had a part.
template <class Factor>
index_t most_busy(const Factor& factor) {
    const SharedAlways shared;
    std::optional<decltype(factor(std::declval<const SomeRanks&>()))> alone;
    index_t most = 0;
    on_some_ranks([&](const SomeRanks& ranks) {
        const auto found = factor(ranks);
        most = std::max(most, busy(found.parts));
        if (ranks.rank() > 0) return;
        if (!alone) alone = found;
        check_same(found, *alone);
    });
    return most;
}

template <class T>
void check_factors(const SparseMatrix<T>& a, Factorization kind) {
    const index_t most = most_busy([&](const SomeRanks& ranks) { return factored(ranks, a, many_units(kind)); });
    CHECK(most >= std::min(3, world_size()));
}

}  // namespace

TEST_CASE("several ranks find the pivots of one") {
    SUBCASE("L L^H") { check_factors(poisson3d<double>(18).matrix, Factorization::llt); }
    SUBCASE("L D L^T") { check_factors(kkt<double>(12).matrix, Factorization::ldlt); }
    SUBCASE("L U") { check_factors(convdiff3d<double>(15).matrix, Factorization::lu); }
}

TEST_CASE_TEMPLATE_DEFINE("columns that fail go to fronts of other ranks", T, delayed_columns) {
    for (const TroubleSystem<T>& trouble : trouble_systems<T>())
        for (const ForcedMapping& mapping : trouble_mappings()) {
            CAPTURE(trouble.name);
            CAPTURE(mapping.name);
            const std::shared_ptr<const Analysis> analysis =
                remapped(*analyze_as_given(trouble.matrix, trouble.kind).analysis, mapping);
            most_busy([&](const SomeRanks& ranks) {
                return factored(ranks, trouble.matrix, many_units(trouble.kind), analysis);
            });
        }
}
TEST_CASE_TEMPLATE_APPLY(delayed_columns, Scalars);

TEST_CASE("singular matrices have the rank that one rank finds") {
    for (const ForcedMapping& mapping : trouble_mappings())
        for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::general}) {
            CAPTURE(mapping.name);
            const SparseMatrix<double> a = rank_deficient<double>(40, 31, true, symmetry, 3);
            const Factorization kind = symmetry == Symmetry::general ? Factorization::lu : Factorization::ldlt;
            const std::shared_ptr<const Analysis> analysis = remapped(*analyze_as_given(a, kind).analysis, mapping);
            most_busy([&](const SomeRanks& ranks) { return factored(ranks, a, many_units(kind), analysis); });
        }
}

TEST_CASE("ranks send what was predicted, to the byte" * doctest::test_suite(needs_several_ranks)) {
    const SharedAlways shared;
    on_some_ranks([](const SomeRanks& ranks) {
        if (ranks.size() == 1) return;
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

// SPDX-License-Identifier: BSD-3-Clause
// Trees that several ranks factor together: what is found, and every bit, is that of one rank.
#include "dealt_system.hpp"
#include "frond/matrix/generate.hpp"
#include "random_sparse.hpp"
#include "ranked/sharing.hpp"
#include "scalar_lists.hpp"

#include <optional>

using namespace frond;
using namespace frond::test;

namespace {

/// Little trees are shared, too, while this lives.
class SharedAlways {
public:
    SharedAlways() { detail::share_always() = true; }
    SharedAlways(const SharedAlways&) = delete;
    SharedAlways& operator=(const SharedAlways&) = delete;
    ~SharedAlways() { detail::share_always() = false; }
};

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

template <class T>
Outcome<T> factored(const SomeRanks& ranks, const SparseMatrix<T>& a, const AnalysisOptions& analysis,
                    const FactorOptions& options) {
    const DealtEntries<T> mine(a, ranks.rank(), [&](count_t e) { return static_cast<int>(e * 7 % ranks.size()); });
    Solver<T> solver(ranks.session(), analysis);
    Outcome<T> outcome;
    outcome.report = solver.factor(mine.view(), options);
    outcome.parts = solver.rank_reports();
    if (ranks.rank() == 0) outcome.determinant = solver.factors().log_determinant();
    return outcome;
}

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
    CHECK(found.work.flops == doctest::Approx(alone.work.flops).epsilon(1e-12));
}

template <class T>
void check_factors(const SparseMatrix<T>& a, Factorization kind, const FactorOptions& options = {}) {
    const SharedAlways shared;
    std::optional<Outcome<T>> alone;
    on_some_ranks([&](const SomeRanks& ranks) {
        const Outcome<T> found = factored(ranks, a, many_units(kind), options);
        if (ranks.rank() > 0) return;
        if (!alone) alone = found;
        check_same(found.report, alone->report);
        REQUIRE(found.determinant.has_value() == alone->determinant.has_value());
        if (!found.determinant) return;
        CHECK(found.determinant->log_abs == alone->determinant->log_abs);
        CHECK(found.determinant->phase == alone->determinant->phase);
        for (const RankReport& part : found.parts) CHECK(part.flops > 0);  // nobody is idle
    });
}

}  // namespace

TEST_CASE("several ranks find the pivots of one") {
    SUBCASE("L L^H") { check_factors(poisson3d<double>(10).matrix, Factorization::llt); }
    SUBCASE("L D L^T") { check_factors(kkt<double>(6).matrix, Factorization::ldlt); }
    SUBCASE("L U") { check_factors(convdiff3d<double>(9).matrix, Factorization::lu); }
}

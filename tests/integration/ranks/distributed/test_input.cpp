// SPDX-License-Identifier: BSD-3-Clause
// How the ranks give a matrix of which none of them has the whole.
#include "distributed_solver.hpp"
#include "frond/matrix/generate.hpp"
#include "random_sparse.hpp"

#include <limits>

using namespace frond;
using namespace frond::test;

namespace {

/// Entries of this rank that `keep` wants.
template <class Keep>
DealtEntries<double> kept_entries(const SparseMatrix<double>& a, const Keep& keep) {
    return {a, 0, [&](count_t e) { return keep(e) ? 0 : -1; }};
}

void check_empty(const SomeRanks& ranks, const Session& session) {
    DealtEntries<double> none(SparseMatrix<double>{}, 0, [](count_t) { return 0; });
    none.order = 0;
    Solver<double> solver(session, distributed());
    CHECK(solver.factor(none.view()).status == FactorStatus::success);
    std::vector<double> nothing;
    const SolveReport report =
        solver.solve(whole_on<const double>(ranks, 0, nothing, 0, 1), whole_on<double>(ranks, 0, nothing, 0, 1));
    CHECK(report.status == SolveStatus::converged);
}

}  // namespace

TEST_SUITE_BEGIN(needs_distribution);

TEST_CASE("distributed analysis: orders 0 to 6, of which one rank has all entries") {
    on_distributed([](const SomeRanks& ranks) {
        const Session session = ranks.session();
        check_empty(ranks, session);
        for (const index_t n : {1, 2, 6})
            for (const int owner : {0, ranks.last()})
                for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::general})
                    for (const bool coupled : {false, true}) {
                        CAPTURE(n);
                        CAPTURE(owner);
                        EntryTable<double> table;
                        for (index_t i = 0; i < n; ++i) table[{i, i}] = 2.0 + i;
                        for (index_t i = 0; i + 1 < n && coupled; ++i) table[{i, i + 1}] = 1;
                        const SparseMatrix<double> a = from_table(n, table, symmetry);
                        Solver<double> solver(session, distributed());
                        solver.factor(kept_entries(a, [&](count_t) { return ranks.rank() == owner; }).view());
                        CHECK(is_distributed(solver, ranks));
                        check_right(solver, a, ranks);
                    }
    });
}

TEST_CASE("distributed analysis: whole rows, which not all ranks have") {
    on_distributed([](const SomeRanks& ranks) {
        const Session session = ranks.session();
        for (const auto& a : {poisson3d<double>(15).matrix, convdiff3d<double>(8).matrix, kkt<double>(4).matrix})
            for (const bool all_on_last : {false, true}) {
                const DealtRows<double> mine(a, ranks.rank(), [&](index_t i) {
                    return all_on_last ? ranks.last() : 1 + (a.rows() - i) / 5 % ranks.last();
                });
                if (ranks.rank() == 0) CHECK(mine.row.empty());
                Solver<double> solver(session, distributed());
                solver.factor(mine.view());
                CHECK(is_distributed(solver, ranks));
                check_right(solver, a, ranks);
            }
    });
}

// More entries on one rank, and more of the first rows: blocks of equal numbers of them would be other ones.
TEST_CASE("distributed analysis: the same pattern with other duplicates keeps the analysis") {
    on_distributed([](const SomeRanks& ranks) {
        const SparseMatrix<double> a = random_grid<double>(14, Symmetry::general, true, 3);
        Solver<double> solver(ranks.session(), distributed());
        solver.factor(dealt(a, ranks).view());
        DealtEntries<double> mine = dealt(a, ranks);
        if (ranks.rank() == 0)
            for (std::size_t e = 0, end = mine.value.size(); e < end; ++e) {
                if (mine.row[e] >= a.rows() / 2) continue;
                mine.row.push_back(mine.row[e]);
                mine.column.push_back(mine.column[e]);
                mine.value.push_back(mine.value[e] *= 0.5);
            }
        solver.factor(mine.view());
        CHECK(is_distributed(solver, ranks));
        check_right(solver, a, ranks);
    });
}

TEST_CASE("distributed analysis: entries that several ranks have are summed") {
    on_distributed([](const SomeRanks& ranks) {
        SparseMatrix<double> a = random_grid<double>(14, Symmetry::general, true, 3);
        DealtEntries<double> mine = kept_entries(a, [](count_t) { return true; });
        const double share = ranks.rank() == ranks.last() ? 1.0 - 0.125 * (ranks.size() - 1) : 0.125;
        for (double& v : mine.value) v *= share;
        Solver<double> solver(ranks.session(), distributed());
        solver.factor(mine.view());
        CHECK(is_distributed(solver, ranks));
        CHECK(solver.input_report().duplicates_summed == 0);
        check_right(solver, a, ranks);
        mine.add(0, 0, 0.5);  // twice on each rank
        solver.analyze(mine.view());
        CHECK(solver.input_report().duplicates_summed == ranks.size());
        solver.factor_values(mine.value);
        a.value[0] += 0.5 * ranks.size();
        check_right(solver, a, ranks);
    });
}

TEST_CASE("distributed analysis: new values, of the analysed pattern alone") {
    on_distributed([](const SomeRanks& ranks) {
        const SparseMatrix<double> a = convdiff3d<double>(8).matrix;
        const auto part = dealt(a, ranks);
        Solver<double> solver(ranks.session(), distributed());
        std::string text = message_of<InvalidArgument>([&] { solver.factor_values(part.value); });
        CHECK(contains(text, "call analyze()"));
        solver.analyze(part.view());
        CHECK(is_distributed(solver, ranks));
        text = message_of<InvalidArgument>([&] { check_right(solver, a, ranks); });
        CHECK(contains(text, "call factor()"));
        solver.factor_values(part.value);
        check_right(solver, a, ranks);
        // The same matrix, given in other parts and order.
        const DealtRows<double> rows(times(a, 2.0), ranks.rank(), [&](index_t i) { return i * 3 % ranks.size(); });
        solver.factor(rows.view());
        check_right(solver, times(a, 2.0), ranks);
        std::vector<double> more = part.value;
        more.push_back(1);
        text = message_of<InvalidArgument>([&] { solver.factor_values(ranks.rank() == 0 ? more : part.value); });
        CHECK(contains(text, "values were given"));
        CHECK(is_same_everywhere(ranks, text));

        DealtEntries<double> other = part;
        if (ranks.rank() == ranks.last()) other.add(0, a.rows() - 1, 0.25);
        for (const DealtEntries<double>& unknown : {other, dealt(convdiff3d<double>(7).matrix, ranks)}) {
            text = message_of<InvalidArgument>([&] { solver.factor(unknown.view()); });
            CHECK(contains(text, "the pattern of the matrix differs from the analysed one; analyze it first"));
            CHECK(is_same_everywhere(ranks, text));
            check_right(solver, times(a, 2.0), ranks);  // with the factors from before
        }
        solver.analyze(other.view());
        CHECK(!solver.factors());
        solver.factor(other.view());
        SparseMatrix<double> with_corner = a;
        const auto last_column = static_cast<std::size_t>(a.rows() - 1);
        with_corner.pattern.row.insert(with_corner.pattern.row.begin() + a.pattern.begin[last_column], 0);
        with_corner.value.insert(with_corner.value.begin() + a.pattern.begin[last_column], 0.25);
        ++with_corner.pattern.begin.back();
        check_right(solver, with_corner, ranks);
    });
}

TEST_CASE("distributed analysis: an entry that is not finite is named on all ranks") {
    on_distributed([](const SomeRanks& ranks) {
        const SparseMatrix<double> a = convdiff3d<double>(5).matrix;
        const auto part = dealt(a, ranks);
        const bool is_last = ranks.rank() == ranks.last();
        for (const double v : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
            DealtEntries<double> bad = part;
            if (is_last) bad.value[5] = v;
            std::vector<index_t> place{bad.row[5], bad.column[5]};
            broadcast_from(ranks, ranks.last(), place);
            const std::string named = "(" + std::to_string(place[0]) + ", " + std::to_string(place[1]) + ")";
            Solver<double> solver(ranks.session(), distributed());
            std::string text = message_of<InvalidMatrix>([&] { solver.factor(bad.view()); });
            CHECK(contains(text, named));
            CHECK(is_same_everywhere(ranks, text));
            solver.factor(part.view());
            check_right(solver, a, ranks);
            text = message_of<InvalidMatrix>([&] { solver.factor_values(bad.value); });
            CHECK(contains(text, named));
            CHECK(is_same_everywhere(ranks, text));
            check_right(solver, a, ranks);  // with the factors from before
            solver.factor_values(part.value);
            check_right(solver, a, ranks);
        }
    });
}

TEST_SUITE_END();

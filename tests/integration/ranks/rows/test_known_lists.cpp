// SPDX-License-Identifier: BSD-3-Clause
// factor() with the lists that were analysed, on all ranks, and with others on one of them.
#include "dealt_system.hpp"
#include "factors/state_of.hpp"
#include "frond/matrix/generate.hpp"
#include "random_sparse.hpp"
#include "session/session_state.hpp"

#include <cstdint>
#include <exception>
#include <limits>
#include <string>

using namespace frond;
using namespace frond::test;

namespace {

AnalysisOptions from_scratch() {
    AnalysisOptions options;
    options.deterministic = true;
    return options;
}

std::vector<double> solution(const SomeRanks& ranks, Solver<double>& solver, const SparseMatrix<double>& a) {
    std::vector<double> b = simple_rhs(a, 1), x(b.size());
    static_cast<void>(
        solver.solve(whole_on<const double>(ranks, 0, b, a.rows(), 1), whole_on<double>(ranks, 0, x, a.rows(), 1)));
    broadcast_from(ranks, 0, x);
    return x;
}

/// call() takes values by the lists that are known, or does not. Rank 0 may know the whole matrix again where it does not
/// know its list, and is not asked then.
template <class Call>
void expect_known(const SomeRanks& ranks, bool known, const Session& session, const Call& call) {
    const detail::SessionState& state = *detail::state_of(session);
    const count_t before = state.known_lists();
    call();
    const count_t lists = state.known_lists() - before;
    if (known)
        CHECK(lists > 0);
    else if (ranks.rank() > 0)
        CHECK(lists == 0);
}

/// Some entries beside the diagonal are 0, others with each step.
SparseMatrix<double> with_other_values(SparseMatrix<double> a, double step) {
    index_t j = 0;
    for (std::size_t e = 0; e < a.value.size(); ++e) {
        while (a.pattern.begin[static_cast<std::size_t>(j) + 1] <= static_cast<count_t>(e)) ++j;
        const bool is_zero = e % (step > 0 ? 5 : 7) == 0;
        a.value[e] *= a.pattern.row[e] == j ? 1 + step : is_zero ? 0 : 1 - step;
    }
    return a;
}

/// Every third entry in two halves, which are summed.
DealtEntries<double> in_halves(DealtEntries<double> mine) {
    const std::size_t entries = mine.value.size();
    for (std::size_t e = 0; e < entries; e += 3) {
        mine.value[e] /= 2;
        mine.add(mine.row[e], mine.column[e], mine.value[e]);
    }
    return mine;
}

DealtRows<double> in_halves(const DealtRows<double>& mine) {
    DealtRows<double> halves = mine;
    halves.column.clear();
    halves.value.clear();
    for (std::size_t i = 0; i < mine.row.size(); ++i) {
        for (auto e = static_cast<std::size_t>(mine.begin[i]); e < static_cast<std::size_t>(mine.begin[i + 1]); ++e) {
            const std::size_t parts = e % 3 == 0 ? 2 : 1;
            halves.column.insert(halves.column.end(), parts, mine.column[e]);
            halves.value.insert(halves.value.end(), parts, mine.value[e] / static_cast<double>(parts));
        }
        halves.begin[i + 1] = static_cast<index_t>(halves.column.size());
    }
    return halves;
}

/// The same bits from the list that was analysed and from a Solver that never saw it.
template <class Dealt, class Owner>
void check_bits(const SomeRanks& ranks, const SparseMatrix<double>& a, Owner owner) {
    const Session session = ranks.session();
    Solver<double> by_list(session, from_scratch());
    by_list.analyze(in_halves(Dealt(a, ranks.rank(), owner)).view());
    for (const double step : {0.0, 0.01, 0.02}) {
        const SparseMatrix<double> other = with_other_values(a, step);
        const Dealt mine = in_halves(Dealt(other, ranks.rank(), owner));
        Solver<double> fresh(session, from_scratch());
        fresh.factor(mine.view());
        expect_known(ranks, true, session, [&] { by_list.factor(mine.view()); });
        CHECK(fresh.input_report().explicit_zeros > 0);
        CHECK(fresh.input_report().duplicates_summed > 0);
        CHECK(by_list.input_report().explicit_zeros == fresh.input_report().explicit_zeros);
        CHECK(by_list.input_report().duplicates_summed == fresh.input_report().duplicates_summed);
        const std::vector<double> x = solution(ranks, fresh, other);
        CHECK(solution(ranks, by_list, other) == x);
        by_list.factor_values(mine.value);
        CHECK(solution(ranks, by_list, other) == x);
    }
}

template <class Call>
std::string text_of(const Call& call) {
    try {
        call();
    } catch (const std::exception& error) {
        return error.what();
    }
    return {};
}

/// In numbers of 64 bits.
struct LongRows {
    std::int64_t order;
    std::vector<std::int64_t> row, begin, column;
    std::vector<double> value;

    explicit LongRows(const DealtRows<double>& rows)
        : order(rows.order),
          row(rows.row.begin(), rows.row.end()),
          begin(rows.begin.begin(), rows.begin.end()),
          column(rows.column.begin(), rows.column.end()),
          value(rows.value) {}

    RowsView<double, std::int64_t> view() const {
        return {order, static_cast<std::int64_t>(row.size()), row.data(), begin.data(), column.data(), value.data()};
    }
};

}  // namespace

TEST_CASE("lists and rows of ranks are known again and give the same bits") {
    on_some_ranks([](const SomeRanks& ranks) {
        for (const auto& a : {poisson3d<double>(6).matrix, convdiff3d<double>(5).matrix}) {
            check_bits<DealtEntries<double>>(ranks, a,
                                             [&](count_t e) { return static_cast<int>(e * 7 % ranks.size()); });
            check_bits<DealtEntries<double>>(ranks, a, [&](count_t) { return 0; });  // others have nothing
            check_bits<DealtRows<double>>(ranks, a, [&](index_t i) { return (a.rows() - i) % ranks.size(); });
        }
    });
}

TEST_CASE("one rank gives another list than before") {
    on_some_ranks([](const SomeRanks& ranks) {
        const SparseMatrix<double> a = convdiff3d<double>(5).matrix;
        DealtEntries<double> mine(a, ranks.rank(), [&](count_t e) { return static_cast<int>(e % ranks.size()); });
        const DealtEntries<double> same = mine;
        const Session session = ranks.session();
        Solver<double> solver(session, from_scratch());
        solver.analyze(mine.view());
        solver.factor(mine.view());
        const std::vector<double> x = solution(ranks, solver, a);
        const auto check_refused = [&](const std::string& words) {
            const std::string text = text_of([&] { solver.factor(mine.view()); });
            CAPTURE(text);
            CHECK(text.find(words) != std::string::npos);
            CHECK(is_same_everywhere(ranks, text));
            mine = same;
            CHECK(solution(ranks, solver, a) == x);
        };
        const bool is_last = ranks.rank() == ranks.last();
        if (is_last) mine.row[2] = a.rows();
        check_refused("of entry 2 (counted from 0)");
        if (is_last) mine.value[3] = std::numeric_limits<double>::infinity();
        check_refused("is inf; values must be finite");
        if (is_last) mine.add(0, a.rows() - 1, 1.0);
        check_refused("pattern");
        // The same matrix in another order on one rank.
        if (is_last) {
            std::swap(mine.row[0], mine.row[1]);
            std::swap(mine.column[0], mine.column[1]);
            std::swap(mine.value[0], mine.value[1]);
        }
        expect_known(ranks, false, session, [&] { solver.factor(mine.view()); });
        CHECK(solution(ranks, solver, a) == x);
    });
}

TEST_CASE("one rank gives more entries than any memory has") {
    on_some_ranks([](const SomeRanks& ranks) {
        const SparseMatrix<double> a = convdiff3d<double>(4).matrix;
        LongRows mine(DealtRows<double>(a, ranks.rank(), [&](index_t i) { return i % ranks.size(); }));
        const LongRows same = mine;
        const Session session = ranks.session();
        Solver<double> solver(session, from_scratch());
        solver.analyze(mine.view());
        solver.factor(mine.view());
        const std::vector<double> x = solution(ranks, solver, a);
        if (ranks.rank() == ranks.last()) mine.begin.back() = std::int64_t{1} << 61;
        const std::string text = text_of([&] { solver.factor(mine.view()); });
        CHECK_FALSE(text.empty());
        CHECK(is_same_everywhere(ranks, text));
        CHECK(solution(ranks, solver, a) == x);
        expect_known(ranks, true, session, [&] { solver.factor(same.view()); });
        CHECK(solution(ranks, solver, a) == x);
    });
}

TEST_CASE("zeros and duplicates are reported of the list that was factored last") {
    on_some_ranks([](const SomeRanks& ranks) {
        const DealtEntries<double> mine = dealt(convdiff3d<double>(4).matrix, ranks);
        const Session session = ranks.session();
        Solver<double> solver(session, from_scratch());
        solver.analyze(mine.view());
        const auto check = [&](bool known, const DealtEntries<double>& list, count_t zeros, count_t duplicates) {
            expect_known(ranks, known, session, [&] { solver.factor(list.view()); });
            CHECK(solver.input_report().explicit_zeros == zeros);
            CHECK(solver.input_report().duplicates_summed == duplicates);
        };
        check(true, mine, 0, 0);
        DealtEntries<double> other = mine;
        std::size_t e = 0;
        while (other.row[e] == other.column[e]) ++e;
        other.value[e] = 0;  // one on each rank
        check(true, other, ranks.size(), 0);
        other = in_halves(other);
        auto added = static_cast<long long>(other.value.size() - mine.value.size()), all = added;
        MPI_Allreduce(&added, &all, 1, MPI_LONG_LONG, MPI_SUM, *ranks.communicator());
        check(false, other, ranks.size(), all);
        check(true, mine, 0, 0);
    });
}

TEST_CASE("the same rows, declared otherwise") {
    on_some_ranks([](const SomeRanks& ranks) {
        const SparseMatrix<double> a = poisson3d<double>(4).matrix;
        const DealtRows<double> mine(a, ranks.rank(), [&](index_t i) { return i % ranks.size(); });
        const Session session = ranks.session();
        Solver<double> solver(session, from_scratch());
        solver.analyze(mine.view());
        solver.factor(mine.view());
        const std::vector<double> x = solution(ranks, solver, a);
        RowsView<double, index_t> general = mine.view();
        general.symmetry = Symmetry::general;
        expect_known(ranks, false, session, [&] {
            const std::string text = text_of([&] { solver.factor(general); });
            CAPTURE(text);
            CHECK(contains(text, "pattern"));
            CHECK(is_same_everywhere(ranks, text));
        });
        CHECK(solution(ranks, solver, a) == x);
        // On one rank alone.
        const std::string text = text_of([&] { solver.factor(ranks.rank() == ranks.last() ? general : mine.view()); });
        CAPTURE(text);
        CHECK(contains(text, ranks.size() > 1 ? "the symmetry of A differs: rank 0 has 'symmetric'" : "pattern"));
        CHECK(is_same_everywhere(ranks, text));
        expect_known(ranks, true, session, [&] { solver.factor(mine.view()); });
        CHECK(solution(ranks, solver, a) == x);
    });
}

TEST_CASE("rows that change places between ranks, and triangles that do not agree any more") {
    on_some_ranks([](const SomeRanks& ranks) {
        const SparseMatrix<double> a = poisson3d<double>(5).matrix;
        const auto rows_of = [&](index_t shift) {
            return DealtRows<double>(a, ranks.rank(), [&](index_t i) { return (i + shift) % ranks.size(); });
        };
        DealtRows<double> mine = rows_of(0);
        Solver<double> solver(ranks.session(), from_scratch());
        solver.analyze(mine.view());
        solver.factor(mine.view());
        const std::vector<double> x = solution(ranks, solver, a);
        solver.factor(rows_of(1).view());
        CHECK(solution(ranks, solver, a) == x);
        if (ranks.rank() == ranks.last()) {
            // An entry beside the diagonal.
            std::size_t e = 0;
            while (mine.column[e] == mine.row[0]) ++e;
            mine.value[e] += 1;
        }
        const std::string text = text_of([&] { solver.factor(mine.view()); });
        CAPTURE(text);
        CHECK(text.find("do not agree") != std::string::npos);
        CHECK(is_same_everywhere(ranks, text));
    });
}

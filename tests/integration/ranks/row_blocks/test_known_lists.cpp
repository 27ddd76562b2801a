// SPDX-License-Identifier: BSD-3-Clause
// factor() with the lists that were analysed, on all ranks, and with others on one of them.
#include "dealt_system.hpp"
#include "frond/matrix/generate.hpp"
#include "random_sparse.hpp"

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
    solver.solve(whole_on<const double>(ranks, 0, b, a.rows(), 1), whole_on<double>(ranks, 0, x, a.rows(), 1));
    broadcast_from(ranks, 0, x);
    return x;
}

SparseMatrix<double> with_other_values(SparseMatrix<double> a, double step) {
    index_t j = 0;
    for (std::size_t e = 0; e < a.value.size(); ++e) {
        while (a.pattern.begin[static_cast<std::size_t>(j) + 1] <= static_cast<count_t>(e)) ++j;
        a.value[e] *= a.pattern.row[e] == j ? 1 + step : 1 - step;
    }
    return a;
}

/// The same bits from the list that was analysed and from a Solver that never saw it.
template <class Dealt, class Owner>
void check_bits(const SomeRanks& ranks, const SparseMatrix<double>& a, Owner owner) {
    Solver<double> by_list(ranks.session(), from_scratch());
    by_list.analyze(Dealt(a, ranks.rank(), owner).view());
    for (const double step : {0.0, 0.01, 0.02}) {
        const SparseMatrix<double> other = with_other_values(a, step);
        const Dealt mine(other, ranks.rank(), owner);
        Solver<double> fresh(ranks.session(), from_scratch());
        fresh.factor(mine.view());
        by_list.factor(mine.view());
        CHECK(by_list.input_report().explicit_zeros == fresh.input_report().explicit_zeros);
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
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

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
        Solver<double> solver(ranks.session(), from_scratch());
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
        solver.factor(mine.view());
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

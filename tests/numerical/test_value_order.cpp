// SPDX-License-Identifier: BSD-3-Clause
// New values in the order of the arrays that were analysed, against factor() with the same matrix.
#include "factors/state_of.hpp"
#include "frond/frond.hpp"
#include "new_values.hpp"
#include "random_sparse.hpp"
#include "rhs_block.hpp"
#include "scalar_lists.hpp"
#include "session/session_state.hpp"
#include "shared_session.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <random>

using namespace frond;
using namespace frond::test;

namespace {

constexpr index_t order = 120;

/// Triplets of a matrix, in any order, with entries split in two where asked.
template <class T, class I>
struct Triplets {
    std::vector<I> row, column;
    std::vector<T> value;
    Symmetry symmetry;
    Triangle stored;

    TripletView<T, I> view() const {
        TripletView<T, I> v;
        v.rows = v.cols = order;
        v.entries = static_cast<count_t>(value.size());
        v.row = row.data(), v.column = column.data(), v.value = value.data();
        v.symmetry = symmetry;
        v.stored = stored;
        v.one_based = true;
        return v;
    }
};

template <class T>
T mirror(T value, Symmetry symmetry) {
    if (symmetry == Symmetry::hermitian) return conjugate(value);
    return symmetry == Symmetry::skew_symmetric ? -value : value;
}

/// a: canonical; upper or both triangles are made of it.
template <class T, class I>
Triplets<T, I> triplets_of(const SparseMatrix<T>& a, Triangle stored, Symmetry declared, bool shuffled, bool split) {
    Triplets<T, I> t{{}, {}, {}, declared, stored};
    const auto add = [&](index_t i, index_t j, T value) {
        t.row.push_back(static_cast<I>(i + 1));
        t.column.push_back(static_cast<I>(j + 1));
        t.value.push_back(value);
    };
    for (index_t j = 0; j < a.cols(); ++j)
        for (auto e = static_cast<std::size_t>(a.pattern.begin[static_cast<std::size_t>(j)]);
             e < static_cast<std::size_t>(a.pattern.begin[static_cast<std::size_t>(j) + 1]); ++e) {
            const index_t i = a.pattern.row[e];
            const int parts = split && e % 5 == 0 ? 3 : 1;
            for (int part = 0; part < parts; ++part) {
                const T value = a.value[e] / static_cast<real_t<T>>(parts);
                const bool lower = declared == Symmetry::general || stored != Triangle::upper;
                if (lower) add(i, j, value);
                const bool upper = declared != Symmetry::general && stored != Triangle::lower && (i != j || !lower);
                if (upper) add(j, i, mirror(value, declared));
            }
        }
    if (!shuffled) return t;
    std::mt19937 generator(7);
    for (std::size_t k = t.value.size(); k > 1; --k) {
        const std::size_t other = generator() % k;
        std::swap(t.row[k - 1], t.row[other]);
        std::swap(t.column[k - 1], t.column[other]);
        std::swap(t.value[k - 1], t.value[other]);
    }
    return t;
}

template <class T>
RhsBlock<T> solution(Solver<T>& solver) {
    const auto b = RhsBlock<T>::random(order, 2, 5);
    RhsBlock<T> x(order, 2);
    CHECK(solver.solve(b.view(), x.view()).status == SolveStatus::converged);
    return x;
}

AnalysisOptions from_scratch() {
    AnalysisOptions options;
    options.deterministic = true;
    return options;
}

/// Whether the list was known again, which call() of the shared session gives to factor().
template <class Call>
bool is_known_to(const Call& call) {
    const detail::SessionState& state = *detail::state_of(shared_session());
    const count_t before = state.known_lists();
    call();
    return state.known_lists() == before + 1;
}

/// Entries beside the diagonal that are 0.
template <class T>
SparseMatrix<T> with_zeros(SparseMatrix<T> a, std::size_t first) {
    for (index_t j = 0; j < a.cols(); ++j)
        for (auto e = static_cast<std::size_t>(a.pattern.begin[static_cast<std::size_t>(j)]);
             e < static_cast<std::size_t>(a.pattern.begin[static_cast<std::size_t>(j) + 1]); ++e)
            if (e % 7 >= first && a.pattern.row[e] != j) a.value[e] = T(0);
    return a;
}

/// first and second: the same indices. The same bits from the canonical form, the list and its values.
template <class T, class View>
void check_same(const View& first, const View& second, count_t entries, bool has_duplicates) {
    Solver<T> by_matrix(shared_session(), from_scratch()), by_list(by_matrix), by_values(by_matrix);
    by_matrix.analyze(make_sparse(first));
    by_list.analyze(first);
    by_values.analyze(first);
    for (const View& view : {second, first, second}) {
        InputReport report;
        by_matrix.factor(make_sparse(view, &report));
        const bool has_both_triangles = view.symmetry != Symmetry::general && view.stored == Triangle::both;
        CHECK(is_known_to([&] { by_list.factor(view); }) != has_both_triangles);
        CHECK(report.explicit_zeros > 0);
        CHECK((report.duplicates_summed > 0) == has_duplicates);
        by_values.factor_values({view.value, static_cast<std::size_t>(entries)});
        CHECK(by_list.input_report().duplicates_summed == report.duplicates_summed);
        CHECK(by_list.input_report().explicit_zeros == report.explicit_zeros);
        const RhsBlock<T> x = solution(by_matrix);
        for (Solver<T>* other : {&by_list, &by_values}) {
            CHECK(other->factors().report().status == by_matrix.factors().report().status);
            CHECK(solution(*other) == x);
        }
    }
}

/// Compressed by columns or rows from triplets of the same order within each.
template <class T, class I>
struct Compressed {
    std::vector<I> begin, index;
    std::vector<T> value;

    Compressed(const Triplets<T, I>& t, bool by_rows) : begin(order + 1, 0) {
        const std::vector<I>&major = by_rows ? t.row : t.column, &minor = by_rows ? t.column : t.row;
        for (const I k : major) ++begin[static_cast<std::size_t>(k)];
        for (std::size_t k = 0; k < order; ++k) begin[k + 1] += begin[k];
        std::vector<I> next(begin);
        index.resize(minor.size());
        value.resize(minor.size());
        for (std::size_t e = 0; e < minor.size(); ++e) {
            const auto at = static_cast<std::size_t>(next[static_cast<std::size_t>(major[e] - 1)]++);
            index[at] = minor[e] - 1;
            value[at] = t.value[e];
        }
    }

    CompressedView<T, I> view(const Triplets<T, I>& t, bool by_rows) const {
        CompressedView<T, I> v;
        v.rows = v.cols = order;
        v.begin = begin.data(), v.index = index.data(), v.value = value.data();
        v.layout = by_rows ? Layout::rows : Layout::columns;
        v.symmetry = t.symmetry;
        v.stored = t.stored;
        return v;
    }
};

template <class T, class I>
void check_forms(const SparseMatrix<T>& a, const SparseMatrix<T>& other, Triangle stored, Symmetry declared) {
    for (const bool shuffled : {false, true})
        for (const bool split : {false, true}) {
            CAPTURE(shuffled);
            CAPTURE(split);
            const auto first = triplets_of<T, I>(a, stored, declared, shuffled, split);
            const auto second = triplets_of<T, I>(other, stored, declared, shuffled, split);
            const auto entries = static_cast<count_t>(first.value.size());
            check_same<T>(first.view(), second.view(), entries, split);
            for (const bool by_rows : {false, true}) {
                CAPTURE(by_rows);
                const Compressed<T, I> c(first, by_rows), d(second, by_rows);
                check_same<T>(c.view(first, by_rows), d.view(second, by_rows), entries, split);
            }
        }
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("values in the order of the caller's arrays", T, callers_order) {
    for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric, Symmetry::hermitian}) {
        const SparseMatrix<T> a = with_zeros(random_sparse<T>(order, 4, symmetry, true, 11), 6);
        const SparseMatrix<T> other = with_zeros(with_independent_factors(a, 0.4, 12), 5);
        for (const Triangle stored : {Triangle::lower, Triangle::upper, Triangle::both}) {
            CAPTURE(static_cast<int>(symmetry));
            CAPTURE(static_cast<int>(stored));
            check_forms<T, std::int32_t>(a, other, stored, symmetry);
            check_forms<T, std::int64_t>(a, other, stored, symmetry);
        }
    }
}
TEST_CASE_TEMPLATE_APPLY(callers_order, Scalars);

TEST_CASE("skew-symmetric arrays, and an upper entry without its lower one") {
    // (0 -2; 2 0), by its lower or upper triangle, or by both.
    const std::vector<int> row{1, 0}, column{0, 1};
    const std::vector<double> given{2, -2}, other{5, -5};
    for (const Triangle stored : {Triangle::lower, Triangle::upper, Triangle::both}) {
        const bool upper = stored == Triangle::upper;
        TripletView<double> view{
            2, 2, stored == Triangle::both ? 2 : 1, row.data() + upper, column.data() + upper, given.data() + upper};
        view.symmetry = Symmetry::skew_symmetric;
        view.stored = stored;
        Solver<double> solver(shared_session());
        solver.analyze(view);
        solver.factor_values({other.data() + upper, static_cast<std::size_t>(view.entries)});
        const std::vector<double> b{-10, 5};
        std::vector<double> x(2);
        static_cast<void>(solver.solve({b.data(), 2}, {x.data(), 2}));
        CHECK(x == std::vector<double>{1, 2});
    }
    const std::vector<int> rows{0, 0, 1}, columns{0, 1, 1};  // a_01 alone, 0 when it was analysed
    const std::vector<double> zero{4, 0, 4}, values{4, 2, 4};
    TripletView<double> view{2, 2, 3, rows.data(), columns.data(), zero.data()};
    view.symmetry = Symmetry::symmetric;
    Solver<double> solver(shared_session());
    solver.analyze(view);
    solver.factor_values(values);
    const std::vector<double> b{8, 10};
    std::vector<double> x(2);
    static_cast<void>(solver.solve({b.data(), 2}, {x.data(), 2}));
    const double bound = 3 * rounding_bound<double>(12);  // condition number 3
    CHECK(is_near(x[0], 1, bound));
    CHECK(is_near(x[1], 2, bound));
}

TEST_CASE("values without a known order, of another number, or not finite") {
    const SparseMatrix<double> a = random_sparse<double>(order, 4, Symmetry::general, true, 11);
    Solver<double> solver(shared_session());
    CHECK_THROWS_AS(solver.factor_values(a.value), InvalidArgument);
    solver.analyze(a);
    CHECK_THROWS_AS(solver.factor_values(std::span(a.value).first(a.value.size() - 1)), InvalidArgument);
    std::vector<double> bad = a.value;
    bad[17] = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS_AS(solver.factor_values(bad), InvalidMatrix);
    solver.factor_values(a.value);
    const auto x = solution(solver);
    bad[17] = std::numeric_limits<double>::infinity();
    CHECK_THROWS_AS(solver.factor_values(bad), InvalidMatrix);
    CHECK(solution(solver) == x);
    // After an analysis made elsewhere the order is that of the first matrix.
    Solver<double> other(shared_session());
    other.use(solver.analysis());
    CHECK_THROWS_AS(other.factor_values(a.value), InvalidArgument);
    other.factor(a);
    CHECK_NOTHROW(other.factor_values(a.value));
    // Factors that others still have keep their matrix.
    const Factors<double> held = solver.factors();
    const auto b = RhsBlock<double>::random(order, 2, 5);
    RhsBlock<double> before(order, 2), after(order, 2);
    static_cast<void>(solve(held, b.view(), before.view()));
    for (const double factor : {2.0, 3.0, 4.0}) {
        std::vector<double> values = a.value;
        for (double& v : values) v *= factor;
        solver.factor_values(values);
    }
    static_cast<void>(solve(held, b.view(), after.view()));
    CHECK(before == after);
}

TEST_CASE("lists that differ from the one that was analysed") {
    const SparseMatrix<double> a = random_sparse<double>(order, 4, Symmetry::general, true, 11);
    auto list = triplets_of<double, std::int32_t>(a, Triangle::both, Symmetry::general, true, true);
    const auto same = list;
    Solver<double> solver(shared_session(), from_scratch());
    solver.analyze(same.view());
    solver.factor(same.view());
    const auto x = solution(solver);
    const auto text_of_factor = [&] {
        try {
            solver.factor(list.view());
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const auto check_refused = [&](const std::string& words) {
        const std::string text = text_of_factor();
        CAPTURE(text);
        CHECK(text.find(words) != std::string::npos);
        CHECK(solution(solver) == x);  // the factors are those from before
        list = same;
    };
    // One entry elsewhere.
    std::size_t e = 0;
    while (list.row[e] != list.column[e]) ++e;
    const auto free_row = [&] {
        for (std::int32_t i = 1;; ++i) {
            bool taken = false;
            for (std::size_t k = 0; k < list.row.size(); ++k)
                taken |= list.column[k] == list.column[e] && list.row[k] == i;
            if (!taken) return i;
        }
    };
    list.row[e] = free_row();
    check_refused("pattern");
    list.row[5] = order + 1;
    check_refused("row index 121 of entry 5 (counted from 0) is not in 1 .. 120");
    list.value[6] = std::numeric_limits<double>::quiet_NaN();
    check_refused("entry (" + std::to_string(same.row[6]) + ", " + std::to_string(same.column[6]) + ") is nan");
    // The same entries in another order are another list of the same matrix: sums may round otherwise, but for those of two.
    std::swap(list.row[3], list.row[4]);
    std::swap(list.column[3], list.column[4]);
    std::swap(list.value[3], list.value[4]);
    CHECK_FALSE(is_known_to([&] { CHECK(text_of_factor().empty()); }));
    CHECK(solution(solver) == x);
    // factor_values() still takes the order that was analysed.
    solver.factor_values(same.value);
    CHECK(solution(solver) == x);
}

TEST_CASE("sizes beyond the arrays, of a form that was analysed") {
    const std::vector<std::int64_t> begin{0, 2, 4}, index{0, 1, 0, 1}, column{0, 0, 1, 1};
    const std::vector<double> value{4, 1, 2, 4};
    CompressedView<double, std::int64_t> columns{2, 2, begin.data(), index.data(), value.data()};
    TripletView<double, std::int64_t> triplets{2, 2, 4, index.data(), column.data(), value.data()};
    Solver<double> by_columns(shared_session()), by_triplets(shared_session());
    by_columns.analyze(columns);
    by_triplets.analyze(triplets);
    CHECK(is_known_to([&] { by_columns.factor(columns); }));
    CHECK(is_known_to([&] { by_triplets.factor(triplets); }));
    columns.cols = triplets.cols = std::int64_t{1} << 40;
    CHECK_THROWS_AS(by_columns.factor(columns), InvalidMatrix);
    CHECK_THROWS_AS(by_triplets.factor(triplets), InvalidMatrix);
}

TEST_CASE("both triangles of values that do not agree any more") {
    std::vector<std::int32_t> row{0, 1, 0, 1}, column{0, 0, 1, 1};
    std::vector<double> value{4, 1, 1, 4};
    TripletView<double> view{2, 2, 4, row.data(), column.data(), value.data()};
    view.symmetry = Symmetry::symmetric;
    Solver<double> solver(shared_session());
    solver.analyze(view);
    CHECK_NOTHROW(solver.factor(view));
    value[2] = 2;
    CHECK_THROWS_AS(solver.factor(view), InvalidMatrix);
}

TEST_CASE("rows of the same order are a list that is known, too") {
    const std::vector<std::int32_t> row{1, 0}, begin{0, 2, 4}, index{1, 0, 0, 1}, other_row{0, 1};
    std::vector<double> value{4, 1, 4, 2};
    RowsView<double> view{2, 2, row.data(), begin.data(), index.data(), value.data()};
    Solver<double> solver(shared_session());
    solver.analyze(view);
    // (4 2; 1 4) (2 1)^T is (10 6)
    std::vector<double> x(2);
    const auto check = [&](double x0, double x1, std::vector<double> rhs, bool is_known) {
        CHECK(is_known_to([&] { solver.factor(view); }) == is_known);
        static_cast<void>(solver.solve(rhs, x));
        CHECK(is_near(x[0], x0, 1e-14));
        CHECK(is_near(x[1], x1, 1e-14));
    };
    check(2, 1, {10, 6}, true);
    value[1] = 3;
    check(2, 1, {10, 10}, true);
    view.row = other_row.data();  // (3 4; 4 2)
    check(2, 1, {10, 10}, false);
}

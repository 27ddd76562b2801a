// SPDX-License-Identifier: BSD-3-Clause
// Canonical form against a map that sums the same entries in the same order.
#include "canonical_checks.hpp"
#include "frond/matrix/sparse_matrix.hpp"
#include "random_sparse.hpp"
#include "scalar_lists.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

using namespace frond;
using namespace frond::test;

namespace {

template <class T, class I>
struct Triplets {
    std::vector<I> row, column;
    std::vector<T> value;
    I rows = 0, cols = 0;

    TripletView<T, I> view() const {
        TripletView<T, I> v;
        v.rows = rows;
        v.cols = cols;
        v.entries = static_cast<count_t>(row.size());
        v.row = row.data();
        v.column = column.data();
        v.value = value.data();
        return v;
    }
};

/// Small whole numbers, so that sums are exact in any order.
template <class T>
T small_value(Random& random) {
    if constexpr (is_complex<T>)
        return T(static_cast<real_t<T>>(random.below(17) - 8), static_cast<real_t<T>>(random.below(17) - 8));
    else
        return static_cast<T>(random.below(17) - 8);
}

template <class T, class I>
Triplets<T, I> random_triplets(I rows, I cols, int entries, std::uint64_t seed) {
    Random random(seed);
    Triplets<T, I> t;
    t.rows = rows;
    t.cols = cols;
    for (int e = 0; e < entries; ++e) {
        t.row.push_back(random.below(static_cast<index_t>(rows)));
        t.column.push_back(random.below(static_cast<index_t>(cols)));
        t.value.push_back(small_value<T>(random));
    }
    return t;
}

template <class T, class I>
EntryTable<T> table_of(const Triplets<T, I>& t) {
    EntryTable<T> table;
    for (std::size_t e = 0; e < t.row.size(); ++e)
        table[{static_cast<index_t>(t.column[e]), static_cast<index_t>(t.row[e])}] += t.value[e];
    return table;
}

template <class T>
void check_table(const SparseMatrix<T>& a, const EntryTable<T>& table) {
    check_canonical(a);
    REQUIRE(a.entries() == static_cast<count_t>(table.size()));
    std::size_t e = 0;
    index_t column = 0;
    bool good = true;
    for (const auto& [at, value] : table) {
        while (a.pattern.begin[column + 1] <= static_cast<count_t>(e)) ++column;
        good = good && column == at.first && a.pattern.row[e] == at.second && a.value[e] == value;
        ++e;
    }
    CHECK(good);
}

/// Compressed form with the entries of each column (row) in the order of the triplets.
template <class T, class I>
struct Compressed {
    std::vector<I> begin, index;
    std::vector<T> value;

    Compressed(const Triplets<T, I>& t, Layout layout, I base) {
        const std::vector<I>& major = layout == Layout::columns ? t.column : t.row;
        const std::vector<I>& minor = layout == Layout::columns ? t.row : t.column;
        const I size = layout == Layout::columns ? t.cols : t.rows;
        std::vector<std::size_t> order(major.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(), [&](auto x, auto y) { return major[x] < major[y]; });
        begin.assign(static_cast<std::size_t>(size) + 1, base);
        for (const std::size_t e : order) {
            index.push_back(minor[e] + base);
            value.push_back(t.value[e]);
        }
        for (const I k : major)
            for (I j = k; j < size; ++j) ++begin[static_cast<std::size_t>(j) + 1];
    }

    CompressedView<T, I> view(const Triplets<T, I>& t, Layout layout, bool one_based) const {
        CompressedView<T, I> v;
        v.rows = t.rows;
        v.cols = t.cols;
        v.begin = begin.data();
        v.index = index.data();
        v.value = value.data();
        v.layout = layout;
        v.one_based = one_based;
        return v;
    }
};

template <class T, class I>
void check_all_layouts(const Triplets<T, I>& t) {
    const EntryTable<T> table = table_of(t);
    const count_t duplicates = static_cast<count_t>(t.row.size() - table.size());
    const count_t zeros = std::count_if(table.begin(), table.end(), [](const auto& x) { return x.second == T(0); });
    InputReport report;
    check_table(make_sparse(t.view(), &report), table);
    CHECK(report.duplicates_summed == duplicates);
    CHECK(report.explicit_zeros == zeros);
    for (const Layout layout : {Layout::columns, Layout::rows})
        for (const bool one_based : {false, true}) {
            const Compressed<T, I> c(t, layout, one_based ? 1 : 0);
            for (const InputChecks checks : {InputChecks::all, InputChecks::none}) {
                report = {};
                check_table(make_sparse(c.view(t, layout, one_based), &report, checks), table);
                CHECK(report.duplicates_summed == duplicates);
            }
        }
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("triplets and compressed forms become the same canonical matrix", T, canonical) {
    check_all_layouts(random_triplets<T, std::int32_t>(20, 20, 60, 1));
    check_all_layouts(random_triplets<T, std::int64_t>(7, 31, 400, 2));
    check_all_layouts(random_triplets<T, std::int32_t>(40, 3, 25, 3));
    check_all_layouts(random_triplets<T, std::int64_t>(1, 1, 5, 4));
    check_all_layouts(random_triplets<T, std::int32_t>(300, 300, 0, 5));
}

TEST_CASE_TEMPLATE_APPLY(canonical, Scalars);

TEST_CASE_TEMPLATE_DEFINE("lower, upper and both triangles give the same symmetric matrix", T, triangles) {
    for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::hermitian}) {
        Triplets<T, std::int32_t> lower = random_triplets<T, std::int32_t>(15, 15, 80, 6);
        for (std::size_t e = 0; e < lower.row.size(); ++e) {
            if (lower.row[e] < lower.column[e]) std::swap(lower.row[e], lower.column[e]);
            if (lower.row[e] == lower.column[e] && symmetry == Symmetry::hermitian)
                lower.value[e] = T(real_part(lower.value[e]));
        }
        Triplets<T, std::int32_t> upper = lower;
        std::swap(upper.row, upper.column);
        if (symmetry == Symmetry::hermitian)
            for (T& x : upper.value) x = conjugate(x);
        Triplets<T, std::int32_t> both = lower;
        for (std::size_t e = 0; e < upper.row.size(); ++e) {
            if (upper.row[e] == upper.column[e]) continue;
            both.row.push_back(upper.row[e]);
            both.column.push_back(upper.column[e]);
            both.value.push_back(upper.value[e]);
        }
        const EntryTable<T> table = table_of(lower);
        const auto check = [&](TripletView<T, std::int32_t> view, Triangle stored) {
            view.symmetry = symmetry;
            view.stored = stored;
            const SparseMatrix<T> a = make_sparse(view);
            check_table(a, table);
            const bool hermitian = symmetry == Symmetry::hermitian && is_complex<T>;
            CHECK(a.symmetry == (hermitian ? Symmetry::hermitian : Symmetry::symmetric));
        };
        check(lower.view(), Triangle::lower);
        check(upper.view(), Triangle::upper);
        check(both.view(), Triangle::both);
    }
}

TEST_CASE_TEMPLATE_APPLY(triangles, Scalars);

TEST_CASE_TEMPLATE_DEFINE("skew-symmetric input becomes general", T, skew) {
    const std::vector<std::int32_t> row{1, 2, 2}, column{0, 0, 2};
    const std::vector<T> value{T(3), T(-4), T(0)};
    TripletView<T, std::int32_t> view;
    view.rows = view.cols = 3;
    view.entries = 3;
    view.row = row.data();
    view.column = column.data();
    view.value = value.data();
    view.symmetry = Symmetry::skew_symmetric;
    view.stored = Triangle::lower;
    const EntryTable<T> lower{{{0, 1}, T(3)}, {{0, 2}, T(-4)}, {{1, 0}, T(-3)}, {{2, 0}, T(4)}, {{2, 2}, T(0)}};
    SparseMatrix<T> a = make_sparse(view);
    CHECK(a.symmetry == Symmetry::general);
    check_table(a, lower);

    std::swap(view.row, view.column);
    view.stored = Triangle::upper;
    EntryTable<T> upper = lower;
    for (auto& [at, x] : upper) x = -x;
    check_table(make_sparse(view), upper);

    const std::vector<std::int32_t> both_row{1, 0}, both_column{0, 1};
    const std::vector<T> both_value{T(3), T(-3)};
    view.entries = 2;
    view.row = both_row.data();
    view.column = both_column.data();
    view.value = both_value.data();
    view.stored = Triangle::both;
    check_table(make_sparse(view), EntryTable<T>{{{0, 1}, T(3)}, {{1, 0}, T(-3)}});
}

TEST_CASE_TEMPLATE_APPLY(skew, Scalars);

TEST_CASE("duplicates are summed in the caller's order") {
    // 1e16 + 1 - 1e16 is 0 in this order and 1 in another.
    const std::vector<std::int32_t> row{1, 0, 0, 0}, column{0, 0, 0, 0};
    const std::vector<double> value{5, 1e16, 1, -1e16};
    TripletView<double, std::int32_t> view;
    view.rows = 2;
    view.cols = 1;
    view.entries = 4;
    view.row = row.data();
    view.column = column.data();
    view.value = value.data();
    InputReport report;
    const SparseMatrix<double> a = make_sparse(view, &report);
    CHECK(a.value == std::vector<double>{0, 5});
    CHECK(report.duplicates_summed == 2);
    CHECK(report.explicit_zeros == 1);
}

TEST_CASE("matrices without rows, columns or entries") {
    const std::vector<std::int64_t> begin{0, 0, 0, 0};
    CompressedView<double, std::int64_t> view;
    view.cols = 3;
    view.begin = begin.data();
    const SparseMatrix<double> a = make_sparse(view);
    CHECK(a.rows() == 0);
    CHECK(a.cols() == 3);
    CHECK(a.entries() == 0);
    check_canonical(a);
    check_canonical(make_sparse(CompressedView<double, std::int32_t>{}));
    check_canonical(make_sparse(TripletView<double, std::int64_t>{}));
}

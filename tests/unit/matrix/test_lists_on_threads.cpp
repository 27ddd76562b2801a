// SPDX-License-Identifier: BSD-3-Clause
// Lists long enough for several threads: the same bits as a sum in the order of the list, the same complaints, and places.
#include "canonical_checks.hpp"
#include "frond/matrix/sparse_matrix.hpp"
#include "frond/matrix/value_list.hpp"
#include "random_sparse.hpp"
#include "scalar_lists.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <functional>
#include <limits>
#include <string>

using namespace frond;
using namespace frond::test;

namespace {

constexpr index_t order = 3000;
constexpr count_t length = 200000;  // several blocks and buckets

template <class T>
T mirror(T value, Symmetry symmetry) {
    if (symmetry == Symmetry::hermitian) return conjugate(value);
    return symmetry == Symmetry::skew_symmetric ? -value : value;
}

/// Entries by chance, most of them several times, in no order; the last columns are empty, and one has very many entries.
template <class T>
struct RandomList {
    std::vector<std::int32_t> row, column;
    std::vector<T> value;
    Symmetry symmetry;
    Triangle stored;

    RandomList(Symmetry declared, Triangle given, std::uint64_t seed) : symmetry(declared), stored(given) {
        Random random(seed);
        while (static_cast<count_t>(row.size()) < length) {
            index_t i = random.below(order - 50), j = random.below(40) == 0 ? 7 : random.below(300) * 9;
            if (symmetry != Symmetry::general && (stored == Triangle::upper ? i > j : i < j)) std::swap(i, j);
            T v = random.value<T>();
            if (i == j && symmetry == Symmetry::hermitian) v = T(real_part(v));
            if (i == j && symmetry == Symmetry::skew_symmetric) v = T(0);
            push(i, j, v);
            if (stored == Triangle::both && symmetry != Symmetry::general && i != j) push(j, i, mirror(v, symmetry));
        }
    }

    void push(index_t i, index_t j, T v) {
        row.push_back(i + 1);
        column.push_back(j + 1);
        value.push_back(v);
    }

    TripletView<T> view() const {
        TripletView<T> v;
        v.rows = v.cols = order;
        v.entries = static_cast<count_t>(row.size());
        v.row = row.data(), v.column = column.data(), v.value = value.data();
        v.symmetry = symmetry;
        v.stored = stored;
        v.one_based = true;
        return v;
    }

    /// Added up one after the other; of an upper triangle mirrored, of both triangles the lower one, of skew-symmetric
    /// matrices all.
    EntryTable<T> sums() const {
        EntryTable<T> table;
        for (std::size_t e = 0; e < row.size(); ++e) {
            index_t i = row[e] - 1, j = column[e] - 1;
            const bool upper = symmetry != Symmetry::general && stored == Triangle::upper;
            if (symmetry != Symmetry::general && stored == Triangle::both && i < j) continue;
            const T v = upper ? mirror(value[e], symmetry) : value[e];
            if (upper) std::swap(i, j);
            const auto [place, is_new] = table.try_emplace({j, i}, v);
            if (!is_new) place->second += v;
        }
        if (symmetry == Symmetry::skew_symmetric)
            for (const auto& [at, v] : EntryTable<T>(table))
                table[{at.second, at.first}] = at.first == at.second ? v : -v;
        return table;
    }
};

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

template <class T>
void check_sums(const SparseMatrix<T>& a, const EntryTable<T>& table) {
    check_canonical(a);
    REQUIRE(a.entries() == static_cast<count_t>(table.size()));
    std::vector<T> values;
    std::vector<index_t> rows, columns, columns_of_a;
    for (const auto& [at, value] : table) {
        columns.push_back(at.first);
        rows.push_back(at.second);
        values.push_back(value);
    }
    for (index_t j = 0; j < a.cols(); ++j)
        columns_of_a.insert(columns_of_a.end(),
                            static_cast<std::size_t>(a.pattern.begin[static_cast<std::size_t>(j) + 1] -
                                                     a.pattern.begin[static_cast<std::size_t>(j)]),
                            j);
    CHECK(a.pattern.row == rows);
    CHECK(columns_of_a == columns);
    CHECK(same_bits(a.value, values));
}

/// And values that come later to their places.
template <class T>
void check_list(Symmetry symmetry, Triangle stored) {
    CAPTURE(static_cast<int>(symmetry));
    CAPTURE(static_cast<int>(stored));
    const RandomList<T> list(symmetry, stored, 1);
    const EntryTable<T> table = list.sums();
    for (const index_t threads : {1, 2, 5}) {
        CAPTURE(threads);
        InputReport report;
        const SparseMatrix<T> a = make_sparse(list.view(), &report, InputChecks::all, threads);
        check_sums(a, table);
        CHECK(report.explicit_zeros == std::count(a.value.begin(), a.value.end(), T(0)));
        const ValueList places(list.view(), a, threads);
        SparseMatrix<T> other = a;
        for (T& v : other.value) v = T(17);
        count_t zeros = -1;
        places.copy(list.value.data(), other, {}, &zeros);
        CHECK(same_bits(other.value, a.value));
        CHECK(zeros == report.explicit_zeros);
    }
}

std::string complaint(const std::function<void()>& call) {
    try {
        call();
    } catch (const InvalidMatrix& error) {
        return error.what();
    }
    return {};
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("long lists are summed in their order by any number of threads", T, long_lists) {
    check_list<T>(Symmetry::general, Triangle::both);
    for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::hermitian, Symmetry::skew_symmetric})
        for (const Triangle stored : {Triangle::lower, Triangle::upper, Triangle::both})
            check_list<T>(symmetry, stored);
}
TEST_CASE_TEMPLATE_APPLY(long_lists, Scalars);

TEST_CASE("a list in the canonical order, and with two entries exchanged") {
    const SparseMatrix<double> a =
        make_sparse(RandomList<double>(Symmetry::symmetric, Triangle::lower, 3).view(), nullptr, InputChecks::all, 1);
    std::vector<std::int32_t> row(a.pattern.row.begin(), a.pattern.row.end()), column;
    for (index_t j = 0; j < order; ++j)
        for (count_t e = a.pattern.begin[static_cast<std::size_t>(j)];
             e < a.pattern.begin[static_cast<std::size_t>(j) + 1]; ++e)
            column.push_back(j);
    std::vector<double> value = a.value;
    TripletView<double> view{order, order, a.entries(), row.data(), column.data(), value.data()};
    view.symmetry = Symmetry::symmetric;
    view.stored = Triangle::lower;
    const auto check = [&](bool in_order) {
        for (const index_t threads : {1, 3}) {
            const SparseMatrix<double> made = make_sparse(view, nullptr, InputChecks::all, threads);
            CHECK(made.pattern.begin == a.pattern.begin);
            CHECK(made.pattern.row == a.pattern.row);
            CHECK(same_bits(made.value, a.value));
            CHECK(ValueList(view, made, threads).is_canonical() == in_order);
        }
    };
    check(true);
    for (const std::size_t e : {std::size_t{0}, (std::size_t{1} << 16) - 1, row.size() - 2}) {  // also between blocks
        const auto exchange = [&] {
            std::swap(row[e], row[e + 1]);
            std::swap(column[e], column[e + 1]);
            std::swap(value[e], value[e + 1]);
        };
        exchange();
        check(false);
        exchange();
    }
}

TEST_CASE("the first of several wrong entries is named, by any number of threads") {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    RandomList<double> list(Symmetry::symmetric, Triangle::lower, 2);
    const auto text = [&](index_t threads) {
        return complaint([&] { make_sparse(list.view(), nullptr, InputChecks::all, threads); });
    };
    const auto check = [&](const std::string& words) {
        for (const index_t threads : {1, 2, 5}) {
            CAPTURE(text(threads));
            CHECK(text(threads).find(words) != std::string::npos);
        }
    };
    CHECK(text(2).empty());
    list.value[199000] = nan;
    check("entry (" + std::to_string(list.row[199000]) + ", " + std::to_string(list.column[199000]) + ") is nan");
    list.row[150001] = 1, list.column[150001] = 2;
    check("entry (1, 2) lies in the upper triangle");
    list.column[70000] = 0;
    check("column index 0 of entry 70000 (counted from 0) is not in 1 .. 3000");
    list.row[69999] = order + 1;
    check("row index 3001 of entry 69999 (counted from 0) is not in 1 .. 3000");
}

TEST_CASE("a pair of long triangles that does not agree is named, by any number of threads") {
    RandomList<double> list(Symmetry::symmetric, Triangle::both, 4);
    std::size_t e = 100000;
    while (list.row[e] <= list.column[e]) ++e;
    list.value[e] += 3;
    for (const index_t threads : {1, 4}) {
        const std::string text = complaint([&] { make_sparse(list.view(), nullptr, InputChecks::all, threads); });
        CAPTURE(text);
        CHECK(text.find("entries (" + std::to_string(list.row[e]) + ", " + std::to_string(list.column[e]) + ") = ") !=
              std::string::npos);
        CHECK(text.find("do not agree") != std::string::npos);
    }
}

TEST_CASE("a list is known again by its indices and their order alone") {
    RandomList<double> list(Symmetry::general, Triangle::both, 5);
    const SparseMatrix<double> a = make_sparse(list.view());
    const ValueList places(list.view(), a);
    const RandomList<double> copy = list;  // other arrays
    for (const index_t threads : {1, 3}) CHECK(places.is_of(copy.view(), threads));
    list.value[5] = 4;
    CHECK(places.is_of(list.view()));
    for (const std::size_t e : {std::size_t{0}, list.row.size() / 2, list.row.size() - 1}) {
        ++list.row[e];
        CHECK_FALSE(places.is_of(list.view()));
        --list.row[e];
        ++list.column[e];
        CHECK_FALSE(places.is_of(list.view()));
        --list.column[e];
    }
    std::swap(list.row[10], list.row[11]);
    std::swap(list.column[10], list.column[11]);
    CHECK_FALSE(places.is_of(list.view()));
    TripletView<double> view = copy.view();
    view.one_based = false;
    CHECK_FALSE(places.is_of(view));
    view = copy.view();
    --view.entries;
    CHECK_FALSE(places.is_of(view));
    view = copy.view();
    view.symmetry = Symmetry::symmetric;
    CHECK_FALSE(places.is_of(view));
    view = copy.view();
    view.column = nullptr;
    CHECK_FALSE(places.is_of(view));
    view = copy.view();
    ++view.cols;
    CHECK_FALSE(places.is_of(view));
    view = copy.view();
    ++view.rows;
    CHECK_FALSE(places.is_of(view));
}

TEST_CASE("the least index of 64 bits is outside the matrix") {
    const std::int64_t least = std::numeric_limits<std::int64_t>::min();
    for (const bool in_row : {true, false}) {
        const std::vector<std::int64_t> row{1, in_row ? least : 2}, column{1, in_row ? 2 : least};
        const std::vector<double> value{4, 4};
        TripletView<double, std::int64_t> view{2, 2, 2, row.data(), column.data(), value.data()};
        view.one_based = true;
        const std::string text = complaint([&] { make_sparse(view); });
        CAPTURE(text);
        CHECK(text.find("index -9223372036854775808 of entry 1 (counted from 0) is not in 1 .. 2") !=
              std::string::npos);
    }
}

TEST_CASE("compressed arrays are known again, but for both triangles of a symmetric matrix") {
    std::vector<std::int64_t> begin{0, 2, 3}, index{0, 1, 1};
    const std::vector<double> value{4, 1, 4};
    CompressedView<double, std::int64_t> view{2, 2, begin.data(), index.data(), value.data()};
    const ValueList general(view, make_sparse(view));
    CHECK(general.is_of(view));
    view.layout = Layout::rows;
    CHECK_FALSE(general.is_of(view));
    view.layout = Layout::columns;
    // Sizes first: begin has no more elements than for those that were known.
    view.cols = std::int64_t{1} << 40;
    CHECK_FALSE(general.is_of(view));
    view.cols = 2;
    view.rows = 3;
    CHECK_FALSE(general.is_of(view));
    view.rows = 2;
    begin[1] = 1;
    CHECK_FALSE(general.is_of(view));
    begin[1] = 2;
    index[2] = 0;
    CHECK_FALSE(general.is_of(view));
    begin = {0, 2, 4}, index = {0, 1, 0, 1};
    const std::vector<double> both{4, 1, 1, 4};
    CompressedView<double, std::int64_t> symmetric{2, 2, begin.data(), index.data(), both.data()};
    symmetric.symmetry = Symmetry::symmetric;
    CHECK_FALSE(ValueList(symmetric, make_sparse(symmetric)).is_of(symmetric));
}

// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/error.hpp"
#include "frond/matrix/sparse_matrix.hpp"
#include "frond/matrix/value_list.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>

using namespace frond;
using Complex = std::complex<double>;

namespace {

template <class T>
struct Input {
    std::vector<std::int64_t> row, column;
    std::vector<T> value;
    Symmetry symmetry = Symmetry::general;
    Triangle stored = Triangle::both;
    bool one_based = false;
    std::int64_t rows = 3, cols = 3;
};

/// The message of the InvalidMatrix that the input causes; empty when it is accepted.
template <class T>
std::string complaint(const Input<T>& input, InputChecks checks = InputChecks::all) {
    TripletView<T, std::int64_t> view;
    view.rows = input.rows;
    view.cols = input.cols;
    view.entries = static_cast<count_t>(input.row.size());
    view.row = input.row.data();
    view.column = input.column.data();
    view.value = input.value.data();
    view.symmetry = input.symmetry;
    view.stored = input.stored;
    view.one_based = input.one_based;
    try {
        make_sparse(view, nullptr, checks);
    } catch (const InvalidMatrix& error) {
        return error.what();
    }
    return {};
}

void check_mentions(const std::string& text, std::initializer_list<const char*> words) {
    CAPTURE(text);
    for (const char* word : words) {
        CAPTURE(word);
        CHECK(text.find(word) != std::string::npos);
    }
}

std::string compressed_complaint(std::vector<std::int32_t> begin, bool one_based = false) {
    const std::vector<std::int32_t> index(16, one_based ? 1 : 0);
    const std::vector<double> value(16, 1.0);
    CompressedView<double, std::int32_t> view;
    view.rows = 2;
    view.cols = static_cast<std::int32_t>(begin.size()) - 1;
    view.begin = begin.data();
    view.index = index.data();
    view.value = value.data();
    view.one_based = one_based;
    try {
        make_sparse(view);
    } catch (const InvalidMatrix& error) {
        return error.what();
    }
    return {};
}

}  // namespace

TEST_CASE("indices out of range are named with their entry") {
    check_mentions(complaint<double>({{0, 3}, {0, 1}, {1, 1}}), {"row index 3", "entry 1", "0 .. 2"});
    check_mentions(complaint<double>({{0}, {-1}, {1}}), {"column index -1", "entry 0", "0 .. 2"});
    Input<double> one{{1, 0}, {1, 1}, {1, 1}};
    one.one_based = true;
    check_mentions(complaint(one), {"row index 0", "1 .. 3", "start at 1"});
    check_mentions(complaint<double>({{std::numeric_limits<std::int64_t>::max()}, {0}, {1}}), {"row index"});
    check_mentions(complaint<double>({{0}, {std::numeric_limits<std::int64_t>::min()}, {1}}), {"column index"});
    CHECK(complaint<double>({{2}, {2}, {1}}).empty());
}

TEST_CASE("NaN and Inf are refused, also when only the sum of duplicates is infinite") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    const double huge = std::numeric_limits<double>::max();
    check_mentions(complaint<double>({{1}, {2}, {nan}}), {"(1, 2)", "nan", "finite"});
    check_mentions(complaint<double>({{1}, {2}, {-infinity}}), {"(1, 2)", "-inf"});
    check_mentions(complaint<Complex>({{0}, {1}, {Complex(0, infinity)}}), {"(0, 1)", "inf"});
    check_mentions(complaint<double>({{0, 0}, {1, 1}, {huge, huge}}), {"(0, 1)", "inf"});
    CHECK(complaint<double>({{1}, {2}, {infinity}}, InputChecks::none).empty());
    CHECK(complaint<double>({{0, 0}, {1, 1}, {huge, -huge}}).empty());
}

TEST_CASE("triangles that differ by rounding beside the entries of row and column agree") {
    constexpr double eps = std::numeric_limits<double>::epsilon();
    Input<double> input{{0, 1, 0}, {0, 1, 1}, {1, 1, 1e-17}};  // a_10 is not there
    input.symmetry = Symmetry::symmetric;
    CHECK(complaint(input).empty());
    input = {{0, 1, 0, 1}, {0, 1, 1, 0}, {4, 9, 100 * eps, 0}};
    input.symmetry = Symmetry::symmetric;
    CHECK(complaint(input).empty());  // 64 eps sqrt(4 * 9) = 384 eps
    input.value[2] = 400 * eps;
    check_mentions(complaint(input), {"(1, 0) = 0", "symmetric"});
    // Products of sizes overflow; an entry of another row says nothing of this pair.
    input = {{0, 1, 0, 1, 2}, {0, 1, 1, 0, 2}, {4e200, 9e200, 100 * eps * 1e200, 0, 1e300}};
    input.symmetry = Symmetry::symmetric;
    CHECK(complaint(input).empty());
    input.value[2] = 400 * eps * 1e200;
    check_mentions(complaint(input), {"(1, 0) = 0"});
    // The size of a row may stand outside the diagonal, and in either triangle.
    input = {{0, 1, 0, 2, 1}, {1, 0, 2, 0, 2}, {1e-17, 0, 1, 1, 0}};
    input.symmetry = Symmetry::symmetric;
    check_mentions(complaint(input), {"(1, 0) = 0"});  // row 1 has nothing else
    input.value[4] = 1;
    input.row.push_back(2);
    input.column.push_back(1);
    input.value.push_back(1);
    CHECK(complaint(input).empty());
}

TEST_CASE("entries of the wrong triangle, of disagreeing triangles, of impossible diagonals") {
    Input<double> input{{0, 0}, {0, 1}, {1, 1}};
    input.symmetry = Symmetry::symmetric;
    input.stored = Triangle::lower;
    check_mentions(complaint(input), {"(0, 1)", "upper triangle", "lower"});
    std::swap(input.row, input.column);
    input.stored = Triangle::upper;
    check_mentions(complaint(input), {"(1, 0)", "lower triangle"});

    Input<double> pair{{0, 1}, {1, 0}, {2, 3}};
    pair.symmetry = Symmetry::symmetric;
    check_mentions(complaint(pair), {"(1, 0) = 3", "(0, 1) = 2", "symmetric"});
    pair.value = {2, 2 * (1 + 1e-15)};
    CHECK(complaint(pair).empty());
    pair.symmetry = Symmetry::skew_symmetric;
    check_mentions(complaint(pair), {"skew-symmetric"});
    Input<double> alone{{2}, {0}, {5}};
    alone.symmetry = Symmetry::symmetric;
    alone.one_based = false;
    check_mentions(complaint(alone), {"(2, 0) = 5", "(0, 2) = 0"});
    alone.value = {0};
    CHECK(complaint(alone).empty());

    Input<Complex> hermitian{{1}, {1}, {Complex(1, 0.5)}};
    hermitian.symmetry = Symmetry::hermitian;
    for (const Triangle stored : {Triangle::lower, Triangle::both}) {
        hermitian.stored = stored;
        check_mentions(complaint(hermitian), {"(1, 1)", "(1, 0.5)", "real"});
    }
    Input<Complex> skew{{2}, {2}, {Complex(1, 0)}};
    skew.symmetry = Symmetry::skew_symmetric;
    skew.stored = Triangle::lower;
    check_mentions(complaint(skew), {"(2, 2)", "zero"});
    Input<Complex> conjugates{{1, 0}, {0, 1}, {Complex(1, 2), Complex(1, 2)}};
    conjugates.symmetry = Symmetry::hermitian;
    check_mentions(complaint(conjugates), {"Hermitian"});
    conjugates.value[1] = Complex(1, -2);
    CHECK(complaint(conjugates).empty());
}

TEST_CASE("sizes: negative, above 2^31 - 1, not square") {
    Input<double> input;
    input.rows = -1;
    check_mentions(complaint(input), {"-1 rows", "negative"});
    input.rows = std::int64_t{1} << 31;
    check_mentions(complaint(input), {"2147483648 rows", "2147483647"});
    input.rows = 2;
    input.symmetry = Symmetry::symmetric;
    check_mentions(complaint(input), {"2 rows and 3 columns", "general"});
}

TEST_CASE("begin must start at its base and never decrease; null arrays are refused") {
    CHECK(compressed_complaint({0, 2, 3}).empty());
    CHECK(compressed_complaint({1, 2, 3}, true).empty());
    check_mentions(compressed_complaint({1, 2, 3}), {"begin[0] is 1", "one_based"});
    check_mentions(compressed_complaint({0, 2, 3}, true), {"begin[0] is 0"});
    check_mentions(compressed_complaint({0, 3, 2}), {"begin[2] = 2", "begin[1] = 3"});
    TripletView<double, std::int32_t> view;
    view.rows = view.cols = 1;
    view.entries = 1;
    CHECK_THROWS_AS(make_sparse(view), InvalidMatrix);
    view.entries = -1;
    CHECK_THROWS_AS(make_sparse(view), InvalidMatrix);
    CompressedView<double, std::int32_t> no_begin;
    no_begin.rows = no_begin.cols = 1;
    CHECK_THROWS_AS(make_sparse(no_begin), InvalidMatrix);
}

namespace {

/// What ValueList says of the values of an input whose list it was made of with finite values.
template <class T>
std::string complaint_of_list(Input<T> input) {
    const std::vector<T> values = input.value;
    for (T& x : input.value) x = T(1);
    TripletView<T, std::int64_t> view{3,
                                      3,
                                      static_cast<count_t>(values.size()),
                                      input.row.data(),
                                      input.column.data(),
                                      input.value.data(),
                                      input.symmetry,
                                      input.stored,
                                      input.one_based};
    SparseMatrix<T> a = make_sparse(view);
    const ValueList list(view, a);
    try {
        list.copy(values.data(), a);
    } catch (const InvalidMatrix& error) {
        return error.what();
    }
    return {};
}

}  // namespace

TEST_CASE("a value that is not finite is named alike in a matrix and in its list, the first one of the caller's") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    // In the order of columns (2, 1) comes first, in the caller's (2, 3).
    Input<double> general{{0, 1, 1, 2, 0}, {0, 2, 0, 2, 0}, {1, nan, nan, 1, 1}};
    CHECK(complaint(general).find("entry (1, 2) is nan") == 0);
    CHECK(complaint_of_list(general) == complaint(general));
    general.one_based = true;
    for (auto& i : general.row) ++i;
    for (auto& j : general.column) ++j;
    CHECK(complaint(general).find("entry (2, 3) is nan") == 0);
    CHECK(complaint_of_list(general) == complaint(general));
    for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::skew_symmetric})
        for (const Triangle stored : {Triangle::lower, Triangle::upper}) {
            Input<double> half{{2, 1, 2}, {1, 0, 0}, {1, nan, nan}, symmetry, stored};
            if (stored == Triangle::upper) std::swap(half.row, half.column);
            CAPTURE(static_cast<int>(symmetry));
            CHECK(complaint_of_list(half) == complaint(half));
            CHECK(complaint(half).find(stored == Triangle::lower ? "entry (1, 0)" : "entry (0, 1)") == 0);
        }
    Input<Complex> hermitian{{0, 1, 0}, {2, 2, 1}, {1, Complex(0, nan), nan}, Symmetry::hermitian, Triangle::upper};
    CHECK(complaint_of_list(hermitian) == complaint(hermitian));
    CHECK(complaint(hermitian).find("entry (1, 2)") == 0);
    Input<double> both{{0, 1, 2, 0}, {1, 0, 0, 2}, {1, 1, nan, nan}, Symmetry::symmetric, Triangle::both};
    CHECK(complaint_of_list(both) == complaint(both));
    // Sums of finite values.
    const double most = std::numeric_limits<double>::max();
    Input<double> sums{{1, 2, 1}, {0, 0, 0}, {most, 1, most}};
    CHECK(complaint_of_list(sums) == complaint(sums));
    Input<Complex> diagonal{{1}, {1}, {Complex(1, 1)}, Symmetry::hermitian, Triangle::lower, true};
    CHECK(complaint_of_list(diagonal) == complaint(diagonal));
}

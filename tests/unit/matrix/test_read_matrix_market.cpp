// SPDX-License-Identifier: BSD-3-Clause
#include "canonical_checks.hpp"
#include "frond/base/error.hpp"
#include "frond/matrix/matrix_file.hpp"
#include "scalar_lists.hpp"
#include "temporary_file.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace frond;
using namespace frond::test;
using Complex = std::complex<double>;

namespace {

const std::string data = FROND_TEST_DATA "/";
const std::string head = "%%MatrixMarket matrix ";

template <class T>
SparseMatrix<T> read_text(const std::string& text, InputReport* report = nullptr) {
    const TemporaryFile file(".mtx", text);
    return read_matrix_market<T>(file.path(), report);
}

template <class T>
void check_entries(const SparseMatrix<T>& a, std::vector<count_t> begin, std::vector<index_t> row,
                   std::vector<T> value) {
    check_canonical(a);
    CHECK(a.pattern.begin == begin);
    CHECK(a.pattern.row == row);
    CHECK(a.value == value);
}

struct Fact {
    const char* file;
    index_t rows, cols;
    count_t stored, full;
    FileField field;
    Symmetry symmetry;
};

}  // namespace

TEST_CASE("real matrices, plain and gzip: sizes, field and symmetry as the collection has them") {
    const Fact facts[] = {
        {"LFAT5.mtx", 14, 14, 30, 46, FileField::real, Symmetry::symmetric},
        {"b1_ss.mtx", 7, 7, 15, 15, FileField::real, Symmetry::general},
        {"bcsstm01.mtx", 48, 48, 24, 24, FileField::integer, Symmetry::symmetric},
        {"lap_25.mtx", 25, 25, 97, 169, FileField::pattern, Symmetry::symmetric},
        {"lp_afiro.mtx", 27, 51, 102, 102, FileField::real, Symmetry::general},
        {"494_bus.mtx.gz", 494, 494, 1080, 1666, FileField::real, Symmetry::symmetric},
        {"west0067.mtx.gz", 67, 67, 294, 294, FileField::real, Symmetry::general},
        {"cage5.mtx.gz", 37, 37, 233, 233, FileField::real, Symmetry::general},
        {"football.mtx.gz", 35, 35, 118, 118, FileField::integer, Symmetry::general},
        {"young4c.mtx.gz", 841, 841, 2465, 4089, FileField::complex, Symmetry::symmetric},
        {"c_west0067.mtx.gz", 67, 67, 294, 294, FileField::complex, Symmetry::general},
    };
    for (const Fact& fact : facts) {
        CAPTURE(fact.file);
        const MatrixMarketHeader header = read_matrix_market_header(data + fact.file);
        CHECK(header.format == FileFormat::coordinate);
        CHECK(header.field == fact.field);
        CHECK(header.symmetry == fact.symmetry);
        CHECK(header.entries == fact.stored);
        const AnyMatrix any = read_matrix(data + fact.file);
        CHECK(std::holds_alternative<SparseMatrix<Complex>>(any) == (fact.field == FileField::complex));
        std::visit(
            [&](const auto& a) {
                check_canonical(a);
                CHECK(a.rows() == fact.rows);
                CHECK(a.cols() == fact.cols);
                CHECK(a.entries() == fact.stored);
                CHECK(entries_full(a.pattern, a.symmetry) == fact.full);
                CHECK(a.symmetry == fact.symmetry);
            },
            any);
    }
}

TEST_CASE_TEMPLATE_DEFINE("entries in any order, repeated ones summed, comments and blank lines between", T,
                          coordinates) {
    InputReport report;
    const SparseMatrix<T> a = read_text<T>(head +
                                               "coordinate real general\n% c\n\n 3 2  5 \r\n3 2 0.5\n% c\n"
                                               "1 1 1\n\n\t2\t1\t-2\t\n1 1 1e0\n3\t1 0\n",
                                           &report);
    check_entries<T>(a, {0, 3, 4}, {0, 1, 2, 2}, {T(2), T(-2), T(0), T(0.5f)});
    CHECK(report.duplicates_summed == 1);
    CHECK(report.explicit_zeros == 1);
    check_entries<T>(read_text<T>(head + "coordinate pattern symmetric\n2 2 2\n1 1\n2 1\n"), {0, 2, 2}, {0, 1},
                     {T(1), T(1)});
    check_entries<T>(read_text<T>(head + "coordinate integer skew-symmetric\n2 2 1\n2 1 5\n"), {0, 1, 2}, {1, 0},
                     {T(5), T(-5)});
    const SparseMatrix<T> real_hermitian = read_text<T>(head + "coordinate real hermitian\n2 2 1\n2 1 5\n");
    CHECK(real_hermitian.symmetry == Symmetry::symmetric);
    check_entries<T>(real_hermitian, {0, 1, 1}, {1}, {T(5)});
}

TEST_CASE_TEMPLATE_APPLY(coordinates, Scalars);

TEST_CASE_TEMPLATE_DEFINE("arrays: columns in turn, triangles packed, zeros not stored", T, arrays) {
    check_entries<T>(read_text<T>(head + "array real general\n2 2\n1\n0\n3\n4\n"), {0, 1, 3}, {0, 0, 1},
                     {T(1), T(3), T(4)});
    check_entries<T>(read_text<T>(head + "array integer symmetric\n3 3\n1\n2\n3\n4\n5\n6\n"), {0, 3, 5, 6},
                     {0, 1, 2, 1, 2, 2}, {T(1), T(2), T(3), T(4), T(5), T(6)});
    check_entries<T>(read_text<T>(head + "array real skew-symmetric\n3 3\n1\n2\n3\n"), {0, 2, 4, 6}, {1, 2, 0, 2, 0, 1},
                     {T(1), T(2), T(-1), T(3), T(-2), T(-3)});
    check_entries<T>(read_text<T>(head + "array real general\n0 3\n"), {0, 0, 0, 0}, {}, {});
}

TEST_CASE_TEMPLATE_APPLY(arrays, Scalars);

TEST_CASE("complex files: general, Hermitian with one or both triangles, into real is refused") {
    const std::string lower = head + "coordinate complex hermitian\n2 2 2\n1 1 4 0\n2 1 1 -2\n";
    const SparseMatrix<Complex> a = read_text<Complex>(lower);
    CHECK(a.symmetry == Symmetry::hermitian);
    check_entries<Complex>(a, {0, 2, 2}, {0, 1}, {4, {1, -2}});
    check_equal(read_text<Complex>(head + "coordinate complex hermitian\n2 2 3\n1 1 4 0\n1 2 1 2\n2 1 1 -2\n"), a);
    check_entries<Complex>(read_text<Complex>(head + "coordinate complex skew-symmetric\n2 2 1\n2 1 1 2\n"), {0, 1, 2},
                           {1, 0}, {{1, 2}, {-1, -2}});
    const TemporaryFile file(".mtx", lower);
    try {
        read_matrix_market<double>(file.path());
        FAIL("a complex file was read into double");
    } catch (const InvalidMatrix& error) {
        CHECK(std::string(error.what()).find("complex") != std::string::npos);
        CHECK(error.file() == file.path());
    }
}

TEST_CASE("sizes without entries, one by one, no newline at the end") {
    CHECK(read_text<double>(head + "coordinate real general\n0 0 0").cols() == 0);
    const SparseMatrix<double> none = read_text<double>(head + "coordinate real general\n3 4 0\n");
    CHECK(none.rows() == 3);
    CHECK(none.entries() == 0);
    check_entries<double>(read_text<double>(head + "coordinate real symmetric\n1 1 1\n1 1 -.5"), {0, 1}, {0}, {-0.5});
}

#if FROND_SCALAR_S
TEST_CASE("single precision: what a float cannot hold is refused") {
    const TemporaryFile file(".mtx", head + "coordinate real general\n1 1 1\n1 1 1e39\n");
    CHECK(read_matrix_market<double>(file.path()).value[0] == 1e39);
    CHECK_THROWS_AS(read_matrix_market<float>(file.path()), InvalidMatrix);
}
#endif

TEST_CASE("with require_finite off, NaN and Inf are kept") {
    const TemporaryFile file(".mtx", head + "coordinate real general\n1 2 2\n1 1 inf\n1 2 nan\n");
    CHECK_THROWS_AS(read_matrix_market<double>(file.path()), InvalidMatrix);
    ReadOptions options;
    options.require_finite = false;
    const SparseMatrix<double> a = read_matrix_market<double>(file.path(), nullptr, options);
    CHECK(std::isinf(a.value[0]));
    CHECK(std::isnan(a.value[1]));
}

TEST_CASE("more text than one block of the reader, with lines across its ends") {
    const index_t n = 150000;
    std::string text = head + "coordinate real general\n" + std::to_string(n) + " 1 " + std::to_string(n) + "\n";
    for (index_t i = n; i >= 1; --i) text += std::to_string(i) + " 1 " + std::to_string(i) + ".25\n";
    REQUIRE(text.size() > 2 << 20);
    const SparseMatrix<double> a = read_text<double>(text);
    check_canonical(a);
    REQUIRE(a.entries() == n);
    bool good = true;
    for (index_t i = 0; i < n; ++i) good = good && a.value[i] == i + 1.25;
    CHECK(good);
    text += "oops\n";
    try {
        read_text<double>(text);
        FAIL("a line too many was read");
    } catch (const InvalidMatrix& error) {
        CHECK(error.line() == n + 3);
    }
}

TEST_CASE("a file that is not there, a folder, an endless line") {
    CHECK_THROWS_AS(read_matrix(data + "no-such-file.mtx"), RuntimeError);
    CHECK_THROWS_AS(read_matrix(data), InvalidArgument);
    const TemporaryFile file(".mtx", std::string(3 << 20, 'x'));
    CHECK_THROWS_AS(read_matrix(file.path()), InvalidMatrix);
}

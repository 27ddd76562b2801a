// SPDX-License-Identifier: BSD-3-Clause
#include "canonical_checks.hpp"
#include "frond/base/error.hpp"
#include "frond/matrix/matrix_file.hpp"
#include "scalar_lists.hpp"
#include "temporary_file.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace frond;
using namespace frond::test;
using Complex = std::complex<double>;

namespace {

const std::string folder = FROND_TEST_DATA "/rutherford_boeing/";

/// A file of the four header lines (fixed columns) and the given sections.
struct Text {
    std::string type = "rua";
    std::string sizes = "             2             2             3             0";
    std::string counts = "             3             1             1             1";
    std::string formats = "(3I2)           (3I2)           (3F4.1)             ";
    std::string body = " 1 3 4\n 1 2 2\n 1.5-2.5 3.5\n";

    std::string str() const {
        std::string title = "title of the file";
        title.resize(72, ' ');
        return title + "KEY     \n" + counts + "\n" + type + "           " + sizes + "\n" + formats + "\n" + body;
    }
};

template <class T>
SparseMatrix<T> read(const Text& text) {
    const TemporaryFile file(".rb", text.str());
    return read_rutherford_boeing<T>(file.path());
}

std::string complaint(const Text& text) {
    const TemporaryFile file(".rb", text.str());
    try {
        read_matrix(file.path());
    } catch (const InvalidMatrix& error) {
        CHECK(error.file() == file.path());
        return error.what();
    }
    return "accepted";
}

void check_complaint(const Text& text, const char* words) {
    const std::string found = complaint(text);
    CAPTURE(found);
    CAPTURE(words);
    CHECK(found.find(words) != std::string::npos);
}

template <class T>
void check_values(const Text& text, std::vector<T> value) {
    const SparseMatrix<T> a = read<T>(text);
    check_canonical(a);
    CHECK(a.value == value);
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("header and entries of an unsymmetric matrix; numbers run together", T, unsymmetric) {
    const SparseMatrix<T> a = read<T>({});
    check_canonical(a);
    CHECK(a.symmetry == Symmetry::general);
    CHECK(a.pattern.begin == std::vector<count_t>{0, 2, 3});
    CHECK(a.pattern.row == std::vector<index_t>{0, 1, 1});
    CHECK(a.value == std::vector<T>{T(1.5f), T(-2.5f), T(3.5f)});
}

TEST_CASE_TEMPLATE_APPLY(unsymmetric, Scalars);

TEST_CASE("the header as it stands") {
    const TemporaryFile file(".rb", Text{}.str());
    const RutherfordBoeingHeader header = read_rutherford_boeing_header(file.path());
    CHECK(header.title == "title of the file");
    CHECK(header.key == "KEY");
    CHECK(header.type == "rua");
    CHECK(header.rows == 2);
    CHECK(header.cols == 2);
    CHECK(header.entries == 3);
    CHECK(header.field == FileField::real);
}

TEST_CASE(
    "files of the test data: Harwell-Boeing with a right-hand side, many columns to a line, "
    "gzip-free") {
    const AnyMatrix plain = read_matrix(FROND_TEST_DATA "/LFAT5.mtx");
    for (const char* name : {"lfat5.rsa", "lfat5_with_rhs.rsa"}) {
        CAPTURE(name);
        const AnyMatrix a = read_matrix(folder + name);
        check_equal(std::get<SparseMatrix<double>>(a), std::get<SparseMatrix<double>>(plain));
    }
}

TEST_CASE("Fortran's ways to write a real number") {
    Text text;
    text.formats = "(3I2)           (3I2)           (1P,3D12.4E3)       ";
    text.body = " 1 3 4\n 1 2 2\n 1.5000D+002-2.5000D-001 3.5000D+000\n";
    check_values<double>(text, {150, -0.25, 3.5});
    text.formats = "(3I2)           (3I2)           (1P3E10.3)          ";
    text.body = " 1 3 4\n 1 2 2\n 1.500E+02-2.500E-01 3.500-103\n";
    check_values<double>(text, {150, -0.25, 3.5e-103});
    // Without an exponent kP divides by 10^k.
    text.body = " 1 3 4\n 1 2 2\n      15.0      -2.5       3.5\n";
    check_values<double>(text, {1.5, -0.25, 0.35});
    // Two items and a group, one number a line less than the format holds, blanks inside the field.
    text.formats = "(I2,2(1X,I1))   (2X,(1I2),2I2)  (2(1X,F5.2))        ";
    text.body = " 1 3 4\n   1 2 2\n  1.50  -2.5\n  3.50\n";
    check_values<double>(text, {1.5, -2.5, 3.5});
    text.formats = "(1I14,2(1X,I13))(3I4)           (3G16.8)            ";
    text.body =
        "             1             3             4\n   1   2   2\n 1.5             - 2.5  "
        "           3.5E 0\n";
    check_values<double>(text, {1.5, -2.5, 3.5});
}

TEST_CASE("symmetric, skew-symmetric, Hermitian, complex, integer, pattern and rectangular types") {
    Text text;
    text.type = "RSA";
    SparseMatrix<double> a = read<double>(text);
    CHECK(a.symmetry == Symmetry::symmetric);
    CHECK(a.entries() == 3);

    text.type = "isa";
    text.formats = "(3I2)           (3I2)           (3I4)               ";
    text.body = " 1 3 4\n 1 2 2\n  12  -3   4\n";
    check_values<double>(text, {12, -3, 4});

    text.type = "psa";
    text.counts = "             2             1             1             0";
    text.body = " 1 3 4\n 1 2 2\n";
    check_values<double>(text, {1, 1, 1});

    text = Text{};
    text.type = "rza";
    text.sizes = "             2             2             1             0";
    text.body = " 1 2 2\n 2\n 1.5\n";
    a = read<double>(text);
    CHECK(a.symmetry == Symmetry::general);
    CHECK(a.value == std::vector<double>{1.5, -1.5});

    text = Text{};
    text.type = "cha";
    text.body = " 1 3 4\n 1 2 2\n 1.5 0.0-2.5\n 0.5 3.5 0.0\n";
    const SparseMatrix<Complex> h = read<Complex>(text);
    CHECK(h.symmetry == Symmetry::hermitian);
    CHECK(h.value == std::vector<Complex>{1.5, {-2.5, 0.5}, 3.5});
    CHECK_THROWS_AS(read<double>(text), InvalidMatrix);
    text.type = "csa";
    CHECK(read<Complex>(text).symmetry == Symmetry::symmetric);
    text.type = "cua";
    CHECK(read<Complex>(text).symmetry == Symmetry::general);
    {
        const TemporaryFile file(".cua", text.str());
        CHECK(std::holds_alternative<SparseMatrix<Complex>>(read_matrix(file.path())));
    }

    text = Text{};
    text.type = "rra";
    text.sizes = "             3             2             3             0";
    a = read<double>(text);
    CHECK(a.rows() == 3);
    CHECK(a.cols() == 2);
}

TEST_CASE("what is wrong is named") {
    Text text;
    text.type = "rue";
    check_complaint(text, "elements");
    text.type = "qua";
    check_complaint(text, "another file");
    text.type = "xua";
    check_complaint(text, "'xua' is not a matrix type");
    text = Text{};
    text.type = "rsa";
    text.sizes = "             3             2             3             0";
    check_complaint(text, "no symmetry");
    text = Text{};
    text.sizes = "             2             2            -3             0";
    check_complaint(text, "negative");
    text.sizes = "             2             x             3             0";
    check_complaint(text, "whole numbers");
    text.sizes = "    2147483648             2             3             0";
    check_complaint(text, "2147483647");
    text = Text{};
    text.formats = "(3Q2)           (3I2)           (3F4.1)             ";
    check_complaint(text, "(3Q2)");
    text.formats = "(3F4.1)         (3I2)           (3F4.1)             ";
    check_complaint(text, "I format");
    text.formats = "(3I2)           (3I2)                               ";
    check_complaint(text, "3 Fortran formats");
    text = Text{};
    text.counts = "             2             1             1             0";
    check_complaint(text, "no values");
}

TEST_CASE("groups that repeat what takes no column end") {
    // Each level multiplies by 4096: 3e14 times in all.
    for (const char* nested :
         {"(4096(4096(4096(4096(0P)))),2I8)", "(4096(4096(4096(4096()))),2I8)", "(4096(4096(4096(4096(1P)I8))))"}) {
        Text text;
        text.formats = std::string(nested) + " (3I2) (3F4.1)";
        check_complaint(text, "is not understood");
    }
    Text repeated;  // as it should be: a group of four fields, 20 times
    repeated.formats = "(20(1P,I2,0P,1X,3I2)) (3I2) (3F4.1)";
    repeated.body = " 1  3 4\n 1 2 2\n 1.5-2.5 3.5\n";
    CHECK(complaint(repeated) == "accepted");
}

TEST_CASE("pointers, rows and values out of range, missing or in the wrong triangle") {
    Text text;
    text.body = " 2 3 4\n 1 2 2\n 1.5-2.5 3.5\n";
    check_complaint(text, "column pointer 1 is 2");
    text.body = " 1 3 2\n 1 2 2\n 1.5-2.5 3.5\n";
    check_complaint(text, "column pointer 3 is 2");
    text.body = " 1 3 3\n 1 2 2\n 1.5-2.5 3.5\n";
    check_complaint(text, "last column pointer is 3");
    text.body = " 1 3 4\n 1 3 2\n 1.5-2.5 3.5\n";
    check_complaint(text, "row index 3 is not in 1 .. 2");
    text.body = " 1 3 4\n 1   2\n 1.5-2.5 3.5\n";
    check_complaint(text, "row index 2 is missing");
    text.body = " 1 3 4\n 1 2 2\n 1.5-2.5\n";
    check_complaint(text, "value 3 is missing");
    text.body = " 1 3 4\n 1 2 2\n";
    check_complaint(text, "0 of 3 values");
    text.body = " 1 3 4\n 1 2 2\n 1.5 nan 3.5\n";
    check_complaint(text, "not finite");
    text.body = " 1 3 4\n 1 2 2\n 1.5 250 3.5\n";
    check_complaint(text, "decimal point");
    text = Text{};
    text.type = "rsa";
    text.body = " 1 3 4\n 1 2 1\n 1.5-2.5 3.5\n";
    check_complaint(text, "entry (1, 2) lies in the upper triangle");
    text.body = " 1 2 4\n 1 1 2\n 1.5-2.5 3.5\n";  // the upper one alone is read as what it is
    check_values<double>(text, {1.5, -2.5, 3.5});
}

TEST_CASE("a header that promises too much allocates nothing") {
    Text text;
    text.sizes = "             2             2 1000000000000             0";
    check_complaint(text, "last column pointer");
    text.sizes = "    2147483647    2147483647             3             0";
    check_complaint(text, "column pointer");
}

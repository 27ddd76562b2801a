// SPDX-License-Identifier: BSD-3-Clause
// What is written is read back bit by bit.
#include "canonical_checks.hpp"
#include "frond/base/error.hpp"
#include "frond/matrix/matrix_market.hpp"
#include "random_sparse.hpp"
#include "requirement.hpp"
#include "scalar_lists.hpp"
#include "temporary_file.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <limits>
#include <sstream>

using namespace frond;
using namespace frond::test;

namespace {

[[maybe_unused]] const bool full_device_is_known =
    require_for_suite("the file /dev/full", [] { return std::ofstream("/dev/full").is_open(); });

std::string content(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

template <class T>
std::vector<T> hard_values() {
    using R = real_t<T>;
    using L = std::numeric_limits<R>;
    std::vector<R> parts{L::max(), L::min(), L::denorm_min(), -L::epsilon(), R(1) / 3, R(0), R(-0.0), R(123456789)};
    std::vector<T> values;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        if constexpr (is_complex<T>)
            values.push_back(T(parts[k], parts[parts.size() - 1 - k]));
        else
            values.push_back(parts[k]);
    }
    return values;
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("sparse matrices: plain and gzip, every symmetry, hard values", T, sparse_round_trip) {
    for (const char* suffix : {".mtx", ".mtx.gz"})
        for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric, Symmetry::hermitian}) {
            if (symmetry == Symmetry::hermitian && !is_complex<T>) continue;
            SparseMatrix<T> a = random_sparse<T>(60, 4, symmetry, false, 21);
            if (symmetry != Symmetry::hermitian) {
                const std::vector<T> hard = hard_values<T>();
                std::copy(hard.begin(), hard.end(), a.value.begin());
            }
            const TemporaryFile file(suffix);
            write_matrix_market(file.path(), a, {"one line", "two\nlines"});
            check_equal(read_matrix_market<T>(file.path()), a);
            const std::string text = content(file.path());
            if (std::string(suffix) == ".mtx")
                CHECK(text.find("\n% one line\n% two\n% lines\n") != std::string::npos);
            else
                CHECK(text.substr(0, 2) == "\x1f\x8b");
        }
}

TEST_CASE_TEMPLATE_APPLY(sparse_round_trip, Scalars);

TEST_CASE_TEMPLATE_DEFINE("dense blocks with a leading dimension", T, dense_round_trip) {
    std::vector<T> hard = hard_values<T>();  // 8 values: 2 columns of ld 4
    for (const char* suffix : {".mtx", ".mtx.gz"}) {
        const TemporaryFile file(suffix);
        write_matrix_market(file.path(), 3, 2, hard.data(), 4);
        const DenseMatrix<T> b = read_dense<T>(file.path());
        CHECK(b.rows == 3);
        CHECK(b.cols == 2);
        CHECK(b.value == std::vector<T>{hard[0], hard[1], hard[2], hard[4], hard[5], hard[6]});
    }
    const TemporaryFile nothing(".mtx");
    write_matrix_market<T>(nothing.path(), 0, 3, nullptr, 1);
    CHECK(read_dense<T>(nothing.path()).cols == 3);
    CHECK_THROWS_AS(write_matrix_market(nothing.path(), 3, 2, hard.data(), 2), InvalidArgument);
}

TEST_CASE_TEMPLATE_APPLY(dense_round_trip, Scalars);

TEST_CASE("the text is the shortest that reads back, and nothing else") {
    const TemporaryFile file(".mtx");
    SparseMatrix<double> a;
    a.symmetry = Symmetry::symmetric;
    a.pattern.rows = a.pattern.cols = 2;
    a.pattern.begin = {0, 2, 2};
    a.pattern.row = {0, 1};
    a.value = {0.1, -3};
    write_matrix_market(file.path(), a);
    CHECK(content(file.path()) == "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 0.1\n2 1 -3\n");
}

TEST_CASE("dense from coordinates and packed arrays") {
    const auto read = [](const std::string& text) {
        const TemporaryFile file(".mtx", "%%MatrixMarket matrix " + text);
        return read_dense<double>(file.path()).value;
    };
    CHECK(read("coordinate real general\n3 2 3\n1 1 2\n1 1 3\n2 2 7\n") == std::vector<double>{5, 0, 0, 0, 7, 0});
    CHECK(read("array integer symmetric\n2 2\n1\n2\n3\n") == std::vector<double>{1, 2, 2, 3});
    CHECK(read("array real skew-symmetric\n2 2\n4\n") == std::vector<double>{0, 4, -4, 0});
    CHECK_THROWS_AS(read("array real general\n2 2\n1\n2\n3\n"), InvalidMatrix);
    CHECK_THROWS_AS(read("coordinate real general\n2000000000 2000000000 1\n1 1 1\n"), InvalidMatrix);
    const TemporaryFile complex(".mtx", "%%MatrixMarket matrix array complex hermitian\n2 2\n1 0\n2 3\n4 0\n");
    using Complex = std::complex<double>;
    CHECK(read_dense<Complex>(complex.path()).value == std::vector<Complex>{1, {2, 3}, {2, -3}, 4});
    CHECK_THROWS_AS(read_dense<double>(complex.path()), InvalidMatrix);
}

TEST_CASE("a folder that is not there is an error") {
    CHECK_THROWS_AS(write_matrix_market("/no/such/folder/a.mtx", SparseMatrix<double>{}), RuntimeError);
}

TEST_CASE("a full device is an error" * doctest::test_suite("the file /dev/full")) {
    const SparseMatrix<double> a = random_sparse<double>(2000, 9, Symmetry::general, false, 1);
    CHECK_THROWS_AS(write_matrix_market("/dev/full", a), RuntimeError);
}

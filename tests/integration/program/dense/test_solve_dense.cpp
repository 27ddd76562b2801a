// SPDX-License-Identifier: BSD-3-Clause
// frond solve-dense: NumPy files, arrays, generators, what is refused.
#include "program_files.hpp"
#include "run_program.hpp"
#include "temporary_file.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <complex>
#include <cstring>

using namespace frond::test;
using Json = nlohmann::json;

namespace {

/// What numpy.save writes, version 1: header padded to a multiple of 64 bytes.
template <class T>
std::string numpy_file(const std::string& type, bool fortran_order, const std::string& shape,
                       const std::vector<T>& values) {
    std::string header = "{'descr': '" + type + "', 'fortran_order': " + (fortran_order ? "True" : "False") +
                         ", 'shape': " + shape + ", }";
    while ((10 + header.size() + 1) % 64 != 0) header += ' ';
    header += '\n';
    std::string file = "\x93NUMPY";
    file += '\1';
    file += '\0';
    file += static_cast<char>(header.size() & 255);
    file += static_cast<char>(header.size() >> 8);
    file += header;
    std::string numbers(values.size() * sizeof(T), '\0');
    std::memcpy(numbers.data(), values.data(), numbers.size());
    return file + numbers;
}

/// Far above what rounding leaves of systems this small and well-conditioned, in single and in double precision.
constexpr double well_solved_single = 1e-5, well_solved_double = 1e-13;

const char* const right_hand_side = "%%MatrixMarket matrix array real general\n2 1\n4\n11\n";

/// X of A = (1 2; 3 5), b = (4, 11): (2, 1).
void check_numpy(const std::string& file) {
    const TemporaryFile a(".npy", file), b(".mtx", right_hand_side), json(".json");
    const Outcome outcome =
        run_frond({"solve-dense", a.path(), "--rhs", b.path(), "--out", "-", "--json", json.path()});
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    const Json report = Json::parse(content_of(json.path()));
    CHECK(report["matrix"]["rows"] == 2);
    CHECK(report["matrix"]["entries"] == 4);
    CHECK(report["factorization"]["kind"] == "lu");
    CHECK(report["solve"]["componentwise_backward_error"] < well_solved_single);
    std::istringstream x(outcome.out.substr(outcome.out.find("\n2 1\n") + 5));
    double first = 0, second = 0;
    x >> first >> second;
    CHECK(std::abs(first - 2) < well_solved_single);
    CHECK(std::abs(second - 1) < well_solved_single);
}

std::string refusal(const std::vector<std::string>& arguments) {
    const Outcome outcome = run_frond(arguments);
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.out.empty());
    return outcome.err;
}

}  // namespace

TEST_CASE("NumPy files in C and Fortran order") {
    check_numpy(numpy_file<double>("<f8", false, "(2, 2)", {1, 2, 3, 5}));
    check_numpy(numpy_file<double>("<f8", true, "(2, 2)", {1, 3, 2, 5}));
    if (FROND_SCALAR_S != 0) check_numpy(numpy_file<float>("<f4", false, "(2, 2)", {1, 2, 3, 5}));
}

TEST_CASE("an array with a symmetry, and the table") {
    const TemporaryFile a(".mtx", "%%MatrixMarket matrix array real symmetric\n2 2\n4\n1\n3\n");
    const TemporaryFile json(".json");
    const Outcome outcome = run_frond({"solve-dense", a.path(), "--json", json.path(), "--condition"});
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK(contains(outcome.out, "L L^T"));
    CHECK(contains(outcome.out, "solved: componentwise backward error"));
    const Json report = Json::parse(content_of(json.path()));
    CHECK(report["factorization"]["positive"] == 2);
    CHECK(report["matrix"]["symmetry"] == "symmetric");
    CHECK(report["condition"]["norm_1"] == 5);
    CHECK(report["solve"]["forward_error"] < well_solved_double);
}

TEST_CASE("generated dense matrices, singular ones") {
    CHECK(run_frond({"solve-dense", "generate:random:60", "--random-rhs", "3"}).exit_code == 0);
    CHECK(run_frond({"solve-dense", "generate:definite:60", "--factorization", "llt"}).exit_code == 0);
    CHECK(run_frond({"solve-dense", "generate:symmetric:60"}).exit_code == 0);
    CHECK(run_frond({"solve-dense", "generate:symmetric:60", "--factorization", "llt"}).exit_code == 6);
    CHECK(run_frond({"solve-dense", "generate:hilbert:12", "--condition"}).exit_code == 5);
    const TemporaryFile singular(".mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n2\n2\n4\n");
    const TemporaryFile space(".mtx");
    const Outcome outcome = run_frond({"solve-dense", singular.path(), "--null-space", space.path()});
    CHECK(outcome.exit_code == 4);
    CHECK(contains(content_of(space.path()), "\n2 1\n"));
}

TEST_CASE("an array comes through a pipe, a sparse matrix is refused there too") {
    Streams streams;
    streams.input = "%%MatrixMarket matrix array real symmetric\n2 2\n4\n1\n3\n";
    for (const char* name : {"-", "/dev/stdin", "/dev/fd/0"}) {
        const Outcome outcome = run_frond({"solve-dense", name}, {}, streams);
        CAPTURE(outcome.err);
        CHECK(outcome.exit_code == 0);
        CHECK(contains(outcome.out, "L L^T"));
    }
    streams.input = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 1\n";
    const Outcome sparse = run_frond({"solve-dense", "-"}, {}, streams);
    CHECK(sparse.exit_code == 2);
    CHECK(contains(sparse.err, "solve it by: frond solve -"));
    streams.input = "%%MatrixMarket matrix array real general\n1 2\n1\n2\n";
    CHECK(contains(run_frond({"solve-dense", "-"}, {}, streams).err, "1 rows and 2 columns"));
}

TEST_CASE("what frond solve-dense refuses") {
    const TemporaryFile sparse(".mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 1\n");
    CHECK(contains(refusal({"solve-dense", sparse.path()}), "frond solve " + sparse.path()));
    const TemporaryFile wide(".mtx", "%%MatrixMarket matrix array real general\n1 2\n1\n2\n");
    CHECK(contains(refusal({"solve-dense", wide.path()}), "1 rows and 2 columns"));
    CHECK(contains(refusal({"solve-dense", "generate:poisson2d:5"}), "'poisson2d'"));
    CHECK(contains(refusal({"solve-dense", "generate:random:0"}), "'0'"));
    CHECK(contains(refusal({"solve-dense", "generate:random:5", "--symmetry", "skew"}), "'skew'"));
    CHECK(contains(refusal({"solve-dense", "generate:random:5", "--ordering", "amd"}), "--ordering"));
    const auto numpy = [](const std::string& file) {
        const TemporaryFile a(".npy", file);
        return refusal({"solve-dense", a.path()});
    };
    CHECK(contains(numpy(numpy_file<double>("<f8", false, "(2, 3)", {1, 2, 3, 4, 5, 6})), "2 rows and 3 columns"));
    CHECK(contains(numpy(numpy_file<double>("<f8", false, "(4,)", {1, 2, 3, 4})), "two dimensions"));
    CHECK(contains(numpy(numpy_file<double>("<f8", false, "(2, 2)", {1, 2, 3})), "24 bytes"));
    CHECK(contains(numpy(numpy_file<double>(">f8", false, "(2, 2)", {1, 2, 3, 4})), "'>f8'"));
    CHECK(contains(numpy(numpy_file<double>("<f8", false, "(2, 2)", {1, 2, 3, NAN})), "NaN"));
    CHECK(contains(numpy(std::string("\x93NUMPY\1", 7)), "damaged"));
}

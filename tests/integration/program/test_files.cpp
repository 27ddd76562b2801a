// SPDX-License-Identifier: BSD-3-Clause
// Files in and out: right-hand sides, solutions, generated matrices, generated manual pages.
#include "frond/matrix/matrix_file.hpp"
#include "frond/matrix/operations.hpp"
#include "program_files.hpp"
#include "run_program.hpp"
#include "temporary_file.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace frond;
using namespace frond::test;

namespace {

// max |B - A X| / (|A| |X| + |B|) by rows.
template <class T>
double backward_error(const SparseMatrix<T>& a, const DenseMatrix<T>& b, const DenseMatrix<T>& x) {
    std::vector<T> r(b.value.size());
    std::vector<real_t<T>> w(b.value.size());
    residual_and_weights(a, Operation::none, b.cols, x.value.data(), x.rows, b.value.data(), b.rows, r.data(), b.rows,
                         w.data(), b.rows);
    double worst = 0;
    for (std::size_t i = 0; i < r.size(); ++i)
        if (w[i] > 0) worst = std::max(worst, static_cast<double>(std::abs(r[i]) / w[i]));
    return worst;
}

// Solves with right-hand sides from a file and checks the solution written.
template <class T>
void check_solution(const std::string& matrix, index_t rhs) {
    CAPTURE(matrix);
    const SparseMatrix<T> a = read_matrix_market<T>(matrix);
    DenseMatrix<T> b{a.rows(), rhs, std::vector<T>(static_cast<std::size_t>(a.rows()) * rhs)};
    for (std::size_t i = 0; i < b.value.size(); ++i)
        b.value[i] = T(static_cast<real_t<T>>(std::sin(1.0 + static_cast<double>(i))));
    const TemporaryFile rhs_file(".mtx"), solution_file(".mtx.gz");
    write_matrix_market(rhs_file.path(), b.rows, b.cols, b.value.data(), b.rows);
    const Outcome outcome = run_frond({"solve", matrix, "--rhs", rhs_file.path(), "--out", solution_file.path()});
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    const DenseMatrix<T> x = read_dense<T>(solution_file.path());
    REQUIRE(x.rows == b.rows);
    REQUIRE(x.cols == b.cols);
    // Refinement aims at 10 eps; the file holds the solution to the last bit.
    CHECK(backward_error(a, b, x) <= 10 * std::numeric_limits<double>::epsilon());
}

}  // namespace

TEST_CASE("the solution in the file solves the system") {
    check_solution<double>(data("494_bus.mtx.gz"), 1);
    check_solution<double>(data("west0067.mtx.gz"), 4);
#if FROND_SCALAR_Z
    check_solution<std::complex<double>>(data("young4c.mtx.gz"), 2);
#endif
}

#if FROND_SCALAR_Z
TEST_CASE("a real right-hand side serves a complex matrix") {
    std::string ones = "%%MatrixMarket matrix array real general\n67 1\n";
    for (int i = 0; i < 67; ++i) ones += "1\n";
    const TemporaryFile real_rhs(".mtx", ones);
    CHECK(run_frond({"solve", data("c_west0067.mtx.gz"), "--rhs", real_rhs.path()}).exit_code == 0);
}
#endif

TEST_CASE("complex right-hand sides of a real matrix: real and imaginary part are solved") {
    using Complex = std::complex<double>;
    const SparseMatrix<double> a = read_matrix_market<double>(data("west0067.mtx.gz"));
    const index_t n = a.rows(), rhs = 3;
    DenseMatrix<Complex> b{n, rhs, {}};
    for (index_t i = 0; i < n * rhs; ++i) b.value.emplace_back(std::sin(i + 1.0), std::cos(3.0 * i));
    const TemporaryFile rhs_file(".mtx"), solution_file(".mtx");
    write_matrix_market(rhs_file.path(), n, rhs, b.value.data(), n);
    const Outcome outcome =
        run_frond({"solve", data("west0067.mtx.gz"), "--rhs", rhs_file.path(), "--out", solution_file.path()});
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    CHECK(outcome.out.find(", real and imaginary parts") != std::string::npos);
    const DenseMatrix<Complex> x = read_dense<Complex>(solution_file.path());
    REQUIRE(x.cols == rhs);
    for (const bool imaginary : {false, true}) {
        DenseMatrix<double> b_part{n, rhs, {}}, x_part{n, rhs, {}};
        for (const Complex value : b.value) b_part.value.push_back(imaginary ? value.imag() : value.real());
        for (const Complex value : x.value) x_part.value.push_back(imaginary ? value.imag() : value.real());
        CHECK(backward_error(a, b_part, x_part) <= 10 * std::numeric_limits<double>::epsilon());
    }
}

TEST_CASE("without --rhs, runs are the same") {
    const TemporaryFile first(".mtx"), second(".mtx");
    for (const TemporaryFile* file : {&first, &second})
        CHECK(run_frond({"solve", data("LFAT5.mtx"), "--out", file->path(), "--deterministic", "on"}).exit_code == 0);
    CHECK(content_of(first.path()) == content_of(second.path()));
    CHECK(read_dense<double>(first.path()).rows == 14);
}

TEST_CASE("the transposed system") {
    const TemporaryFile out(".mtx");
    const Outcome outcome =
        run_frond({"solve", data("west0067.mtx.gz"), "--operation", "transpose", "--out", out.path()});
    CHECK(outcome.exit_code == 0);
}

TEST_CASE("generate writes what solve accepts in place of a file") {
    const TemporaryFile file(".mtx.gz");
    REQUIRE(run_frond({"generate", "poisson2d", "7", "-o", file.path()}).exit_code == 0);
    const SparseMatrix<double> a = read_matrix_market<double>(file.path());
    CHECK(a.rows() == 49);
    CHECK(a.symmetry == Symmetry::symmetric);
    CHECK(run_frond({"solve", file.path()}).exit_code == 0);

    const Outcome printed = run_frond({"generate", "helmholtz3d", "18"});
    CHECK(printed.exit_code == 0);
    CHECK(printed.out.rfind("%%MatrixMarket matrix coordinate complex symmetric", 0) == 0);
}

TEST_CASE("the pages of the manual that come from tables are current") {
    for (const std::string page : {"options", "errors"}) {
        CAPTURE(page);
        const Outcome outcome = run_frond({"manual", page});
        CHECK(outcome.exit_code == 0);
        const bool current = outcome.out == content_of(std::string(FROND_SOURCE_DIR) + "/docs/" + page + ".md");
        CHECK_MESSAGE(current, "stale: frond manual " << page << " > docs/" << page << ".md");
    }
}

TEST_CASE("- is standard output, which then holds the file and nothing else") {
    const Outcome solution = run_frond({"solve", data("LFAT5.mtx"), "--out", "-"});
    CHECK(solution.exit_code == 0);
    CHECK(solution.out.rfind("%%MatrixMarket matrix array real general", 0) == 0);
    CHECK(solution.err.find("backward error") != std::string::npos);
    const TemporaryFile copy(".mtx", solution.out);
    CHECK(read_dense<double>(copy.path()).rows == 14);
    const Outcome generated = run_frond({"generate", "poisson2d", "3", "-o", "-"});
    CHECK(generated.exit_code == 0);
    CHECK(generated.out.rfind("%%MatrixMarket matrix coordinate real symmetric", 0) == 0);
    const Outcome json = run_frond({"solve", data("LFAT5.mtx"), "--json", "-"});
    CHECK(json.out.rfind("{", 0) == 0);
    CHECK(json.err.find("backward error") != std::string::npos);
    CHECK(!std::filesystem::exists("-"));

    const Outcome both = run_frond({"solve", data("LFAT5.mtx"), "--json", "-", "--out", "-"});
    CHECK(both.exit_code == 2);
    CHECK(both.err.find("both write to standard output; ") != std::string::npos);
}

TEST_CASE("a matrix from standard input, by its name and by a dash") {
    for (const std::string name : {"-", "/dev/stdin"}) {
        CAPTURE(name);
        const std::string run = std::string("'") + FROND_PROGRAM + "' solve " + name +
                                " < '" FROND_SOURCE_DIR "/docs/examples/data/494_bus.mtx' > /dev/null";
        CHECK(std::system(run.c_str()) == 0);
    }
}

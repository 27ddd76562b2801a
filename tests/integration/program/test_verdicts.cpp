// SPDX-License-Identifier: BSD-3-Clause
// What the program says of singular, ill-conditioned and indefinite matrices, and of errors: exit codes 0, 1, 4, 5 and 6.
#include "program_files.hpp"
#include "run_program.hpp"
#include "temporary_file.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <string>

using namespace frond::test;

namespace {

/// The last line that is not empty.
std::string last_line(const std::string& text) {
    const std::size_t end = text.find_last_not_of('\n'), begin = text.rfind('\n', end);
    return text.substr(begin + 1, end - begin);
}

}  // namespace

TEST_CASE("4: a singular matrix; 1: a backward error that nobody reaches") {
    const TemporaryFile singular(".mtx",
                                 "%%MatrixMarket matrix coordinate real general\n"
                                 "3 3 5\n1 1 1\n1 2 2\n2 1 2\n2 2 4\n3 3 1\n");
    const TemporaryFile rhs(".mtx", "%%MatrixMarket matrix array real general\n3 1\n1\n1\n1\n");
    const Outcome inconsistent = run_frond({"solve", singular.path(), "--rhs", rhs.path()});
    CAPTURE(inconsistent.out);
    CHECK(inconsistent.exit_code == 4);
    const TemporaryFile zero(".mtx",
                             "%%MatrixMarket matrix coordinate real general\n"
                             "1 1 1\n1 1 0\n");
    const Outcome null = run_frond({"solve", zero.path()});
    CHECK(null.exit_code == 4);
    CHECK(contains(last_line(null.out), "singular: 1 null pivot; "));

    const Outcome impossible = run_frond({"solve", data("west0067.mtx.gz"), "--target-backward-error", "1e-30"});
    CHECK(impossible.exit_code == 1);
    CHECK(contains(last_line(impossible.out), "inaccurate"));
}

TEST_CASE("5: numerically singular by the condition, where that was asked for") {
    // The last pivot is 8e-15: no null pivot, but a condition of 5e14, beyond 1 / (10 eps).
    const TemporaryFile close(".mtx",
                              "%%MatrixMarket matrix coordinate real general\n"
                              "2 2 4\n1 1 1\n1 2 1\n2 1 1\n2 2 1.000000000000008\n");
    const Outcome plain = run_frond({"solve", close.path()});
    CHECK(plain.exit_code == 0);
    CHECK(contains(plain.out, "hint: ill-conditioned"));
    CHECK(contains(last_line(plain.out), "solved: "));
    const Outcome outcome = run_frond({"solve", close.path(), "--condition"});
    CHECK(outcome.exit_code == 5);
    CHECK(contains(outcome.out, "numerically singular: condition "));
}

TEST_CASE("0: scaling makes no condition, where that was asked for") {
    // A condition of 1e18 in the 1-norm, that of (2 1; 1 2) after a scaling of rows and columns.
    const TemporaryFile scaled(".mtx",
                               "%%MatrixMarket matrix coordinate real general\n"
                               "2 2 4\n1 1 2e9\n1 2 1\n2 1 1\n2 2 2e-9\n");
    const Outcome outcome = run_frond({"solve", scaled.path(), "--condition"});
    CHECK(outcome.exit_code == 0);
    CHECK(contains(outcome.out, "Skeel's"));
    CHECK(!contains(run_frond({"solve", scaled.path()}).out, "hint: ill-conditioned"));
}

TEST_CASE("0: a squared Laplacian is no singular matrix, by itself or scaled to a condition of 1e16") {
    constexpr int edge = 24;
    const auto laplacian = [](int i, int j) {  // of a grid of edge x edge nodes
        const int dx = std::abs(i % edge - j % edge), dy = std::abs(i / edge - j / edge);
        return dx + dy == 0 ? 4.0 : dx + dy == 1 ? -1.0 : 0.0;
    };
    constexpr int n = edge * edge;
    for (const double step : {1.0, 1000.0}) {
        std::ostringstream entries;
        int count = 0;
        for (int j = 0; j < n; ++j)
            for (int i = j; i < std::min(n, j + 2 * edge + 1); ++i) {
                double sum = 0;
                for (const int d : {0, -1, 1, -edge, edge}) {  // the neighbours of i
                    const int k = i + d;
                    if (k >= 0 && k < n) sum += laplacian(i, k) * laplacian(k, j);
                }
                const double scale = std::pow(step, (i % 5 + j % 5) / 2.0);
                if (sum != 0) ++count, entries << i + 1 << ' ' << j + 1 << ' ' << sum * scale << '\n';
            }
        const TemporaryFile squared(".mtx", "%%MatrixMarket matrix coordinate real symmetric\n" + std::to_string(n) +
                                                " " + std::to_string(n) + " " + std::to_string(count) + "\n" +
                                                entries.str());
        const Outcome outcome = run_frond({"solve", squared.path(), "--condition", "--json", "-"});
        CAPTURE(step);
        CAPTURE(outcome.err);
        CHECK(outcome.exit_code == 0);
        const auto condition = nlohmann::json::parse(outcome.out)["condition"];
        CHECK(condition["reciprocal_condition"].get<double>() < (step > 1 ? 1e-15 : 1e-4));
        CHECK(condition["skeel_condition"].get<double>() < 1e8);
    }
}

TEST_CASE("4: null pivots as an error name their columns and rows") {
    const TemporaryFile singular(".mtx",
                                 "%%MatrixMarket matrix coordinate real general\n"
                                 "3 3 5\n1 1 1\n1 2 2\n2 1 2\n2 2 4\n3 3 1\n");
    const Outcome outcome = run_frond({"solve", singular.path(), "--null-pivots", "error"});
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 4);
    CHECK(outcome.out.empty());
    CHECK(contains(outcome.err, "frond: the matrix is singular: 1 null pivot, columns "));
    CHECK(contains(outcome.err, "; correct them"));
    CHECK(contains(outcome.err, "--null-pivot-tolerance"));
    CHECK(contains(run_frond({"solve", singular.path()}).out, "--null-pivot-tolerance"));
}

TEST_CASE("6: not positive definite, when L L^T was asked for") {
    const TemporaryFile indefinite(".mtx",
                                   "%%MatrixMarket matrix coordinate real symmetric\n"
                                   "2 2 3\n1 1 1\n2 1 3\n2 2 1\n");
    const Outcome outcome = run_frond({"solve", indefinite.path(), "--factorization", "llt"});
    CHECK(outcome.exit_code == 6);
    CHECK(contains(last_line(outcome.out), "not positive definite"));
    CHECK(contains(outcome.out, "cure: --factorization ldlt"));
    CHECK(run_frond({"solve", indefinite.path()}).exit_code == 0);
}

TEST_CASE("4: b outside the range of a singular matrix") {
    const TemporaryFile a(".mtx",
                          "%%MatrixMarket matrix coordinate real general\n"
                          "2 2 4\n1 1 1\n1 2 2\n2 1 2\n2 2 4\n");
    const TemporaryFile b(".mtx", "%%MatrixMarket matrix array real general\n2 1\n1\n0\n");
    const Outcome outcome = run_frond({"solve", a.path(), "--rhs", b.path()});
    CHECK(outcome.exit_code == 4);
    CHECK(contains(outcome.out, "singular: 1 null pivot; the matrix has no solution for this b; "));
    CHECK(contains(outcome.out, "cure: if the matrix should be regular, --null-pivot-tolerance "));
}

TEST_CASE("a part of a solve claims no error") {
    const Outcome outcome = run_frond({"solve", data("494_bus.mtx.gz"), "--part", "forward"});
    CHECK(outcome.exit_code == 0);
    CHECK(contains(outcome.out, "part of a solve done: its errors are not measured"));
    CHECK_FALSE(contains(outcome.out, "componentwise"));
}

// SPDX-License-Identifier: BSD-3-Clause
// frond bench: several runs of several matrices.
#include "bench/bench_facts.hpp"
#include "program_files.hpp"
#include "run_program.hpp"
#include "temporary_file.hpp"
#include "tolerance.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

using namespace frond;
using namespace frond::test;
using Json = nlohmann::json;

namespace {

void check_times(const Json& times, std::size_t runs) {
    std::vector<double> all = times.at("all");
    REQUIRE(all.size() == runs);
    std::sort(all.begin(), all.end());
    CHECK(times.at("minimum") == all.front());
    CHECK(times.at("median").get<double>() == doctest::Approx((all[(runs - 1) / 2] + all[runs / 2]) / 2));
    CHECK(all.front() > 0);
}

}  // namespace

TEST_CASE("medians and minima of times") {
    CHECK(cli::Times{{3, 1, 2}}.median() == 2);
    CHECK(cli::Times{{4, 1, 2, 3}}.median() == 2.5);
    CHECK(cli::Times{{4, 1, 2, 3}}.minimum() == 1);
    CHECK(cli::Times{{5}}.median() == 5);
}

TEST_CASE("bench runs every matrix as often as asked") {
    const std::string third = data(FROND_SCALAR_Z ? "young4c.mtx.gz" : "west0067.mtx.gz");
    const Outcome outcome =
        run_frond({"bench", data("494_bus.mtx.gz"), "generate:poisson2d:9", third, "--repeat", "4", "--json", "-"});
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    const Json bench = Json::parse(outcome.out);
    CHECK(bench["frond"]["version"] == FROND_VERSION_TEXT);
    REQUIRE(bench["matrices"].size() == 3);
    CHECK(bench["matrices"][1]["matrix"] == "generate:poisson2d:9");
    CHECK(bench["matrices"][1]["rows"] == 81);
    CHECK(bench["matrices"][2]["scalar"] == (FROND_SCALAR_Z ? "complex<double>" : "double"));
    for (const Json& one : bench["matrices"]) {
        for (const char* part : {"analysis_seconds", "factorization_seconds", "solve_seconds"})
            check_times(one.at(part), 4);
        CHECK(
            one["gflops_per_second"].get<double>() ==
            doctest::Approx(one["flops"].get<double>() * 1e-9 / one["factorization_seconds"]["median"].get<double>()));
        CHECK(one["peak_bytes"].get<double>() > 0);
        CHECK(one["componentwise_backward_error"].get<double>() <= 450 * epsilon<double>());
        CHECK(one["verdict"] == "solved");
        CHECK(one["exit_code"] == 0);
    }
    CHECK(outcome.err.find("median / minimum of 4 runs") != std::string::npos);
}

TEST_CASE("bench prints a table, three runs unless the command line asks for others") {
    const Outcome outcome = run_frond({"bench", data("LFAT5.mtx"), "--ordering", "amd"});
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.empty());
    for (const char* part : {"LFAT5.mtx", "factorization", "flop/s", "solved", "of 3 runs"})
        CHECK(outcome.out.find(part) != std::string::npos);
}

TEST_CASE("bench has the exit codes of solve, the worst of all matrices") {
    const TemporaryFile singular(".mtx",
                                 "%%MatrixMarket matrix coordinate real general\n"
                                 "1 1 1\n1 1 0\n");
    const Outcome worst = run_frond({"bench", singular.path(), data("LFAT5.mtx")});
    CHECK(worst.exit_code == 4);
    CHECK(worst.out.find("singular") != std::string::npos);
    const TemporaryFile indefinite(".mtx",
                                   "%%MatrixMarket matrix coordinate real symmetric\n"
                                   "2 2 3\n1 1 1\n2 1 3\n2 2 1\n");
    const Outcome no_solution = run_frond({"bench", indefinite.path(), "--factorization", "llt"});
    CHECK(no_solution.exit_code == 6);
    CHECK(no_solution.out.find("not_positive_definite") != std::string::npos);
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{"bench"},
                                                      {"bench", data("LFAT5.mtx"), "no_such.mtx"},
                                                      {"bench", data("LFAT5.mtx"), "--repeat", "0"},
                                                      {"bench", data("LFAT5.mtx"), "--json", "/no/such/x"}}) {
        const Outcome outcome = run_frond(arguments);
        CAPTURE(outcome.err);
        CHECK(outcome.exit_code == 2);
        CHECK(outcome.out.empty());
    }
    CHECK(run_frond({"bench", "generate:poisson3d:12", "--memory-budget-bytes", "64K"}).exit_code == 3);
}

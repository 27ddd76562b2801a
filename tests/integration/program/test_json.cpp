// SPDX-License-Identifier: BSD-3-Clause
// The JSON object: every field that bench and users rely on, consistent with the run.
#include "program_files.hpp"
#include "run_program.hpp"
#include "temporary_file.hpp"
#include "tolerance.hpp"

#include <array>
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>

using namespace frond::test;
using Json = nlohmann::json;

namespace {

// Standard output is the object and nothing else.
Json solved(std::vector<std::string> arguments, int exit_code = 0) {
    arguments.insert(arguments.end(), {"--json", "-"});
    const Outcome outcome = run_frond(arguments);
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == exit_code);
    return Json::parse(outcome.out);
}

void check_present(const Json& object, const std::vector<const char*>& names) {
    for (const char* name : names) {
        CAPTURE(name);
        CHECK(object.contains(name));
    }
}

double number(const Json& object, const char* part, const char* name) {
    CAPTURE(part);
    CAPTURE(name);
    REQUIRE(object.at(part).at(name).is_number());
    return object.at(part).at(name).get<double>();
}

}  // namespace

TEST_CASE("the object has its fields") {
    const Json run = solved({"solve", data("494_bus.mtx.gz")});
    check_present(run, {"frond", "matrix", "analysis", "factorization", "solve", "total_seconds"});
    check_present(run["frond"], {"version", "commit", "blas", "blas_kernel", "starpu", "workers", "worker_binding",
                                 "scheduler", "gpu_advice"});
    check_present(run["frond"]["workers"], {"cpu", "cuda", "hip", "mpi_ranks"});
    check_present(run["matrix"], {"name", "rows", "entries", "scalar", "symmetry"});
    check_present(run["analysis"], {"seconds", "ordering", "fronts", "subtrees", "tasks", "flops", "factor_entries",
                                    "peak_bytes_predicted", "solve_bytes_predicted"});
    check_present(run["factorization"], {"seconds",        "presolve_seconds",
                                         "kind",           "status",
                                         "flops",          "gflops_per_second",
                                         "peak_bytes",     "perturbed",
                                         "delayed",        "two_by_two",
                                         "negative",       "zero",
                                         "positive",       "pivoting",
                                         "escalated",      "second_pass",
                                         "largest_l",      "small_pivots",
                                         "null_rows",      "small_pivot_count",
                                         "null_row_count", "small_pivots_complete"});
    check_present(run["solve"], {"seconds", "rhs", "refinement_steps", "backward_error", "componentwise_backward_error",
                                 "pure_componentwise_backward_error", "forward_error", "forward_error_bound",
                                 "escalated", "on_device", "memory_bytes", "columns_at_once", "short_of_memory"});
    CHECK(number(run, "analysis", "solve_bytes_predicted") == number(run, "solve", "memory_bytes"));
    CHECK(run["solve"]["forward_error_bound"].is_null());
    CHECK(run["condition"].is_null());
    CHECK(run["null_space"].is_null());
}

TEST_CASE("condition and forward error bound, when asked for") {
    const Json run =
        solved({"solve", data("west0067.mtx.gz"), "--condition", "--forward-error", "on", "--random-rhs", "2"});
    CHECK(run["factorization"]["pivoting"] == "threshold");
    CHECK(number(run, "solve", "forward_error") <= number(run, "solve", "forward_error_bound"));
    const double norm = number(run, "condition", "norm_1");
    const double inverse = number(run, "condition", "inverse_norm_1");
    CHECK(norm * inverse >= 1);
    CHECK(is_near(number(run, "condition", "reciprocal_condition"), 1 / (norm * inverse), rounding_bound<double>(4)));
    CHECK(number(run, "condition", "skeel_condition") >= 1);
    CHECK(run["condition"]["ill_conditioned"] == false);
    CHECK(number(run, "solve", "condition_hint") >= 1);
    CHECK(run["solve"]["ill_conditioned"] == false);
    CHECK(number(run, "factorization", "smallest_pivot") > 0);
    CHECK(number(run, "factorization", "largest_pivot") >= number(run, "factorization", "smallest_pivot"));
}

TEST_CASE("a null space is written and reported") {
    // (1 2; 2 4) and 1: the null vector (2, -1, 0) / sqrt 5.
    const TemporaryFile singular(".mtx",
                                 "%%MatrixMarket matrix coordinate real general\n"
                                 "3 3 5\n1 1 1\n1 2 2\n2 1 2\n2 2 4\n3 3 1\n");
    const TemporaryFile basis(".mtx");
    const Json run = solved({"solve", singular.path(), "--condition", "--null-space", basis.path()}, 4);
    CHECK(run["null_space"]["dimension"] == 1);
    CHECK(number(run, "null_space", "residual") <= rounding_bound<double>(4));
    CHECK(number(run, "condition", "reciprocal_condition") == 0);
    CHECK(run["factorization"]["small_pivot_count"] == 1);
    CHECK(run["factorization"]["null_row_count"] == 1);
    CHECK(run["factorization"]["small_pivots_complete"] == true);
    std::ifstream file(basis.path());
    std::string line;
    do std::getline(file, line);
    while (line.starts_with("%"));
    CHECK(line == "3 1");
    double x = 0, y = 0, z = 1;
    file >> x >> y >> z;
    CHECK(is_near(std::abs(x), 2 / std::sqrt(5.0), rounding_bound<double>(10)));
    CHECK(is_near(x, -2 * y, rounding_bound<double>(10)));
    CHECK(z == 0);
}

TEST_CASE("null rows and columns are named as the file numbers them") {
    // Row 2 and column 4 are empty; the structurally regular rest is diagonal.
    const TemporaryFile singular(".mtx",
                                 "%%MatrixMarket matrix coordinate real general\n"
                                 "4 4 3\n1 1 1\n3 2 2\n4 3 3\n");
    const Json run = solved({"solve", singular.path()}, 4);
    CHECK(run["factorization"]["small_pivots"] == Json::array({4}));
    CHECK(run["factorization"]["null_rows"] == Json::array({2}));
    const Outcome table = run_frond({"solve", singular.path()});
    CHECK(table.out.find("null pivot         in column 4\n") != std::string::npos);
    CHECK(table.out.find("                   in row 2\n") != std::string::npos);
    const Outcome error = run_frond({"solve", singular.path(), "--null-pivots", "error"});
    CHECK(error.err.find("columns 4, rows 2 (counted from 1)") != std::string::npos);
}

TEST_CASE("no more than a thousand null columns are listed") {
    std::string text = "%%MatrixMarket matrix coordinate real general\n1200 1200 1\n1200 1200 1\n";
    const TemporaryFile singular(".mtx", text);
    const Json factorization = solved({"solve", singular.path()}, 4)["factorization"];
    CHECK(factorization["small_pivot_count"] == 1199);
    CHECK(factorization["small_pivots"].size() == 1000);
    CHECK(factorization["small_pivots"][999] == 1000);
    CHECK(factorization["null_rows"].size() == 1000);
    CHECK(factorization["small_pivots_complete"] == false);
    const Outcome table = run_frond({"solve", singular.path()});
    CHECK(table.out.find("1, 2, 3, 4, 5, 6, 7, 8 ...\n") != std::string::npos);
}

TEST_CASE("an escalation is reported") {
    const Json run = solved({"solve", data("west0067.mtx.gz"), "--pivoting", "static", "--static-pivot-tolerance",
                             "0.9", "--krylov", "off", "--max-refinement-steps", "1"});
    CHECK(run["solve"]["escalated"] == true);
    CHECK(run["factorization"]["escalated"] == true);
    CHECK(run["factorization"]["pivoting"] == "threshold");
}

TEST_CASE("the values are those of the run") {
    const Json run =
        solved({"solve", data("494_bus.mtx.gz"), "--ordering", "amd", "--cpu-workers", "1", "--random-rhs", "3"});
    CHECK(run["frond"]["version"] == FROND_VERSION_TEXT);
    CHECK(run["frond"]["workers"]["cpu"] == 1);
    CHECK(run["matrix"]["rows"] == 494);
    CHECK(run["matrix"]["entries"] == 1666);
    CHECK(run["matrix"]["stored_entries"] == 1080);
    CHECK(run["matrix"]["scalar"] == "double");
    CHECK(run["matrix"]["symmetry"] == "symmetric");
    CHECK(run["analysis"]["ordering"] == "amd");
    CHECK(number(run, "analysis", "factor_entries") >= 1080);
    CHECK(number(run, "analysis", "fronts") >= number(run, "analysis", "subtrees"));
    CHECK(run["factorization"]["kind"] == "llt");
    CHECK(run["factorization"]["status"] == "success");
    CHECK(number(run, "factorization", "positive") == 494);
    CHECK(number(run, "factorization", "negative") == 0);
    CHECK(number(run, "factorization", "peak_bytes") > 0);
    CHECK(run["solve"]["rhs"] == 3);
    CHECK(number(run, "solve", "componentwise_backward_error") <= number(run, "solve", "accepted_backward_error"));
    const double rate = number(run, "factorization", "flops") / number(run, "factorization", "seconds");
    CHECK(is_near(number(run, "factorization", "gflops_per_second"), rate * 1e-9, rounding_bound<double>(4)));
    const double parts =
        number(run, "analysis", "seconds") + number(run, "factorization", "seconds") + number(run, "solve", "seconds");
    CHECK(run["total_seconds"].get<double>() >= 0.999 * parts);
}

TEST_CASE("inertia is null where it does not exist") {
    for (const char* name : {"west0067.mtx.gz", "young4c.mtx.gz"}) {
        if (!FROND_SCALAR_Z && name[0] == 'y') continue;
        const Json run = solved({"solve", data(name)});
        CAPTURE(name);
        for (const char* sign : {"negative", "zero", "positive"}) CHECK(run["factorization"][sign].is_null());
    }
}

TEST_CASE("scalars and precision") {
    CHECK(solved({"solve", data("494_bus.mtx.gz")})["matrix"]["scalar"] == "double");
#if FROND_SCALAR_Z
    const Json complex_run = solved({"solve", data("young4c.mtx.gz")});
    CHECK(complex_run["matrix"]["scalar"] == "complex<double>");
    CHECK(complex_run["factorization"]["kind"] == "ldlt");
#endif
#if FROND_SCALAR_S
    const Json single = solved({"solve", data("494_bus.mtx.gz"), "--precision", "single"});
    CHECK(single["matrix"]["scalar"] == "float");
    CHECK(number(single, "solve", "backward_error") <= 450 * epsilon<float>());
#endif
#if FROND_SCALAR_C
    const Json both = solved({"solve", data("c_west0067.mtx.gz"), "--precision", "single"});
    CHECK(both["matrix"]["scalar"] == "complex<float>");
#endif
}

TEST_CASE("what was not done is null") {
    const Json analysis = solved({"analyze", data("west0067.mtx.gz")});
    CHECK(analysis["factorization"].is_null());
    CHECK(analysis["solve"].is_null());
    CHECK(analysis["analysis"]["tasks"].is_null());
    const TemporaryFile indefinite(".mtx",
                                   "%%MatrixMarket matrix coordinate real symmetric\n"
                                   "2 2 3\n1 1 1\n2 1 3\n2 2 1\n");
    const Json failed = solved({"solve", indefinite.path(), "--factorization", "llt"}, 6);
    CHECK(failed["factorization"]["status"] == "not_positive_definite");
    CHECK(failed["factorization"]["failed_column"] == 2);  // as in the file
    CHECK(failed["solve"].is_null());
}

TEST_CASE("an error is in the object, with what was known before it") {
    const Json missing = solved({"solve", "no_such.mtx"}, 2);
    CHECK(missing["error"]["code"] == "invalid_argument");
    CHECK(missing["error"]["message"].get<std::string>().find("no_such.mtx: cannot be read: ") == 0);
    CHECK(missing["exit_code"] == 2);
    CHECK(missing["matrix"] == Json{{"name", "no_such.mtx"}});
    CHECK(missing["analysis"].is_null());
    CHECK(missing["frond"]["version"] == FROND_VERSION_TEXT);
    const TemporaryFile bad(".mtx", "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 ?\n");
    CHECK(solved({"solve", bad.path()}, 2)["error"]["code"] == "invalid_matrix");
    const Json option = solved({"solve", "generate:poisson2d:4", "--tile-size=-3"}, 2);
    CHECK(option["error"]["code"] == "invalid_argument");
    const TemporaryFile singular(".mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1\n");
    const Json null = solved({"solve", singular.path(), "--null-pivots", "error"}, 4);
    CHECK(null["error"]["code"] == "singular_matrix");
    CHECK(null["matrix"]["rows"] == 2);
    CHECK(null["analysis"]["fronts"].is_number());
    CHECK(null["factorization"].is_null());
    const Json memory = solved({"solve", "generate:poisson3d:12", "--memory-budget-bytes", "64K"}, 3);
    CHECK(memory["error"]["code"] == "memory_budget_exceeded");
    CHECK(memory["frond"]["workers"]["cpu"].get<int>() > 0);
    CHECK(solved({"info", "--gpus", "99"}, 2)["machine"]["cores"].get<int>() > 0);
    const Json bench = solved({"bench", data("LFAT5.mtx"), bad.path(), "--repeat", "1"}, 2);
    CHECK(bench["matrices"].size() == 1);
    CHECK(bench["error"]["code"] == "invalid_matrix");
    CHECK(solved({"solve", data("LFAT5.mtx")})["error"].is_null());
}

TEST_CASE("an error of the command line is in the object, wherever it stands") {
    const std::vector<std::vector<std::string>> wrong{{"--random-rhs", "0"},  {"--random-rhs=0"}, {"--ordering"},
                                                      {"--ordering", "mets"}, {"--tile-size=-3"}, {"--no-such-flag"},
                                                      {"--precision", "half"}};
    for (const std::vector<std::string>& words : wrong)
        for (const bool json_first : {true, false}) {
            const TemporaryFile file(".json");
            const std::vector<std::string> json{"--json", file.path()};
            std::vector<std::string> arguments{"solve", data("LFAT5.mtx")};
            for (const auto& part : json_first ? std::array{json, words} : std::array{words, json})
                arguments.insert(arguments.end(), part.begin(), part.end());
            CAPTURE(words.front());
            CAPTURE(json_first);
            const Outcome outcome = run_frond(arguments);
            CHECK(outcome.exit_code == 2);
            const Json run = Json::parse(content_of(file.path()), nullptr, false);
            REQUIRE_FALSE(run.is_discarded());
            CHECK(run["error"]["code"] == "invalid_argument");
            CHECK(contains(outcome.err, run["error"]["message"].get<std::string>()));
        }
}

TEST_CASE("no error is written over a file that the command line names elsewhere") {
    const TemporaryFile order(".txt", "1 2 3");
    for (const std::string flag : {"--user-order", "--rhs", "--analysis"})
        for (const std::vector<std::string>& words :
             {std::vector<std::string>{flag, order.path()}, {flag + "=" + order.path()}}) {
            std::vector<std::string> arguments{"solve", data("LFAT5.mtx"), "--json", order.path(), "--random-rhs", "0"};
            arguments.insert(arguments.end(), words.begin(), words.end());
            CHECK(run_frond(arguments).exit_code == 2);
            CHECK(content_of(order.path()) == "1 2 3");
        }
}

TEST_CASE("what cannot be written does not count as time or as done") {
    const Json run = solved({"analyze", "generate:poisson2d:12", "--save", "/dev/full"}, 3);
    CHECK(run["error"]["message"].get<std::string>().find("/dev/full cannot be written: ") == 0);
    CHECK(run["total_seconds"].get<double>() >= run["analysis"]["seconds"].get<double>());
    CHECK(run["exit_code"] == 3);
}

TEST_CASE("a part of a solve has a status of its own") {
    const Json run = solved({"solve", data("494_bus.mtx.gz"), "--part", "forward"});
    CHECK(run["solve"]["status"] == "not_measured");
    CHECK(run["solve"]["backward_error"].is_null());
}

TEST_CASE("one worker needs no more memory than two") {
    const auto bytes = [](const char* workers, const char* name) {
        const Json run =
            solved({"solve", "generate:poisson3d:24", "--factorization", "ldlt", "--cpu-workers", workers});
        return number(run, "factorization", name);
    };
    for (const char* name : {"peak_bytes", "peak_bytes_predicted"}) {
        CAPTURE(name);
        CHECK(bytes("1", name) <= 1.01 * bytes("2", name));  // tiles are cut elsewhere
    }
}

TEST_CASE("a file gets the object, the terminal keeps its table") {
    const TemporaryFile file(".json");
    const Outcome outcome = run_frond({"solve", "generate:poisson2d:20", "--json", file.path()});
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.out.find("backward error") != std::string::npos);
    std::ifstream in(file.path());
    const Json run = Json::parse(in);
    CHECK(run["matrix"]["name"] == "generate:poisson2d:20");
    CHECK(run["matrix"]["rows"] == 400);
    CHECK(run["matrix"]["entries"] == 400 + 4 * 20 * 19);
}

TEST_CASE("every kind of generator can be solved") {
    for (const char* kind :
         {"poisson2d:9", "poisson3d:5", "grid27:5", "convdiff3d:5", "helmholtz3d:18", "elasticity3d:4", "kkt:4"}) {
        CAPTURE(kind);
        if (!FROND_SCALAR_Z && kind[0] == 'h') continue;
        const Json run = solved({"solve", std::string("generate:") + kind});
        CHECK(number(run, "solve", "componentwise_backward_error") <= 450 * epsilon<double>());
    }
}

TEST_CASE("info knows the machine") {
    const Outcome outcome = run_frond({"info", "--json", "-"});
    REQUIRE(outcome.exit_code == 0);
    const Json info = Json::parse(outcome.out);
    CHECK(info["machine"]["cores"].get<int>() > 0);
    CHECK(info["machine"]["memory_total_bytes"].get<double>() > 0);
    CHECK(info["frond"]["workers"]["cpu"].get<int>() > 0);
    CHECK(info["gpus"].is_array());
    for (const Json& gpu : info["gpus"])
        CHECK(gpu["used"].get<bool>() != (gpu["reason"].get<std::string>().find("not used") == 0));
    const Outcome table = run_frond({"info"});
    for (const char* part : {"processor", "StarPU", "scheduler", "BLAS", "kernels", "GPUs"})
        CHECK(table.out.find(part) != std::string::npos);
}

TEST_CASE("a plan for several processes adds up to what one has to do") {
    const TemporaryFile file(".json", "");
    for (const std::string ranks : {"1", "5", "40"}) {
        const Outcome outcome =
            run_frond({"analyze", "generate:poisson3d:24", "--workers", "2", "--ranks", ranks, "--json", file.path()});
        REQUIRE(outcome.exit_code == 0);
        CHECK(outcome.out.find("  ranks        " + ranks + " process") != std::string::npos);
        CHECK((outcome.out.find("    rank 4 ") != std::string::npos) == (ranks == "5"));
        const Json run = Json::parse(std::ifstream(file.path()));
        REQUIRE(run["ranks"].size() == static_cast<std::size_t>(std::stoi(ranks)));
        double flops = 0, sent = 0, received = 0;
        for (const Json& rank : run["ranks"]) {
            flops += rank["flops"].get<double>();
            sent += rank["bytes_sent"].get<double>();
            received += rank["bytes_received"].get<double>();
        }
        // Positive terms, at most one for each of 24^3 columns and 40 ranks.
        CHECK(is_near(flops, run["analysis"]["flops"].get<double>(), rounding_bound<double>(40 * 24 * 24 * 24)));
        CHECK(sent == received);
        CHECK((sent > 0) == (ranks != "1"));
    }
    CHECK(run_frond({"analyze", "generate:poisson3d:4", "--ranks", "0"}).exit_code == 2);
    const Outcome small = run_frond({"analyze", "generate:poisson3d:14", "--workers", "2", "--ranks", "3",
                                     "--memory-budget-bytes", "2600K", "--json", file.path()});
    REQUIRE(small.exit_code == 0);
    const Json within = Json::parse(std::ifstream(file.path()));
    REQUIRE(within["ranks"].size() == 3);
    for (const Json& rank : within["ranks"]) CHECK(rank["peak_bytes_predicted"].get<frond::count_t>() <= 2600 * 1024);
    const Outcome none = run_frond({"analyze", "generate:poisson3d:14", "--ranks", "3", "--memory-budget-bytes", "1K"});
    CHECK(none.exit_code == 3);
    CHECK(none.err.find("of 3 would need") != std::string::npos);
    // Enough where ranks share fronts, and not for a whole front.
    const Outcome whole = run_frond(
        {"analyze", "generate:poisson3d:24", "--workers", "2", "--ranks", "3", "--memory-budget-bytes", "9M"});
    CHECK(whole.exit_code == 3);
    CHECK(whole.err.find("of 3 would need") != std::string::npos);
    CHECK(!solved({"analyze", "generate:poisson3d:4"}).contains("ranks"));
}

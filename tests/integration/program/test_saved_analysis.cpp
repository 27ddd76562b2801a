// SPDX-License-Identifier: BSD-3-Clause
// frond analyze --save and frond solve --analysis.
#include "program_files.hpp"
#include "run_program.hpp"
#include "temporary_file.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using namespace frond::test;
using Json = nlohmann::json;

TEST_CASE("an analysis is saved once and used for other values") {
    const TemporaryFile file(".frond");
    const Outcome saved =
        run_frond({"analyze", "generate:poisson2d:12", "--ordering", "amd", "--save", file.path(), "--json", "-"});
    CAPTURE(saved.err);
    REQUIRE(saved.exit_code == 0);
    const Json original = Json::parse(saved.out)["analysis"];
    CHECK(original["loaded_seconds"].is_null());
    const Outcome solved = run_frond({"solve", "generate:poisson2d:12", "--analysis", file.path(), "--json", "-"});
    CAPTURE(solved.err);
    REQUIRE(solved.exit_code == 0);
    const Json loaded = Json::parse(solved.out)["analysis"];
    CHECK(loaded["loaded_seconds"].is_number());
    for (const char* field : {"ordering", "fronts", "factor_entries", "seconds"})
        CHECK(loaded[field] == original[field]);
}

TEST_CASE("a saved analysis comes through a pipe") {
    const TemporaryFile file(".frond");
    REQUIRE(run_frond({"analyze", data("LFAT5.mtx"), "--save", file.path()}).exit_code == 0);
    Streams streams;
    streams.input = content_of(file.path());
    for (const char* name : {"-", "/dev/stdin", "/dev/fd/0"}) {
        CAPTURE(name);
        const Outcome outcome = run_frond({"solve", data("LFAT5.mtx"), "--analysis", name}, {}, streams);
        CAPTURE(outcome.err);
        CHECK(outcome.exit_code == 0);
    }
    const Outcome both = run_frond({"solve", "-", "--analysis", "/dev/stdin"}, {}, streams);
    CHECK(contains(both.err, "both read standard input; give one of them a file"));
    streams.input.pop_back();
    const Outcome cut = run_frond({"solve", data("LFAT5.mtx"), "--analysis", "-"}, {}, streams);
    CHECK(cut.exit_code == 2);
    CHECK(contains(cut.err, "frond: standard input: it is cut off or longer than it says"));
    streams.input = "1 2 3";
    const Outcome other = run_frond({"solve", data("LFAT5.mtx"), "--analysis", "-"}, {}, streams);
    CHECK(contains(other.err, "frond: standard input: it is not an analysis saved by Frond"));
}

TEST_CASE("an analysis that does not do is refused with the cure") {
    const TemporaryFile saved(".frond"), other(".txt", "1 2 3");
    REQUIRE(run_frond({"analyze", "generate:poisson2d:12", "--save", saved.path()}).exit_code == 0);
    const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
        {{"solve", "generate:poisson2d:11", "--analysis", saved.path()},
         "the analysis in " + saved.path() + " is of another matrix; analyze it first"},
        {{"solve", "generate:poisson2d:12", "--analysis", other.path()}, "not an analysis"},
        {{"solve", "generate:poisson2d:12", "--analysis", "no_such_file"}, "cannot be read"},
        {{"solve", "generate:poisson2d:12", "--analysis", saved.path(), "--ordering", "amd"},
         "--ordering has no effect"},
        {{"solve", "generate:poisson2d:12", "--analysis", saved.path(), "--user-order", other.path()},
         "--user-order has no effect"},
        {{"analyze", "generate:poisson2d:12", "--save", "no_such_folder/x"}, "no_such_folder"}};
    for (const auto& [arguments, part] : cases) {
        const Outcome outcome = run_frond(arguments);
        CAPTURE(outcome.err);
        CHECK((outcome.exit_code == 2 || outcome.exit_code == 3));
        CHECK(outcome.err.find(part) != std::string::npos);
    }
}

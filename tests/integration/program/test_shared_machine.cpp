// SPDX-License-Identifier: BSD-3-Clause
// The program where StarPU's files cannot be written and its variables are wrong: it works or says
// what is wrong, in lines of its own alone.
#include "run_program.hpp"
#include "system_folder.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>

using namespace frond::test;

namespace {

bool names_part(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const std::vector<std::string> solve_something{"solve", "generate:poisson2d:9"};

}  // namespace

TEST_CASE("a first run prints nothing of StarPU's and writes nothing into the home") {
    SystemFolder home;
    const Outcome outcome =
        run_frond(solve_something, {{"HOME", home.path()}, {"XDG_CACHE_HOME", ""}, {"STARPU_HOME", ""}});
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK_FALSE(names_part(outcome.err + outcome.out, "[starpu]"));
    CHECK(std::filesystem::is_empty(home.path()));
}

TEST_CASE("a home that is missing, cannot be written or holds broken files is no obstacle") {
    SystemFolder folder;
    folder.write("/file", "not a folder");
    folder.write("/.starpu/sampling/bus/here.config", "");
    for (const std::string& home : {std::string("/proc"), folder.path() + "/file/home", folder.path()}) {
        const Outcome outcome =
            run_frond(solve_something, {{"HOME", home}, {"XDG_CACHE_HOME", ""}, {"STARPU_HOSTNAME", "here"}});
        CAPTURE(home);
        CAPTURE(outcome.err);
        CHECK(outcome.exit_code == 0);
        CHECK_FALSE(names_part(outcome.err, "starpu"));
    }
}

TEST_CASE("2: a variable that StarPU cannot read, named in one line") {
    const Outcome outcome = run_frond(solve_something, {{"STARPU_NCPU", "abc"}});
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.err.starts_with("frond: STARPU_NCPU = 'abc' is not a whole number >= 0"));
    CHECK(outcome.err.find('\n') == outcome.err.size() - 1);
    CHECK(names_part(outcome.err, "; correct the variable or unset it\n"));
}

TEST_CASE("--cpu-workers comes before STARPU_NCPU") {
    const auto workers = [](const std::vector<std::string>& flags) {
        std::vector<std::string> arguments{"info", "--json", "-"};
        arguments.insert(arguments.end(), flags.begin(), flags.end());
        const Outcome outcome = run_frond(arguments, {{"STARPU_NCPU", "3"}, {"STARPU_NCUDA", "0"}});
        return nlohmann::json::parse(outcome.out)["frond"]["workers"]["cpu"].get<int>();
    };
    CHECK(workers({}) == 3);
    CHECK(workers({"--cpu-workers", "1"}) == 1);
}

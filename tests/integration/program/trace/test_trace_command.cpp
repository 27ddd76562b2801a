// SPDX-License-Identifier: BSD-3-Clause
// frond trace: its files, its errors, and its page in a browser.
#include "browser.hpp"
#include "requirement.hpp"
#include "run_program.hpp"
#include "system_folder.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

using namespace frond::test;
namespace fs = std::filesystem;

namespace {

constexpr double half_digit = 1e-9;  // times in tasks.csv have nine digits
constexpr const char* traced_system = "generate:poisson2d:200";
constexpr const char* larger_system =
    "generate:poisson2d:500";  // whose tasks.rec is larger than what StarPU starts with

bool traces_are_recorded() { return fs::exists(FROND_FXT_TOOL); }

[[maybe_unused]] const bool trace_suites_are_known =
    require_for_suite("traces of the program", traces_are_recorded) &&
    require_for_suite("a StarPU without traces", [] { return !traces_are_recorded(); }) &&
    require_for_suite("traces and a browser", [] { return traces_are_recorded() && !browser().empty(); });

/// The fields of the lines of a table, by the names in its first line; no field here has a comma but the names.
std::vector<std::map<std::string, std::string>> rows_of(const std::string& file) {
    std::ifstream stream(file);
    const auto split = [](const std::string& line) {
        std::vector<std::string> fields(1);
        bool quoted = false;
        for (const char c : line) {
            if (c == '"')
                quoted = !quoted;
            else if (c == ',' && !quoted)
                fields.emplace_back();
            else
                fields.back() += c;
        }
        return fields;
    };
    std::string line;
    std::getline(stream, line);
    const std::vector<std::string> names = split(line);
    std::vector<std::map<std::string, std::string>> rows;
    while (std::getline(stream, line)) {
        const std::vector<std::string> fields = split(line);
        REQUIRE(fields.size() == names.size());
        rows.emplace_back();
        for (std::size_t i = 0; i < names.size(); ++i) rows.back()[names[i]] = fields[i];
    }
    return rows;
}

std::string text_of(const std::string& file) {
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

std::set<std::string> files_in(const std::string& folder) {
    std::set<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename());
    return names;
}

}  // namespace

TEST_CASE("frond trace writes every task of the run once" * doctest::test_suite("traces of the program")) {
    SystemFolder folder;
    folder.write("/notes.txt", "of somebody else").write("/trace.html", "of an earlier run");
    const std::string json = folder.path() + "/run.json";
    const Outcome outcome = run_frond({"trace", traced_system, "-o", folder.path(), "--json", json});
    REQUIRE(outcome.exit_code == 0);
    CHECK(outcome.out.find("solved: componentwise backward error") != std::string::npos);
    CHECK(outcome.out.find("critical path") != std::string::npos);
    CHECK(files_in(folder.path()) == std::set<std::string>{"notes.txt", "run.json", "trace.html", "paje.trace",
                                                           "tasks.rec", "dag.dot", "tasks.csv"});
    CHECK(fs::file_size(folder.path() + "/trace.html") > 50000);
    std::ifstream stream(json);
    const nlohmann::json run = nlohmann::json::parse(stream);
    std::int64_t of_factorization = 0, critical = 0, with_flops = 0;
    std::set<std::string> jobs;
    for (const auto& row : rows_of(folder.path() + "/tasks.csv")) {
        of_factorization += row.at("phase") == "factorization";
        critical += row.at("critical") == "1";
        with_flops += row.at("flops") != "0";
        CHECK(jobs.insert(row.at("job")).second);
        CHECK(std::stod(row.at("begin")) <= std::stod(row.at("end")));
        CHECK(std::stod(row.at("submitted")) <= std::stod(row.at("ready")) + half_digit);
        CHECK(std::stod(row.at("ready")) <= std::stod(row.at("begin")) + half_digit);
        CHECK(row.at("name").starts_with(row.at("kind")));
    }
    CHECK(of_factorization == run["factorization"]["tasks"].get<std::int64_t>());
    CHECK(critical > 2);
    CHECK(with_flops > 5);
}

TEST_CASE("frond trace of a run that fails says why, and leaves nothing half" *
          doctest::test_suite("traces of the program")) {
    const SystemFolder folder;
    const Outcome missing = run_frond({"trace", folder.path() + "/none.mtx", "-o", folder.path() + "/t"});
    CHECK(missing.exit_code == 2);
    CHECK(missing.err.find("none.mtx") != std::string::npos);
    CHECK_FALSE(fs::exists(folder.path() + "/t"));
    Streams full;
    full.largest_file_bytes = 256000;  // StarPU needs 200,000 for itself, and the recording more than this
    const Outcome outcome = run_frond({"trace", larger_system, "-o", folder.path() + "/t"}, {}, full);
    CHECK(outcome.exit_code == 3);
    CHECK(outcome.err.find("make room on the disk") != std::string::npos);
    CHECK_FALSE(fs::exists(folder.path() + "/t/trace.html"));
}

TEST_CASE("frond trace says so where the disk has no room for all of it" *
          doctest::test_suite("traces of the program")) {
    const SystemFolder folder;
    const std::string traced = folder.path() + "/t";
    REQUIRE(run_frond({"trace", larger_system, "-o", traced}).exit_code == 0);
    Streams full;
    full.largest_file_bytes = static_cast<long>(fs::file_size(traced + "/tasks.rec")) / 2;
    fs::remove_all(traced);
    const Outcome outcome = run_frond({"trace", larger_system, "-o", traced}, {}, full);
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 3);
    CHECK(outcome.err.find("is cut off, since it cannot grow; make room on the disk") != std::string::npos);
    CHECK_FALSE(fs::exists(traced + "/trace.html"));
}

TEST_CASE("frond trace that is interrupted says so, and writes what ran until then" *
          doctest::test_suite("traces of the program")) {
    const SystemFolder folder;
    const std::string traced = folder.path() + "/t";
    // Long enough that Ctrl-C comes in its midst.
    const Outcome outcome =
        run_frond_on_terminal({"trace", "generate:poisson3d:64", "-o", traced}, {}, "factorization ");
    CAPTURE(outcome.out);
    CHECK(outcome.exit_code == 130);
    CHECK(outcome.out.find("interrupted") != std::string::npos);
    REQUIRE(fs::exists(traced + "/trace.html"));
    CHECK(text_of(traced + "/trace.html").find("ended before its end") != std::string::npos);
    CHECK(files_in(traced) == std::set<std::string>{"trace.html", "paje.trace", "tasks.rec", "dag.dot", "tasks.csv"});
    CHECK(rows_of(traced + "/tasks.csv").size() > 0);
    // Tasks that did nothing say nothing of other schedulers.
    fs::create_symlink("/bin/true", folder.path() + "/starpu_replay");
    const Outcome replay = run_frond({"study", "--replay", traced + "/tasks.rec", "--schedulers", "prio"},
                                     {{"FROND_SIMULATION_PROGRAM", folder.path() + "/starpu_replay"}});
    CHECK(replay.exit_code == 2);
    CHECK(replay.err.find("tasks.rec: the run that it is from was interrupted or failed") != std::string::npos);
}

TEST_CASE("frond trace of a system without tasks leaves an older page" * doctest::test_suite("traces of the program")) {
    SystemFolder folder;
    folder.write("/trace.html", "older");
    folder.write("/paje.trace", "older");
    const Outcome outcome = run_frond({"trace", "generate:poisson2d:5", "-o", folder.path()});
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.err.find("no task") != std::string::npos);
    CHECK(files_in(folder.path()) == std::set<std::string>{"trace.html", "paje.trace"});
    CHECK(fs::file_size(folder.path() + "/trace.html") == 5);
    const Outcome elsewhere = run_frond({"trace", "generate:poisson2d:5", "-o", folder.path() + "/new"});
    CHECK(elsewhere.exit_code == 2);
    CHECK_FALSE(fs::exists(folder.path() + "/new"));
}

TEST_CASE("frond trace asks for a folder") {
    CHECK(run_frond({"trace", traced_system}).err.find("--out-folder is missing") != std::string::npos);
}

TEST_CASE("frond trace refuses what is no folder" * doctest::test_suite("traces of the program")) {
    SystemFolder folder;
    folder.write("/file", "text");
    const Outcome outcome = run_frond({"trace", traced_system, "-o", folder.path() + "/file"});
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.err.find("the folder cannot be made") != std::string::npos);
    const Outcome same =
        run_frond({"trace", traced_system, "-o", folder.path(), "--out", folder.path() + "/tasks.csv"});
    CHECK(same.exit_code == 2);
    CHECK(same.err.find("tasks.csv") != std::string::npos);
}

TEST_CASE("without FxT frond trace says what is missing" * doctest::test_suite("a StarPU without traces")) {
    const SystemFolder folder;
    const Outcome outcome = run_frond({"trace", traced_system, "-o", folder.path()}, {{"PATH", "/nowhere"}});
    CHECK(outcome.exit_code == 3);
    CHECK(outcome.err.find("FxT") != std::string::npos);
}

TEST_CASE("the page of a trace draws, zooms and finds tasks in a browser" *
          doctest::test_suite("traces and a browser")) {
    const SystemFolder folder;
    REQUIRE(run_frond({"trace", traced_system, "-o", folder.path()}).exit_code == 0);
    const std::map<std::string, std::string> first = attributes_of_page(folder.path() + "/trace.html", "");
    CHECK(first.count("error") == 0);
    REQUIRE(first.count("ready") == 1);
    CHECK(first.at("tasks") == std::to_string(rows_of(folder.path() + "/tasks.csv").size()));
    const std::string phase = first.at("phase");  // the one with most seconds of tasks
    CHECK((phase == "factorization" || phase == "solve"));
    CHECK(first.at("matches").empty());

    const std::string script = text_of(FROND_SOURCE_DIR "/tests/integration/program/trace/act_on_page.js");
    REQUIRE(script.find("data-told") != std::string::npos);
    const std::map<std::string, std::string> after = attributes_of_page(folder.path() + "/trace.html", script);
    CHECK(after.count("error") == 0);
    REQUIRE(after.count("told") == 1);
    const nlohmann::json told = nlohmann::json::parse(after.at("told"));
    CAPTURE(told.dump());
    CHECK(told["colors"] > 8);
    CHECK(told["curves"] > 4);
    CHECK(told["tree"] > 8);
    CHECK(told["wheel"] < told["whole"]);
    CHECK(told["drag"] < told["wheel"].get<double>() / 8);
    CHECK(told["all"] >= told["whole"]);
    const std::string most_ready = told["most_ready"].get<std::string>();
    CHECK_FALSE(most_ready.empty());
    CHECK(most_ready.find_first_not_of("0123456789,") == std::string::npos);  // a count of tasks, up to the axis' end
    CHECK(std::stoi(told["matches"].get<std::string>()) > 1);
    CHECK(told["current"].get<std::string>().starts_with("factor_subtree front"));
    CHECK(told["tip"].get<std::string>().starts_with(told["current"].get<std::string>()));
    CHECK(told["tip"].get<std::string>().find("footprint") != std::string::npos);
    CHECK(told["phase"] == "solve");
    CHECK(told["rows"] > 0);
    CHECK(told["overflow"] == 0);
}

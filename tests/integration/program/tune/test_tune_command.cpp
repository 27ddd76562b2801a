// SPDX-License-Identifier: BSD-3-Clause
// frond tune within seconds. What it decides there depends on the machine; that it keeps to its word does not.
#include "run_program.hpp"

#include "frond/tuning.hpp"
#include "system_folder.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <filesystem>

using namespace frond;
using namespace frond::test;
using Json = nlohmann::json;

namespace {

bool tells(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

Tuning small_tiles() {
    Tuning tuning;
    tuning.machine = machine_kind(0);
    tuning.workers = 1;
    tuning.cpu_workers = 1;
    tuning.tree_cut.smallest_tile = 64;
    return tuning;
}

}  // namespace

TEST_CASE("frond tune keeps to its time, keeps a file or none, and says which; later sessions take it") {
    SystemFolder user;
    const Environment home{{"XDG_CONFIG_HOME", user.path()}};
    const Outcome tuned = run_frond({"tune", "--gpus", "0", "--time-limit", "4", "--json", "-"}, home);
    CAPTURE(tuned.err);
    REQUIRE(tuned.exit_code == 0);
    const Json report = Json::parse(tuned.out);
    const std::string file = report["file"].get<std::string>();
    CHECK(file == user.path() + "/frond/" + tuning_file_name(machine_kind(0)));
    CHECK(std::filesystem::exists(file) == report["kept"].get<bool>());
    CHECK(report["machine"]["tile_rates"].size() == 9);
    for (const Json& rate : report["machine"]["tile_rates"]) CHECK(rate["flops_per_second"].get<double>() > 1e7);
    CHECK(report["machine"]["submit_seconds"].get<double>() > 0);
    CHECK(report["trials"].size() + report["skipped"].size() > 0);
    const std::string begin = report["kept"].get<bool>() ? "kept: " : "the defaults stay: ";
    CHECK(report["outcome"].get<std::string>().starts_with(begin));
    CHECK(tells(tuned.err, report["outcome"].get<std::string>()));  // the table, beside the JSON
    const Outcome info = run_frond({"info", "--gpus", "0", "--json", "-"}, home);
    const Json frond = Json::parse(info.out)["frond"];
    CHECK(frond["tuning_file"] == (report["kept"].get<bool>() ? file : ""));
    CHECK(frond["tuning_advice"] == "");
}

TEST_CASE("sessions of the program take the user's tuning, but for --no-tuning and --tuning off") {
    SystemFolder user;
    write_tuning(small_tiles(), user.path() + "/mine.json");
    user.write("/frond/" + tuning_file_name(machine_kind(0)), text_of_tuning(small_tiles()));
    const Environment home{{"XDG_CONFIG_HOME", user.path()}};
    const auto tuning_of = [&](const std::vector<std::string>& flags) {
        std::vector<std::string> arguments{"solve", "generate:poisson2d:20", "--gpus", "0", "--json", "-"};
        arguments.insert(arguments.end(), flags.begin(), flags.end());
        const Outcome outcome = run_frond(arguments, home);
        CAPTURE(outcome.err);
        CHECK(outcome.exit_code == 0);
        return Json::parse(outcome.out)["frond"]["tuning"].get<std::string>();
    };
    CHECK(tuning_of({}) == "1 CPU workers, tiles of 64 to 384");
    CHECK(tuning_of({"--no-tuning"}) == "");
    CHECK(tuning_of({"--tuning", "off"}) == "");
    CHECK(tuning_of({"--tuning", user.path() + "/mine.json"}) == "1 CPU workers, tiles of 64 to 384");
    const Outcome table = run_frond({"info", "--gpus", "0"}, home);
    CHECK(tells(table.out, "1 CPU workers, tiles of 64 to 384"));
    CHECK(tells(table.out, user.path() + "/frond/"));
}

TEST_CASE("a broken tuning is a warning with file, line and cure, and the system is solved") {
    SystemFolder user;
    user.write("/frond/" + tuning_file_name(machine_kind(0)), "{\n\"schema\": 7}");
    const Outcome outcome =
        run_frond({"solve", "generate:poisson2d:20", "--gpus", "0"}, {{"XDG_CONFIG_HOME", user.path()}});
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.starts_with("frond: the tuning of this machine has no effect: " + user.path()));
    CHECK(tells(outcome.err, "line 2: 'schema' is 7; it must be a text; run frond tune again, or remove the file"));
    const Outcome named = run_frond({"solve", "generate:poisson2d:20", "--gpus", "0", "--tuning", "/proc/none.json"});
    CHECK(named.exit_code == 2);
    CHECK(tells(named.err, "/proc/none.json: it cannot be read as a tuning (No such file or directory); "));
}

TEST_CASE("the environment of a job needs no measurement, and matrices compare what is kept") {
    SystemFolder user;
    const Environment home{{"XDG_CONFIG_HOME", user.path()}};
    const Outcome job = run_frond({"tune", "--job", "--gpus", "0", "--nodes", "2"}, home);
    CHECK(job.exit_code == 0);
    CHECK(tells(job.out, "#SBATCH --nodes=2"));
    CHECK(tells(job.out, "export STARPU_NCUDA=0"));
    CHECK(std::filesystem::is_empty(user.path()));
    const Outcome none = run_frond({"tune", "generate:poisson2d:20", "--gpus", "0"}, home);
    CHECK(none.exit_code == 2);
    CHECK(tells(none.err, "no tuning is kept for this machine"));
    user.write("/frond/" + tuning_file_name(machine_kind(0)), text_of_tuning(small_tiles()));
    const Outcome compared = run_frond({"tune", "generate:poisson2d:20", "--gpus", "0", "--json", "-"}, home);
    CAPTURE(compared.err);
    REQUIRE(compared.exit_code == 0);
    const Json report = Json::parse(compared.out);
    CHECK(report["rounds"] == 3);
    CHECK(report["problems"][0]["ratio"].get<double>() > 0);
}

TEST_CASE("2: what frond tune refuses") {
    CHECK(tells(run_frond({"tune", "--time-limit", "0"}).err, "'0' is not a number of seconds in 1 .. 3600"));
    CHECK(tells(run_frond({"tune", "--job"}, {{"STARPU_SCHED", "prio"}}).err,
                "the variable STARPU_SCHED=prio comes before what frond tune chooses; unset it"));
    CHECK(tells(run_frond({"tune", "--job"}, {{"XDG_CONFIG_HOME", ""}, {"HOME", ""}}).err, "or give -o FILE"));
    const Outcome ranks = run_frond({"tune", "--job", "--ranks-per-node", "1000"});
    CHECK(ranks.exit_code == 2);
    CHECK(tells(ranks.err, "with 1000 ranks each"));
}

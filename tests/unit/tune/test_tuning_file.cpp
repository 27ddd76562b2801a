// SPDX-License-Identifier: BSD-3-Clause
#include "frond/tuning.hpp"

#include "frond/base/error.hpp"
#include "system_folder.hpp"
#include "temporary_file.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <sys/stat.h>

using namespace frond;

namespace {

Tuning some_tuning() {
    Tuning tuning;
    tuning.machine = {"AMD EPYC 9755 \"x\"", 16, "NVIDIA H200", 2};
    tuning.date = "2026-11-24";
    tuning.workers = 15;
    tuning.scheduler = "prio";
    tuning.cpu_workers = 15;
    tuning.workers_per_card = 3;
    tuning.bind_workers = false;
    tuning.tree_cut = {4.5, 96, 512, 2048, 32, 812345};
    tuning.mean_ratio = 0.91;
    tuning.largest_ratio = 1.01;
    return tuning;
}

std::string refusal_of(const std::string& text) {
    try {
        parse_tuning(text, "T.json");
    } catch (const InvalidArgument& error) {
        return error.what();
    }
    return "";
}

std::string changed(const std::string& from, const std::string& to) {
    std::string text = text_of_tuning(some_tuning());
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

/// Restores the variables that name the user's folder.
class HomeVariables {
public:
    HomeVariables() : config_(value("XDG_CONFIG_HOME")), home_(value("HOME")) {}
    HomeVariables(const HomeVariables&) = delete;
    HomeVariables& operator=(const HomeVariables&) = delete;
    ~HomeVariables() {
        set("XDG_CONFIG_HOME", config_);
        set("HOME", home_);
    }
    static void set(const char* name, const std::string& value) {
        if (value.empty())
            unsetenv(name);
        else
            setenv(name, value.c_str(), 1);
    }

private:
    static std::string value(const char* name) { return std::getenv(name) != nullptr ? std::getenv(name) : ""; }
    std::string config_, home_;
};

}  // namespace

TEST_CASE("a file gives back what was written, field by field") {
    test::SystemFolder folder;
    const std::string file = folder.path() + "/tuning.json";
    write_tuning(some_tuning(), file);
    const Tuning read = read_tuning(file), wanted = some_tuning();
    CHECK(read.machine == wanted.machine);
    CHECK(read.date == wanted.date);
    CHECK(read.workers == wanted.workers);
    CHECK(read.scheduler == wanted.scheduler);
    CHECK(read.cpu_workers == wanted.cpu_workers);
    CHECK(read.workers_per_card == wanted.workers_per_card);
    CHECK(read.bind_workers == wanted.bind_workers);
    CHECK(read.tree_cut == wanted.tree_cut);
    CHECK(read.mean_ratio == wanted.mean_ratio);
    CHECK(read.largest_ratio == wanted.largest_ratio);
    Tuning other = some_tuning();
    other.scheduler.clear();
    write_tuning(other, file);  // in place of the one that is there
    CHECK(read_tuning(file).scheduler.empty());
}

TEST_CASE("what is wrong with a file is said with its line and the cure") {
    CHECK(refusal_of("").find("T.json line 1: it is not JSON") == 0);
    CHECK(refusal_of("{}").find("T.json line 1: 'schema' is missing") == 0);
    CHECK(refusal_of(changed("frond-tuning", "other")) ==
          "T.json line 2: 'schema' is 'other', and not frond-tuning; run frond tune again, or remove the file");
    CHECK(refusal_of(changed("\"version\": 1", "\"version\": 2"))
              .find("T.json line 3: 'version' is 2, and this Frond "
                    "reads 1") == 0);
    CHECK(refusal_of(changed("\"cores\": 16", "\"cores\": 0")).find("T.json line 6: 'cores' is 0") == 0);
    CHECK(refusal_of(changed("\"off\"", "\"maybe\"")).find("'bind_workers' is 'maybe'; give on or off") !=
          std::string::npos);
    CHECK(refusal_of(changed("\"largest_tile\": 512", "\"largest_tile\": 64")).find("'largest_tile' is 64") !=
          std::string::npos);
    CHECK(refusal_of(changed("\"card_tile\"", "\"card_tail\"")).find("tree_cut has no 'card_tail'") !=
          std::string::npos);
    CHECK(refusal_of(changed("\"workers\": 15", "\"workers\": \"all\"")).find("'workers' is \"all\"") !=
          std::string::npos);
    CHECK(refusal_of(changed("\"date\"", "\"schema\": \"frond-tuning\",\n  \"date\"")).find("for the second time") !=
          std::string::npos);
}

TEST_CASE("a file that is none is refused by its name") {
    CHECK_THROWS_WITH_AS(read_tuning("/proc/no-such-file"),
                         "/proc/no-such-file: it cannot be read as a tuning (No such file or directory); name another "
                         "file, or make it by frond tune -o FILE; one in your folder may be removed",
                         InvalidArgument);
}

TEST_CASE("what is no file is neither waited for nor read without end") {
    const test::TemporaryFile pipe(".json");
    REQUIRE(mkfifo(pipe.path().c_str(), 0600) == 0);
    for (const std::string& name : {pipe.path(), std::string("/dev/zero"), std::string("/tmp")})
        CHECK_THROWS_WITH_AS(read_tuning(name),
                             doctest::Contains((name + ": it cannot be read as a tuning (it is no ").c_str()),
                             InvalidArgument);
    const test::TemporaryFile large(".json", std::string((std::size_t{16} << 20) + 1, ' '));
    CHECK_THROWS_WITH_AS(read_tuning(large.path()), doctest::Contains("more than 16 MiB"), InvalidArgument);
}

TEST_CASE("a number that no double holds is refused") {
    CHECK(refusal_of(changed("\"version\": 1", "\"version\": 1e999")).find("T.json: it cannot be read as JSON: ") == 0);
    CHECK(refusal_of(changed("0.91", "-1e400")).find("T.json: it cannot be read as JSON: ") == 0);
}

TEST_CASE("the differences from the defaults, and nothing else") {
    CHECK(differences({}) == "the defaults");
    CHECK(differences(some_tuning()) ==
          "scheduler prio, 15 CPU workers, 3 workers a card, workers not bound, tiles of 96 to 512, 4.5 tiles along a "
          "front, tiles of 2048 for cards, 32 subtrees a worker, 8.1e+05 operations while a task is submitted");
}

TEST_CASE("the name of a file has the letters and digits of the machine") {
    CHECK(tuning_file_name({"AMD EPYC 9755", 2, "", 0}) == "amd-epyc-9755-2-cores.json");
    CHECK(tuning_file_name({"Intel(R) Xeon(R) @ 2.1GHz", 1, "", 0}) == "intel-r-xeon-r-2-1ghz-1-core.json");
    CHECK(tuning_file_name({"../x", 16, "NVIDIA H200", 1}) == "x-16-cores-nvidia-h200-1-card.json");
    CHECK(tuning_file_name({"", 4, "", 0}) == "unknown-4-cores.json");
}

TEST_CASE("the user's folder is that of XDG, else below the home, and never a relative path") {
    const HomeVariables kept;
    HomeVariables::set("HOME", "/home/me");
    HomeVariables::set("XDG_CONFIG_HOME", "/etc/mine");
    CHECK(tuning_folder() == "/etc/mine/frond");
    HomeVariables::set("XDG_CONFIG_HOME", "relative");
    CHECK(tuning_folder() == "/home/me/.config/frond");
    HomeVariables::set("XDG_CONFIG_HOME", "");
    HomeVariables::set("HOME", "");
    CHECK(tuning_folder().empty());
}

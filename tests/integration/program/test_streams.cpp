// SPDX-License-Identifier: BSD-3-Clause
// Standard input and output, pipes and disks that are full.
#include "frond/matrix/matrix_file.hpp"
#include "program_files.hpp"
#include "requirement.hpp"
#include "run_program.hpp"
#include "temporary_file.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace frond;
using namespace frond::test;
using Json = nlohmann::json;

namespace {

namespace fs = std::filesystem;

constexpr const char* singular = "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1\n";

bool makes_device(const TemporaryFile& file) { return mknod(file.path().c_str(), S_IFCHR | 0600, makedev(1, 3)) == 0; }

/// Root tries a device of its own: a program that replaces it must not take the system's.
constexpr const char* needs_device_file = "a device file that the program may not replace";
[[maybe_unused]] const bool device_suite_is_known = require_for_suite(needs_device_file, [] {
    const TemporaryFile file(".null");
    return makes_device(file) || geteuid() != 0;
});

}  // namespace

TEST_CASE("the file behind standard output is appended to, never cut") {
    const TemporaryFile matrix(".mtx", singular);
    const std::vector<std::vector<std::string>> all{{"solve", data("LFAT5.mtx"), "--out", "-"},
                                                    {"solve", data("LFAT5.mtx"), "--out", "/dev/stdout"},
                                                    {"solve", data("LFAT5.mtx"), "--json", "/dev/fd/1"},
                                                    {"solve", matrix.path(), "--null-space", "-"},
                                                    {"analyze", data("LFAT5.mtx"), "--save", "-"},
                                                    {"generate", "poisson2d", "3"},
                                                    {"generate", "poisson2d", "3", "-o", "/proc/self/fd/1"},
                                                    {"solve", data("LFAT5.mtx"), "--out", "/proc/thread-self/fd/1"}};
    for (const auto& arguments : all) {
        const TemporaryFile log(".log", "before\n");
        CAPTURE(arguments.back());
        Streams streams;
        streams.output_file = log.path();
        const Outcome outcome = run_frond(arguments, {}, streams);
        CAPTURE(outcome.err);
        CHECK((outcome.exit_code == 0 || outcome.exit_code == 4));
        const std::string text = content_of(log.path());
        CHECK(text.starts_with("before\n"));
        CHECK(text.size() > 60);
        CHECK_FALSE(contains(text, "backward error   "));  // the table is elsewhere
    }
}

TEST_CASE("the matrix or its right-hand sides come through a pipe") {
    const std::string matrix = content_of(data("LFAT5.mtx"));
    Streams streams;
    streams.input = matrix;
    for (const char* name : {"-", "/dev/stdin", "/dev/fd/0"}) {
        CAPTURE(name);
        const Outcome outcome = run_frond({"solve", name}, {}, streams);
        CAPTURE(outcome.err);
        CHECK(outcome.exit_code == 0);
        CHECK(contains(outcome.out, "solved: "));
    }
    streams.input = content_of(data("494_bus.mtx.gz"));
    CHECK(run_frond({"bench", "-", "--repeat", "2"}, {}, streams).exit_code == 0);
    streams.input = "%%MatrixMarket matrix array real general\n14 1\n";
    for (int i = 0; i < 14; ++i) streams.input += "1\n";
    CHECK(run_frond({"solve", data("LFAT5.mtx"), "--rhs", "-"}, {}, streams).exit_code == 0);
    for (const std::vector<std::string>& twice : {std::vector<std::string>{"bench", data("LFAT5.mtx"), "--rhs", "-"},
                                                  {"bench", data("LFAT5.mtx"), "--rhs", "/dev/stdin"},
                                                  {"bench", "-", "--new-values"}}) {
        const Outcome refused = run_frond(twice, {}, streams);
        CHECK(refused.exit_code == 2);
        CHECK(contains(refused.err, ": a pipe, which frond bench cannot read more than once; "));
    }
    streams.input.resize(streams.input.size() - 2);
    const Outcome cut = run_frond({"solve", data("LFAT5.mtx"), "--rhs", "-"}, {}, streams);
    CHECK(cut.exit_code == 2);
    CHECK(contains(cut.err, "frond: standard input:"));
    const Outcome both = run_frond({"solve", "-", "--rhs", "-"}, {}, streams);
    CHECK(both.exit_code == 2);
    CHECK(contains(both.err, "- and --rhs - both read standard input; give one of them a file"));
}

TEST_CASE("3: standard output that is full or closed, whatever is printed") {
    const std::vector<std::vector<std::string>> all{{"--version"},
                                                    {"solve", "--help"},
                                                    {"info"},
                                                    {"manual", "errors"},
                                                    {"generate", "poisson2d", "3"},
                                                    {"solve", data("LFAT5.mtx")},
                                                    {"solve", data("LFAT5.mtx"), "--json", "-"},
                                                    {"bench", data("LFAT5.mtx"), "--repeat", "1"}};
    for (const auto& arguments : all) {
        CAPTURE(arguments.front());
        CAPTURE(arguments.back());
        Streams full, closed;
        full.output_file = "/dev/full";
        closed.output_closed = true;
        const Outcome first = run_frond(arguments, {}, full);
        CHECK(first.exit_code == 3);
        CHECK(contains(first.err, "frond: standard output cannot be written: No space left on device; "));
        const Outcome second = run_frond(arguments, {}, closed);
        CHECK(second.exit_code == 3);
        CHECK(contains(second.err, "frond: standard output cannot be "));
    }
}

TEST_CASE("standard error that is full or closed changes no exit code") {
    const TemporaryFile wrong(".mtx", "%%MatrixMarket matrix\n");
    const std::vector<std::pair<std::vector<std::string>, int>> all{{{"solve", "nonexistent.mtx"}, 2},
                                                                    {{"solve", wrong.path()}, 2},
                                                                    {{"solve-dense", "generate:random:0"}, 2},
                                                                    {{"nonsense"}, 2},
                                                                    {{"generate", "poisson2d", "3"}, 0},
                                                                    {{"solve", data("LFAT5.mtx"), "--out", "-"}, 0},
                                                                    {{"bench", data("LFAT5.mtx"), "--json", "-"}, 0}};
    for (const auto& [arguments, exit_code] : all) {
        CAPTURE(arguments.front());
        CAPTURE(arguments.back());
        Streams full, closed, none;
        full.error_full = closed.error_closed = none.error_closed = none.output_closed = true;
        const Environment warned{{"FROND_NONSENSE", "1"}};
        CHECK(run_frond(arguments, warned, full).exit_code == exit_code);
        CHECK(run_frond(arguments, warned, closed).exit_code == exit_code);
        CHECK(run_frond(arguments, warned, none).exit_code == (exit_code == 0 ? 3 : exit_code));
    }
}

TEST_CASE("no byte of a file, an argument or a variable commands the terminal") {
    const std::string escape = "\033]0;owned\a\033[31m", banner = "%%MatrixMarket matrix coordinate real general\n";
    const TemporaryFile in_banner(".mtx",
                                  "%%MatrixMarket " + escape + "matrix coordinate real general\n1 1 1\n1 1 1\n"),
        in_line(".mtx", banner + "1 1 1\n1 1 " + escape + "\n"),
        in_name(escape.substr(escape.size() - 5) + ".mtx", banner + "1 1 1\n1 1 1\n"), in_order(".txt", escape + "\n"),
        in_tuning(".json", "{\"" + escape + "\": 1}\n");
    const std::vector<std::vector<std::string>> all{{"solve", in_banner.path()},
                                                    {"solve", in_line.path()},
                                                    {"solve", in_name.path()},
                                                    {"bench", in_name.path(), "--repeat", "1"},
                                                    {"analyze", in_name.path()},
                                                    {escape},
                                                    {"solve", "generate:" + escape},
                                                    {"solve", "generate:poisson2d:5", "--ordering", escape},
                                                    {"solve", "generate:poisson2d:5", "--user-order", in_order.path()},
                                                    {"info", "--tuning", in_tuning.path()}};
    for (const auto& arguments : all) {
        const Outcome outcome = run_frond(arguments, {{"FROND_\033[31m", "1"}});
        CAPTURE(outcome.err);
        CAPTURE(outcome.out);
        CHECK((outcome.out + outcome.err).find_first_of("\033\a") == std::string::npos);
        CHECK(contains(outcome.out + outcome.err, "?[31m"));
    }
    const Outcome shown = run_frond_on_terminal({"solve", in_name.path()});
    CHECK(contains(shown.out, "?[31m"));
    CHECK_FALSE(contains(shown.out, "\033[31m"));
    CHECK(contains(shown.out, "\033[1m"));  // its own
}

TEST_CASE("3: a full disk leaves no truncated solution, and the one that was there") {
    const TemporaryFile folder(".folder");
    fs::create_directory(folder.path());
    for (const std::string suffix : {".mtx", ".mtx.gz"}) {
        const std::string x = folder.path() + "/x" + suffix;
        Streams full;
        full.largest_file_bytes = 200000;  // of some 800 kB, compressed 360; StarPU needs 128 kB
        const std::vector<std::string> arguments{"solve", "generate:poisson2d:200", "--out", x};
        const Outcome first = run_frond(arguments, {}, full);
        CAPTURE(first.err);
        CHECK(first.exit_code == 3);
        CHECK(contains(first.err, "frond: " + x + " cannot be written: File too large; "));
        CHECK_FALSE(contains(first.out, "solved"));
        CHECK(fs::is_empty(folder.path()));
        std::ofstream(x) << "mine";
        CHECK(run_frond(arguments, {}, full).exit_code == 3);
        CHECK(content_of(x) == "mine");
        CHECK(run_frond(arguments).exit_code == 0);
        CHECK(read_dense<double>(x).rows == 40000);
        fs::remove(x);
    }
    fs::remove_all(folder.path());
}

TEST_CASE("2: no file that is read or written elsewhere is overwritten") {
    const std::string matrix = content_of(data("LFAT5.mtx"));
    const TemporaryFile a(".mtx", matrix), link(".mtx"), fresh(".mtx");
    fs::create_symlink(a.path(), link.path());
    const std::string detour = fs::temp_directory_path().string() + "/./" + fs::path(fresh.path()).filename().string();
    const std::vector<std::vector<std::string>> all{{"solve", a.path(), "--out", a.path()},
                                                    {"solve", a.path(), "--json", a.path()},
                                                    {"solve", a.path(), "--null-space", link.path()},
                                                    {"analyze", link.path(), "--save", a.path()},
                                                    {"bench", data("LFAT5.mtx"), a.path(), "--json", link.path()},
                                                    {"solve", data("LFAT5.mtx"), "--rhs", a.path(), "--out", a.path()},
                                                    {"solve", a.path(), "--out", fresh.path(), "--json", detour}};
    for (const auto& arguments : all) {
        const Outcome outcome = run_frond(arguments);
        CAPTURE(outcome.err);
        CHECK(outcome.exit_code == 2);
        CHECK(contains(outcome.err, " are one file, which would be overwritten; give another one"));
        CHECK(content_of(a.path()) == matrix);
        CHECK_FALSE(fs::exists(fresh.path()));
    }
    const TemporaryFile folder(".plots");
    fs::create_directory(folder.path());
    for (const char* plot : {"pattern.svg", "tree.svg", "levels.svg"})
        for (const char* flag : {"--out", "--json", "--null-space"}) {
            const std::string file = folder.path() + "/" + plot;
            const Outcome outcome = run_frond({"solve", a.path(), "--plot", folder.path() + "/.", flag, file});
            CAPTURE(outcome.err);
            CHECK(outcome.exit_code == 2);
            CHECK(contains(outcome.err, flag + (" " + file) + " and --plot "));
            CHECK(contains(outcome.err, " are one file, which would be overwritten; give another one"));
            CHECK(fs::is_empty(folder.path()));
        }
    fs::remove_all(folder.path());
    CHECK(run_frond({"solve", a.path(), "--out", "/dev/null", "--json", "/dev/null"}).exit_code == 0);
    CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("a device that an analysis is saved to stays a device" * doctest::test_suite(needs_device_file)) {
    const TemporaryFile own(".null");
    const bool made = makes_device(own);
    const std::string device = made ? own.path() : "/dev/null";
    const Outcome outcome = run_frond({"analyze", data("LFAT5.mtx"), "--save", device});
    CAPTURE(outcome.err);
    // A file system without devices makes the node and refuses to open it.
    if (!contains(outcome.err, "Permission denied")) CHECK(outcome.exit_code == 0);
    CHECK(fs::is_character_file(device));
}

TEST_CASE("130: who stops the estimate of the condition reads that the solution is there") {
    const TemporaryFile pipe(".fifo"), script(".sh"), copy(".mtx"), said(".err");
    REQUIRE(mkfifo(pipe.path().c_str(), 0600) == 0);
    // X is longer than a pipe holds: the signal comes while it is written.
    std::ofstream(script.path()) << "'" FROND_PROGRAM "' solve generate:poisson2d:200 --condition --out '"
                                 << pipe.path() << "' >/dev/null 2>'" << said.path() << "' &\nprogram=$!\nexec 3<'"
                                 << pipe.path() << "'\nkill -TERM $program\ncat <&3 >'" << copy.path()
                                 << "'\nwait $program\n";
    const int status = std::system(("sh '" + script.path() + "'").c_str());
    CHECK(WEXITSTATUS(status) == 130);
    CHECK(read_dense<double>(copy.path()).rows == 40000);
    CHECK(content_of(said.path()) ==
          "frond: interrupted: the solution was written to " + pipe.path() + ", and then the work stopped\n");
}

TEST_CASE("130: who stops the reading finds the JSON object") {
    for (const std::string arguments :
         {"solve PIPE", "solve generate:poisson2d:5 --rhs PIPE", "solve generate:poisson2d:5 --user-order PIPE",
          "solve generate:poisson2d:5 --analysis PIPE", "bench generate:poisson2d:5 PIPE --repeat 1"}) {
        CAPTURE(arguments);
        const TemporaryFile pipe(".fifo"), script(".sh"), json(".json"), said(".err");
        REQUIRE(mkfifo(pipe.path().c_str(), 0600) == 0);
        const std::string given = std::string(arguments).replace(arguments.find("PIPE"), 4, "'" + pipe.path() + "'");
        // The pipe opens when the program reads from it, and gives nothing.
        std::ofstream(script.path()) << "'" FROND_PROGRAM "' " << given << " --json '" << json.path()
                                     << "' >/dev/null 2>'" << said.path() << "' &\nprogram=$!\nexec 3>'" << pipe.path()
                                     << "'\nkill -TERM $program\nwait $program\n";
        const int status = std::system(("sh '" + script.path() + "' 2>/dev/null").c_str());
        CHECK(WEXITSTATUS(status) == 130);
        CHECK(content_of(said.path()) == "frond: interrupted: the work stopped, no result was written\n");
        const Json run = Json::parse(content_of(json.path()), nullptr, false);
        REQUIRE(run.is_object());
        CHECK(run["error"]["code"] == "cancelled");
        CHECK(run["exit_code"] == 130);
    }
}

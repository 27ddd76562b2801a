// SPDX-License-Identifier: BSD-3-Clause
// A session starts wherever files can be written at all, leaves none behind, prints nothing and
// changes nothing of the environment.
#include "child_process.hpp"
#include "comma_locale.hpp"
#include "frond/base/error.hpp"
#include "frond/frond.hpp"
#include "frond/matrix/generate.hpp"
#include "frond/base/temporary_folder.hpp"
#include "session/starpu/scoped_environment.hpp"
#include "session/starpu/starpu_surroundings.hpp"
#include "solved_rightly.hpp"
#include "system_folder.hpp"
#include "watchdog.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <unistd.h>

using namespace frond;
using namespace frond::test;

namespace {

constexpr const char* no_folder = "/proc";  // nobody can write there, not even root

std::set<std::string> variables() {
    std::set<std::string> all;
    for (char** entry = environ; *entry != nullptr; ++entry) all.emplace(*entry);
    return all;
}

void solve_something(const Session& session) {
    CHECK(session.info().owns_starpu);  // starts StarPU
    const auto a = poisson3d<double>(7).matrix;
    Solver<double> solver(session);
    solver.factor(a);
    CHECK(solved_rightly(solver, a));
}

}  // namespace

TEST_CASE("in a child: a session starts and solves" * doctest::skip()) { solve_something(Session()); }

TEST_CASE("a session starts where StarPU's own files cannot be read or written") {
    SystemFolder folder;
    folder.write("/file", "not a folder");
    for (const char* kind : {"config", "affinity", "latency", "bandwidth"})
        folder.write(std::string("/empty/.starpu/sampling/bus/here.") + kind,
                     "");  // as a full disk leaves them
    folder.write("/other/.starpu", "somebody else's");
    const Environment homes[] = {
        {{"HOME", no_folder}},
        {{"HOME", "/proc/1/nowhere"}},
        {{"HOME", folder.path() + "/file"}},
        {{"HOME", folder.path() + "/empty"}, {"STARPU_HOSTNAME", "here"}},
        {{"XDG_CACHE_HOME", folder.path() + "/other"}},
        {{"STARPU_PERF_MODEL_DIR", folder.path() + "/empty/.starpu/sampling"}, {"STARPU_HOSTNAME", "here"}},
        {{"STARPU_PERF_MODEL_DIR", folder.path() + "/file"}},
        {{"HOME", ""}, {"TMPDIR", folder.path() + "/other"}},
        {{"HOME", no_folder}, {"TMPDIR", no_folder}},
    };
    for (const Environment& home : homes) {
        CAPTURE(home.front().first);
        CAPTURE(home.front().second);
        CHECK(run_case_in_child("in a child: a session starts and solves", home, 120) == 0);
    }
}

TEST_CASE("in a child: nothing is left behind" * doctest::skip()) {
    unsetenv("STARPU_WORKERS_NOBIND");  // so that StarPU has something to say of workers that share cores
    const std::string folder = std::getenv("TMPDIR");
    const std::string printed = folder + "/printed";
    const std::set<std::string> before = variables();
    std::fflush(stderr);
    const int terminal = dup(STDERR_FILENO);
    REQUIRE(std::freopen(printed.c_str(), "w", stderr) != nullptr);
    {
        const Session session(SessionOptions{.cpu_workers = 5});  // more than small machines have cores
        solve_something(session);
    }
    std::fflush(stderr);
    dup2(terminal, STDERR_FILENO);
    CHECK(std::filesystem::file_size(printed) == 0);
    CHECK(variables() == before);
    std::filesystem::remove(printed);
    CHECK(std::filesystem::is_empty(folder));
}

TEST_CASE("a session prints nothing, leaves no file and the environment as it was") {
    SystemFolder folder;
    CHECK(run_case_in_child("in a child: nothing is left behind",
                            {{"TMPDIR", folder.path()},
                             {"HOME", folder.path()},
                             {"STARPU_NCPU", "2"},
                             {"STARPU_SCHED", "eager"},
                             {"STARPU_HOSTNAME", "here"}},
                            120) == 0);
}

TEST_CASE("a temporary folder is in the first that takes files, and goes with what is in it") {
    SystemFolder folder;
    folder.write("/file", "not a folder");
    std::string path;
    {
        const TemporaryFolder own("frond-", "files of a test",
                                  {no_folder, folder.path() + "/file", folder.path() + "/missing", folder.path()});
        path = own.path();
        CHECK(std::filesystem::path(path).parent_path() == folder.path());
        CHECK(std::filesystem::is_empty(path));
        CHECK((std::filesystem::status(path).permissions() & std::filesystem::perms::others_all) ==
              std::filesystem::perms::none);
        std::filesystem::create_directories(path + "/bus/deeper");
    }
    CHECK_FALSE(std::filesystem::exists(path));
}

TEST_CASE("where no folder takes files the error names each of them, and the cure") {
    SystemFolder folder;
    folder.write("/file", "not a folder");
    const std::string file = folder.path() + "/file";
    std::string message;
    try {
        const TemporaryFolder none("frond-", "files of a test", {no_folder, file, std::string(300, 'x')});
    } catch (const RuntimeError& error) {
        message = error.what();
    }
    for (const std::string& part : {std::string(no_folder), file, std::string("files of a test"),
                                    std::string("Not a directory"), std::string("TMPDIR"), std::string("too long")})
        CHECK(message.find(part) != std::string::npos);
}

TEST_CASE("temporary folders: what the environment names comes first") {
    detail::ScopedEnvironment environment;
    environment.set("TMPDIR", "/first");
    environment.set("XDG_RUNTIME_DIR", "/second");
    const auto folders = temporary_folders();
    REQUIRE(folders.size() >= 4);
    CHECK(folders[0] == "/first");
    CHECK(folders[1] == "/second");
    CHECK(folders[2] == "/tmp");
}

TEST_CASE("StarPU starts with a decimal point, whatever the locale of the caller") {
    const auto half = [] {
        char text[8];
        std::snprintf(text, sizeof text, "%.1f", 0.5);
        return std::string(text);
    };
    const CommaLocale comma;
    if (!comma.is_there()) {
        MESSAGE("skipped: this C library takes no locale made up for the test");
        return;
    }
    CHECK(half() == "0,5");
    {
        const detail::StarpuSurroundings surroundings;
        CHECK(half() == "0.5");
        CHECK(std::strtod("0.5", nullptr) == 0.5);
    }
    CHECK(half() == "0,5");
}

TEST_CASE("variables are put back, also those that were changed twice or not there") {
    setenv("FROND_TEST_THERE", "before", 1);
    unsetenv("FROND_TEST_ABSENT");
    {
        detail::ScopedEnvironment environment;
        environment.set("FROND_TEST_THERE", "once");
        environment.hide("FROND_TEST_THERE");
        CHECK_FALSE(detail::environment_value("FROND_TEST_THERE"));
        environment.set_default("FROND_TEST_ABSENT", "new");
        environment.set_default("FROND_TEST_ABSENT", "too late");
        CHECK(detail::environment_value("FROND_TEST_ABSENT") == "new");
    }
    CHECK(detail::environment_value("FROND_TEST_THERE") == "before");
    CHECK_FALSE(detail::environment_value("FROND_TEST_ABSENT"));
    unsetenv("FROND_TEST_THERE");
}

TEST_CASE("in a child: a signal comes while StarPU's folder is there" * doctest::skip()) {
    const int signal = std::getenv("FROND_TEST_SIGNAL") == std::string("SIGINT") ? SIGINT : SIGTERM;
    std::signal(signal, SIG_DFL);  // doctest has a handler
    {
        const detail::StarpuSurroundings surroundings;
        std::raise(signal);
        CHECK_FALSE(std::filesystem::is_empty(std::getenv("TMPDIR")));
    }
    _exit(0);  // it was lost
}

TEST_CASE("in a child: a signal that has a handler is the handler's" * doctest::skip()) {
    static volatile std::sig_atomic_t heard = 0;
    std::signal(SIGTERM, [](int) { heard = heard + 1; });
    std::signal(SIGINT, SIG_IGN);
    {
        const detail::StarpuSurroundings surroundings;
        std::raise(SIGTERM);
        std::raise(SIGINT);
        CHECK(heard == 1);
    }
    CHECK((std::signal(SIGINT, SIG_DFL) == SIG_IGN));
    CHECK((std::signal(SIGTERM, SIG_DFL) != SIG_DFL));
    const detail::StarpuSurroundings again;
    CHECK(heard == 1);
}

TEST_CASE("a signal that ends the process while StarPU starts leaves no folder") {
    for (const char* signal : {"SIGINT", "SIGTERM"}) {
        SystemFolder folder;
        const Environment own{{"TMPDIR", folder.path()}, {"FROND_TEST_SIGNAL", signal}};
        CHECK(run_case_in_child("in a child: a signal comes while StarPU's folder is there", own, 120) == -1);
        CHECK(std::filesystem::is_empty(folder.path()));
    }
    CHECK(run_case_in_child("in a child: a signal that has a handler is the handler's", {}, 120) == 0);
}

TEST_CASE("in a child: who ends the process waits for temporary folders" * doctest::skip()) {
    auto folder = std::make_unique<TemporaryFolder>("a-", "files");
    std::thread ending([] {
        stop_temporary_folders();
        _exit(std::filesystem::is_empty(std::getenv("TMPDIR")) ? 0 : 1);
    });
    folder.reset();
    for (;;) const TemporaryFolder again("b-", "files");
}

TEST_CASE("no temporary folder is there when a process ends that waits for them") {
    SystemFolder folder;
    for (int time = 0; time < 5; ++time)
        CHECK(run_case_in_child("in a child: who ends the process waits for temporary folders",
                                {{"TMPDIR", folder.path()}}, 120) == 0);
}

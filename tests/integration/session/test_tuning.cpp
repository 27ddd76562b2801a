// SPDX-License-Identifier: BSD-3-Clause
// Sessions and the files of frond tune. No time is measured here.
#include "frond/tuning.hpp"

#include "frond/base/error.hpp"
#include "frond/matrix/generate.hpp"
#include "frond/session.hpp"
#include "frond/solver.hpp"
#include "child_process.hpp"
#include "system_folder.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <sys/stat.h>

using namespace frond;
using test::run_case_in_child;
using test::SystemFolder;

namespace {

/// A folder for the user's configuration while it lives.
class UsersFolder {
public:
    UsersFolder() : before_(std::getenv("XDG_CONFIG_HOME")) { setenv("XDG_CONFIG_HOME", folder_.path().c_str(), 1); }
    UsersFolder(const UsersFolder&) = delete;
    UsersFolder& operator=(const UsersFolder&) = delete;
    ~UsersFolder() { setenv("XDG_CONFIG_HOME", before_.c_str(), 1); }

    std::string file() const { return folder_.path() + "/frond/" + tuning_file_name(machine_kind(0)); }
    void keep(const std::string& text) { folder_.write("/frond/" + tuning_file_name(machine_kind(0)), text); }
    void keep(const Tuning& tuning) { keep(text_of_tuning(tuning)); }

private:
    std::string before_;
    SystemFolder folder_;
};

SessionOptions on_cores(const std::string& tuning = "automatic") {
    SessionOptions options;
    options.gpus = 0;
    options.tuning = tuning;
    return options;
}

/// For this machine, as a session of 2 workers would have measured it.
Tuning prio_with_small_tiles() {
    Tuning tuning;
    tuning.machine = machine_kind(0);
    tuning.workers = tuning.cpu_workers = 2;
    tuning.scheduler = "prio";
    tuning.tree_cut.smallest_tile = 32;
    tuning.tree_cut.largest_tile = 64;
    return tuning;
}

TreeCut cut_of_solver(const Session& session, const AnalysisOptions& options = {}) {
    Solver<double> solver(session, options);
    solver.analyze(std::make_shared<const SparseMatrix<double>>(poisson3d<double>(8).matrix));
    return solver.analysis()->options.tree_cut;
}

}  // namespace

TEST_CASE("in a child: a session takes the user's tuning and says so" * doctest::skip()) {
    UsersFolder user;
    user.keep(prio_with_small_tiles());
    const Session session(on_cores());
    const SessionInfo info = session.info();
    CHECK(info.scheduler == "prio");
    CHECK(info.cpu_workers == 2);
    CHECK(info.tuning_file == user.file());
    CHECK(info.tuning == "scheduler prio, 2 CPU workers, tiles of 32 to 64");
    CHECK(info.tuning_advice.empty());
    CHECK(cut_of_solver(session).largest_tile == 64);
}

TEST_CASE("in a child: without a file and with tuning off all is as shipped" * doctest::skip()) {
    UsersFolder user;
    CHECK(Session(on_cores()).info().tuning_file.empty());
    user.keep(prio_with_small_tiles());
    const Session session(on_cores("off"));
    CHECK(session.info().scheduler == "lws");
    CHECK(session.info().tuning.empty());
    CHECK(session.info().tuning_advice.empty());
    CHECK(cut_of_solver(session) == TreeCut{});
}

TEST_CASE("in a child: options of the caller come before the tuning" * doctest::skip()) {
    UsersFolder user;
    user.keep(prio_with_small_tiles());
    SessionOptions asked = on_cores();
    asked.scheduler = "dmdas";
    asked.cpu_workers = 3;
    const Session session(asked);
    CHECK(session.info().scheduler == "dmdas");
    CHECK(session.info().cpu_workers == 3);
    CHECK(cut_of_solver(session) == TreeCut{});  // it was measured with 2 workers
}

TEST_CASE("in a child: variables of StarPU come before the tuning" * doctest::skip()) {
    UsersFolder user;
    user.keep(prio_with_small_tiles());
    setenv("STARPU_SCHED", "ws", 1);
    setenv("STARPU_NCPU", "1", 1);
    const SessionInfo info = Session(on_cores()).info();
    unsetenv("STARPU_SCHED");
    unsetenv("STARPU_NCPU");
    CHECK(info.scheduler == "ws");
    CHECK(info.cpu_workers == 1);
}

TEST_CASE("in a child: options of the analysis come before the tuning and deterministic ignores it" * doctest::skip()) {
    UsersFolder user;
    user.keep(prio_with_small_tiles());
    const Session session(on_cores());
    AnalysisOptions workers, cut, repeatable;
    workers.workers = 5;
    cut.tree_cut.subtrees_per_worker = 3;
    repeatable.deterministic = true;
    CHECK(cut_of_solver(session, workers) == TreeCut{});
    CHECK(cut_of_solver(session, cut) == cut.tree_cut);
    CHECK(cut_of_solver(session, repeatable) == TreeCut{});
}

TEST_CASE("in a child: what is wrong with the user's file is advice and the session has the defaults" *
          doctest::skip()) {
    UsersFolder user;
    const auto advice_with = [&](const std::string& text) {
        user.keep(text);
        const SessionInfo info = Session(on_cores()).info();
        CHECK(info.scheduler == "lws");
        CHECK(info.tuning_file.empty());
        return info.tuning_advice;
    };
    CHECK(advice_with("{\"schema\"\n").starts_with(user.file() + " line 2: it is not JSON"));
    Tuning other = prio_with_small_tiles();
    other.machine.processor = "Another Processor";
    CHECK(advice_with(text_of_tuning(other)).starts_with(user.file() + ": it is for Another Processor with"));
    Tuning unknown = prio_with_small_tiles();
    unknown.scheduler = "no-such";
    CHECK(advice_with(text_of_tuning(unknown)).find("'no-such' is not a scheduler") != std::string::npos);
    CHECK(advice_with("{\"version\": 1e999}").starts_with(user.file() + ": it cannot be read as JSON"));
    const auto advice_with_link = [&](const std::string& target) {
        std::filesystem::remove(user.file());
        std::filesystem::create_symlink(target, user.file());
        return Session(on_cores()).info().tuning_advice;
    };
    SystemFolder folder;
    const std::string pipe = folder.path() + "/pipe";
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    for (const std::string& target : {pipe, std::string("/dev/zero"), folder.path()})
        CHECK(advice_with_link(target).find("it is no regular file") != std::string::npos);
}

TEST_CASE("in a child: a file that is named is taken or the session is refused" * doctest::skip()) {
    SystemFolder folder;
    const std::string file = folder.path() + "/mine.json";
    CHECK_THROWS_AS(Session(on_cores(file)), InvalidArgument);
    CHECK_THROWS_AS(Session(on_cores("")), InvalidArgument);
    Tuning tuning = prio_with_small_tiles();
    write_tuning(tuning, file);
    CHECK(Session(on_cores(file)).info().tuning_file == file);
    tuning.scheduler = "no-such";
    write_tuning(tuning, file);
    CHECK_THROWS_AS(Session(on_cores(file)), InvalidArgument);
    tuning.machine.cores += 1;
    write_tuning(tuning, file);
    CHECK_THROWS_AS(Session(on_cores(file)), InvalidArgument);
    CHECK(Session(on_cores("off")).info().tuning_file.empty());  // nothing of the refused ones stayed
}

TEST_CASE("in a child: a tuning may leave the workers to the system" * doctest::skip()) {
    SystemFolder folder;
    const std::string file = folder.path() + "/mine.json";
    Tuning tuning;
    tuning.machine = machine_kind(0);
    tuning.workers = 1;
    tuning.bind_workers = false;
    write_tuning(tuning, file);
    const char* const before = std::getenv("STARPU_WORKERS_NOBIND");
    const std::string kept = before != nullptr ? before : "";
    unsetenv("STARPU_WORKERS_NOBIND");
    CHECK(Session(on_cores(file)).info().worker_binding == "none: by the tuning of this machine");
    if (!kept.empty()) setenv("STARPU_WORKERS_NOBIND", kept.c_str(), 1);
}

TEST_CASE("in a child: a second session cannot have another tuning" * doctest::skip()) {
    UsersFolder user;
    user.keep(prio_with_small_tiles());
    const Session first(on_cores());
    CHECK(Session(on_cores()).info().tuning_file == user.file());
    CHECK_THROWS_AS(Session(on_cores("off")), InvalidArgument);
    CHECK(Session(on_cores(user.file())).info().tuning_file == user.file());
}

TEST_CASE("in a child: a tuned session solves with the tiles of the tuning" * doctest::skip()) {
    UsersFolder user;
    user.keep(prio_with_small_tiles());
    const Session session(on_cores());
    const auto a = std::make_shared<const SparseMatrix<double>>(poisson3d<double>(24).matrix);
    Solver<double> solver(session);
    solver.factor(a);
    REQUIRE_FALSE(solver.analysis()->mapping.grids.empty());
    index_t largest = 0;
    for (const TileGrid& grid : solver.analysis()->mapping.grids)
        for (std::size_t k = 1; k < grid.cut.size(); ++k) largest = std::max(largest, grid.cut[k] - grid.cut[k - 1]);
    CHECK(largest <= 64 + 64 / 4);
    std::vector<double> b(static_cast<std::size_t>(a->rows()), 1.0), x(b.size());
    CHECK(solver.solve(b, x).status == SolveStatus::converged);
}

TEST_CASE("sessions and tunings, each case in a process without another session") {
    for (const char* name :
         {"in a child: a session takes the user's tuning and says so",
          "in a child: without a file and with tuning off all is as shipped",
          "in a child: options of the caller come before the tuning",
          "in a child: variables of StarPU come before the tuning",
          "in a child: options of the analysis come before the tuning and deterministic ignores it",
          "in a child: what is wrong with the user's file is advice and the session has the defaults",
          "in a child: a file that is named is taken or the session is refused",
          "in a child: a tuning may leave the workers to the system",
          "in a child: a second session cannot have another tuning",
          "in a child: a tuned session solves with the tiles of the tuning"}) {
        CAPTURE(name);
        CHECK(run_case_in_child(name, {}, 120) == 0);
    }
}

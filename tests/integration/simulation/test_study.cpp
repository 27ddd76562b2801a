// SPDX-License-Identifier: BSD-3-Clause
// frond study: simulated, really run and replayed; schedulers of one's own.
#include "requirement.hpp"
#include "run_program.hpp"
#include "scheduler_counts.hpp"
#include "simulated_models.hpp"
#include "temporary_file.hpp"

#include <doctest/doctest.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <filesystem>

using namespace frond::test;
using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

[[maybe_unused]] const bool traces_required = require_for_suite("the simulation program and traces", [] {
    return std::getenv("FROND_SIMULATION_PROGRAM") != nullptr && fs::exists(FROND_FXT_TOOL);
});

Json json_of(const Outcome& outcome) {
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    return Json::parse(outcome.out);
}

/// What holds of every case, whatever its scheduler.
void check_bounds(const Json& one) {
    const Json& bounds = one.at("bounds");
    for (const char* bound : {"work_seconds", "path_seconds", "submit_seconds"}) {
        CHECK(bounds.at(bound).get<double>() >= 0);
        CHECK(bounds.at(bound).get<double>() <= one.at("seconds").get<double>());
    }
    CHECK(bounds.at("work_seconds").get<double>() > 0);
    CHECK(bounds.at("path_seconds").get<double>() > 0);
}

}  // namespace

TEST_SUITE("the simulation program") {
    TEST_CASE("a study has every case, with bounds, runs and a picture") {
        const SimulatedModels models;
        const TemporaryFile eight(".json", machine_of_cores(8)), picture(".svg"), table(".csv");
        const Json study = json_of(run_frond({"study",
                                              "generate:poisson3d:16",
                                              "--machines",
                                              eight.path() + ",this",
                                              "--schedulers",
                                              "prio,dmdas",
                                              "--tile-sizes",
                                              "64,128",
                                              "--model",
                                              models.path(),
                                              "--gpus",
                                              "0",
                                              "--run",
                                              "--repeat",
                                              "2",
                                              "--json",
                                              "-",
                                              "--plot",
                                              picture.path(),
                                              "--csv",
                                              table.path()}));
        REQUIRE(study.at("cases").size() == 8);
        for (const Json& one : study.at("cases")) {
            check_bounds(one);
            const bool here = one.at("machine") == "this";
            CHECK(one.at("runs").size() == (here ? 2 : 0));
            CHECK(one.at("run_seconds").is_null() != here);
        }
        CHECK(fs::file_size(picture.path()) > 2000);
        CHECK(fs::file_size(table.path()) > 400);
    }

    TEST_CASE("a study takes the factorization that it is given, in simulations and in runs") {
        const SimulatedModels models;
        const auto flops = [&models](const char* factorization) {
            const Json study =
                json_of(run_frond({"study", "generate:poisson3d:12", "--schedulers", "prio", "--model", models.path(),
                                   "--factorization", factorization, "--gpus", "0", "--json", "-"}));
            return study.at("cases").at(0).at("flops").get<double>();
        };
        const double symmetric = flops("llt"), general = flops("lu");
        CHECK(general > 1.5 * symmetric);
        CHECK(general < 2.5 * symmetric);
    }

    TEST_CASE("a study simulates as many workers as it is given") {
        const SimulatedModels models;
        const TemporaryFile eight(".json", machine_of_cores(8));
        const auto seconds = [&](const char* workers) {
            const Json study = json_of(
                run_frond({"study", "generate:poisson3d:16", "--schedulers", "prio", "--machines", eight.path(),
                           "--model", models.path(), "--workers", "8", "--cpu-workers", workers, "--json", "-"}));
            return study.at("cases").at(0).at("bounds").at("work_seconds").get<double>();
        };
        CHECK(seconds("2") > 1.5 * seconds("4"));
    }

    TEST_CASE("a scheduler of one's own is simulated, and gets every task") {
        const SimulatedModels models;
        const TemporaryFile eight(".json", machine_of_cores(8));
        const Environment library{{"STARPU_SCHED_LIB", FROND_SCHEDULER_LIBRARY}};
        const Outcome outcome =
            run_frond({"simulate", "generate:poisson3d:16", "--workers", "8", "--machine", eight.path(), "--model",
                       models.path(), "--scheduler", "most_urgent", "--json", "-"},
                      library);
        const Json run = json_of(outcome);
        CHECK(run.at("frond").at("scheduler") == "most_urgent");
        const SchedulerCounts counts = scheduler_counts(outcome.err);
        CHECK(counts.pushed == run.at("factorization").at("tasks").get<long>());
        CHECK(counts.popped == counts.pushed);
        const Json study =
            json_of(run_frond({"study", "generate:poisson3d:16", "--machines", eight.path(), "--schedulers",
                               "prio,most_urgent", "--model", models.path(), "--json", "-"},
                              library));
        REQUIRE(study.at("cases").size() == 2);
        for (const Json& one : study.at("cases")) check_bounds(one);
    }
}

TEST_SUITE("the simulation program and traces") {
    TEST_CASE("tasks of a trace are run again under other schedulers and on more cores") {
        const TemporaryFile folder(".trace"), two(".json", machine_of_cores(2)), eight(".json", machine_of_cores(8));
        REQUIRE(run_frond({"trace", "generate:poisson3d:16", "--workers", "8", "--gpus", "0", "-o", folder.path()})
                    .exit_code == 0);
        const auto study = [&] {
            return json_of(
                run_frond({"study", "--replay", folder.path() + "/tasks.rec", "--machines",
                           two.path() + "," + eight.path(), "--schedulers", "lws,prio,dmdas", "--json", "-"}));
        };
        const Json first = study(), second = study();
        fs::remove_all(folder.path());
        CHECK(first.at("replayed") == true);
        CHECK(first.at("cases") == second.at("cases"));
        REQUIRE(first.at("cases").size() == 6);
        // What the classes of times round off.
        constexpr double classes = 1.01;
        for (const Json& one : first.at("cases")) {
            CHECK(one.at("tasks").get<long>() > 20);
            CHECK(one.at("seconds").get<double>() * classes > one.at("bounds").at("work_seconds").get<double>());
            CHECK(one.at("seconds").get<double>() * classes > one.at("bounds").at("path_seconds").get<double>());
        }
        for (int k = 0; k < 3; ++k)
            CHECK(first["cases"][k + 3]["seconds"].get<double>() < first["cases"][k]["seconds"].get<double>());
    }

    TEST_CASE("tasks that ran on a card are run again on machines with cards, with their copies") {
        const SimulatedModels models;
        const TemporaryFile folder(".trace"), one(".json", machine_of_cores(8, 1)),
            two(".json", machine_of_cores(8, 2)), slow(".json", machine_of_cores(8, 1, 1e8)),
            cores(".json", machine_of_cores(8));
        const Outcome recorded =
            run_frond({"simulate", "generate:poisson3d:30", "--machine", one.path(), "--model", models.path(),
                       "--factor-place", "tasks", "--scheduler", "dmdas", "-o", folder.path()});
        CAPTURE(recorded.err);
        REQUIRE(recorded.exit_code == 0);
        const std::string records = folder.path() + "/tasks.rec";
        const auto study = [&](const std::vector<std::string>& machines) {
            const std::string list = fmt::format("{}", fmt::join(machines, ","));
            return run_frond({"study", "--replay", records, "--machines", list, "--json", "-"});
        };
        const Json first = json_of(study({one.path(), two.path(), slow.path()}));
        CHECK(first.at("cases") == json_of(study({one.path(), two.path(), slow.path()})).at("cases"));
        const Outcome refused = study({cores.path()});
        fs::remove_all(folder.path());
        CHECK(refused.exit_code == 2);
        CHECK(refused.err.find("ran on a card, and nothing says how long a core takes") != std::string::npos);
        REQUIRE(first.at("cases").size() == 9);  // prio, dmda and dmdas
        constexpr double classes = 1.01;
        const auto seconds = [&](std::size_t k) { return first["cases"][k]["seconds"].get<double>(); };
        const auto work = [&](std::size_t k) { return first["cases"][k]["bounds"]["work_seconds"].get<double>(); };
        for (std::size_t k = 0; k < 9; ++k) {
            CHECK(seconds(k) * classes > work(k));
            CHECK(seconds(k) * classes > first["cases"][k]["bounds"]["path_seconds"].get<double>());
        }
        for (std::size_t k = 0; k < 3; ++k) {
            CHECK(work(k + 3) < work(k));  // two cards
            CHECK(work(k + 6) == work(k));  // a slow link
            CHECK(seconds(k + 6) > 1.5 * seconds(k));
        }
    }

    TEST_CASE("an unknown scheduler of a replay is said so") {
        const TemporaryFile folder(".trace"), two(".json", machine_of_cores(2));
        REQUIRE(run_frond({"trace", "generate:poisson3d:16", "--workers", "8", "--gpus", "0", "-o", folder.path()})
                    .exit_code == 0);
        const Outcome outcome = run_frond(
            {"study", "--replay", folder.path() + "/tasks.rec", "--machines", two.path(), "--schedulers", "nobody"});
        fs::remove_all(folder.path());
        CHECK(outcome.exit_code == 2);
        CHECK(outcome.err.find("'nobody' is not a scheduler of this StarPU") != std::string::npos);
    }
}

TEST_CASE("a replay without tool or file says what is missing") {
    const TemporaryFile records(".rec", "Name: x\nJobId: 1\nWorkerId: 0\nStartTime: 0\nEndTime: 1\n\n");
    const auto refused = [](const std::string& file, const std::string& program) {
        return run_frond({"study", "--replay", file, "--schedulers", "prio"}, {{"FROND_SIMULATION_PROGRAM", program}});
    };
    const Outcome toolless = refused(records.path(), "/bin/true");
    CHECK(toolless.exit_code == 3);
    CHECK(toolless.err.find("/bin/starpu_replay: there is no starpu_replay next to the program") != std::string::npos);
    const Outcome alone = refused(records.path(), "/nonexistent");
    CHECK(alone.exit_code == 3);
    CHECK(alone.err.find("docs/simulation.md") != std::string::npos);
}

// SPDX-License-Identifier: BSD-3-Clause
#include "study/replay.hpp"

#include "frond/base/error.hpp"
#include "machines_of_replays.hpp"
#include "temporary_file.hpp"
#include "tolerance.hpp"
#include "trace/read/recorded_jobs.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace frond;
using namespace frond::cli;
using frond::test::cores;
using frond::test::TemporaryFile;

namespace {

std::string task(int job, double begin_ms, double end_ms, const std::string& more = {}) {
    return "Name: update_tile front " + std::to_string(job) + "\nModel: update_tile\nJobId: " + std::to_string(job) +
           "\nPriority: " + std::to_string(10 * job) +
           "\nWorkerId: 1\nMemoryNode: 0\nSubmitTime: 0\nStartTime: " + std::to_string(begin_ms) +
           "\nEndTime: " + std::to_string(end_ms) + "\nGFlop: 0.5\n" + more + "\n";
}

/// Orders tasks and runs on no worker.
std::string ghost(int job, const std::string& depends_on) {
    return "Name: _starpu_data_acquire_cb_pre\nJobId: " + std::to_string(job) + "\nDependsOn: " + depends_on + "\n\n";
}

/// 1 before 3, by way of two ghosts, and before 6; 2 before 6. They take 2, 3, 4 and 5 ms.
std::string four_tasks() {
    return task(3, 3, 7, "DependsOn: 5\n") + task(1, 0, 2) + task(2, 0, 3) + ghost(4, "1") + ghost(5, "4") +
           task(6, 7, 12, "DependsOn: 1 2\n");
}

std::string refused_records(const std::string& text) {
    const TemporaryFile file(".rec", text);
    try {
        static_cast<void>(read_recorded_graph(file.path()));
    } catch (const InvalidArgument& error) {
        return error.what();
    }
    return "accepted";
}

constexpr double rounding = 1e-12;  // relative, of some sums

}  // namespace

TEST_CASE("records of a run that did not come to its end are refused") {
    const TemporaryFile file(".rec", four_tasks());
    CHECK_FALSE(is_unfinished(file.path()));
    CHECK(read_recorded_graph(file.path()).tasks.size() == 4);
    mark_unfinished(file.path());
    CHECK(is_unfinished(file.path()));
    CHECK(read_recorded_jobs(file.path()).size() == 6);
    CHECK_THROWS_WITH_AS(static_cast<void>(read_recorded_graph(file.path())),
                         doctest::Contains("was interrupted or failed"), InvalidArgument);
    CHECK_FALSE(is_unfinished(file.path() + ".nowhere"));
}

TEST_CASE("the graph has the tasks alone, with the order that others pass on") {
    const TemporaryFile file(".rec", four_tasks());
    const RecordedGraph graph = read_recorded_graph(file.path());
    REQUIRE(graph.tasks.size() == 4);
    CHECK(graph.tasks[2].job == 3);
    CHECK(graph.tasks[2].priority == 30);
    CHECK(graph.tasks[0].waits_for.empty());
    CHECK(graph.tasks[1].waits_for.empty());
    CHECK(graph.tasks[2].waits_for == std::vector<std::size_t>{0});
    CHECK(graph.tasks[3].waits_for == std::vector<std::size_t>{0, 1});
    CHECK(std::abs(graph.flops() - 2e9) < rounding * 2e9);
    const TimeBounds bounds = bounds_of(graph, cores(2)), quick = bounds_of(graph, cores(2, 2));
    CHECK(std::abs(bounds.path - 8e-3) < rounding);
    CHECK(std::abs(bounds.work - 7e-3) < rounding);
    CHECK(std::abs(quick.path - 4e-3) < rounding);
}

TEST_CASE("records and model name the same classes of times") {
    const TemporaryFile file(".rec", four_tasks());
    const RecordedGraph graph = read_recorded_graph(file.path());
    const std::string records = replay_records(graph, cores(2, 2)), model = replay_model(graph, cores(2, 2));
    CHECK(records.find("JobId: 3\nSubmitOrder: 3\nPriority: 30\nDependsOn: 1\nTag: 3\n") != std::string::npos);
    CHECK(records.find("JobId: 4\nSubmitOrder: 4\nPriority: 60\nDependsOn: 1 2\n") != std::string::npos);
    CHECK(records.find("Footprint: 0\n") == std::string::npos);
    // 1, 1.5, 2 and 2.5 ms at twice the speed, in ascending order
    CHECK(model.starts_with("45\n1\n1\n0\n0\n1\n1\n4\n0 0 0 0 nan nan 0 0 0\n"));
    CHECK(model.find("00000001\t0\t0\t1.000000e+03\t") != std::string::npos);
    CHECK(model.find("00000003\t0\t0\t2.000000e+03\t") != std::string::npos);
    CHECK(records.find("Footprint: 3\n", records.find("JobId: 3\n")) < records.find("JobId: 4\n"));
}

TEST_CASE("records that cannot be replayed are refused") {
    CHECK(refused_records(four_tasks()) == "accepted");
    CHECK(refused_records(ghost(4, "1")).find("it has no tasks; make one by frond trace") != std::string::npos);
    CHECK(refused_records(task(1, 0, 2) + "Name: x\nJobId: 2\nWorkerId: 0\nStartTime: 1\n\n")
              .find("1 of 2 tasks did not end, as the run was interrupted; trace it again") != std::string::npos);
    CHECK(refused_records("no record\n").find("line 1") != std::string::npos);
}

// SPDX-License-Identifier: BSD-3-Clause
// Replays of records of a run with cards.
#include "study/recorded_graph.hpp"
#include "study/replay.hpp"

#include "frond/base/error.hpp"
#include "machines_of_replays.hpp"
#include "temporary_file.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

using namespace frond;
using namespace frond::cli;
using frond::test::cores;
using frond::test::TemporaryFile;

namespace {

SimulatedMachine with_cards(index_t count, index_t cards) {
    SimulatedMachine machine = cores(count, 2);
    SimulatedCards some;
    some.count = cards;
    machine.cards.push_back(some);
    return machine;
}

/// On a worker of a card, or of a core; the footprint tells what is the same work.
std::string placed(int job, int worker, double milliseconds, const std::string& footprint, const std::string& more = {},
                   double begin = 0) {
    return "Name: update_tile front " + std::to_string(job) + "\nJobId: " + std::to_string(job) +
           "\nWorkerId: " + std::to_string(worker) + "\nMemoryNode: " +
           (worker < 4   ? "0"
            : worker < 6 ? "1"
                         : "2") +
           "\nStartTime: " + std::to_string(begin) + "\nEndTime: " + std::to_string(begin + milliseconds) +
           "\nFootprint: " + footprint + "\nGFlop: 1\n" + more + "\n";
}

/// Tasks 1 to 4 do the same work: 1 and 2 ran on cores, 3 and 4 on two workers of a card, one after the other; 5 ran on
/// a core alone, 6 on a card alone.
std::string six_tasks() {
    return placed(1, 0, 8, "a") + placed(2, 1, 12, "a", "DependsOn: 1\n") + placed(3, 4, 1, "a") +
           placed(4, 5, 2, "a", "DependsOn: 3\n", 1) + placed(5, 2, 7, "b", "DependsOn: 2\n") +
           placed(6, 6, 3, "c", "DependsOn: 5\n");
}

std::string refused_on(const std::string& text, const SimulatedMachine& machine) {
    const TemporaryFile file(".rec", text);
    try {
        expect_replayable(read_recorded_graph(file.path()), machine, "tasks.rec");
    } catch (const InvalidArgument& error) {
        return error.what();
    }
    return "accepted";
}

constexpr double sum_error = 1e-12;  // of some times, each some milliseconds
constexpr double area_error = 1e-9;  // of a bound below a second (area_bound)

}  // namespace

TEST_CASE("a task has its own time where it ran, and elsewhere the mean of the same work") {
    const TemporaryFile file(".rec", six_tasks());
    const RecordedGraph graph = read_recorded_graph(file.path());
    REQUIRE(graph.tasks.size() == 6);
    const auto near = [](const std::optional<double>& seconds, double wanted) {
        return seconds && std::abs(*seconds - wanted) < sum_error;
    };
    CHECK(near(graph.tasks[0].core_seconds, 8e-3));
    CHECK(near(graph.tasks[0].card_seconds, 1.5e-3));
    CHECK(near(graph.tasks[3].core_seconds, 10e-3));
    CHECK(near(graph.tasks[3].card_seconds, 2e-3));
    CHECK(near(graph.tasks[4].core_seconds, 7e-3));
    CHECK_FALSE(graph.tasks[4].card_seconds.has_value());
    CHECK_FALSE(graph.tasks[5].core_seconds.has_value());
    CHECK(near(graph.tasks[5].card_seconds, 3e-3));
    CHECK(graph.has_cards);
}

TEST_CASE("tasks that run on a card at once share its time") {
    // On one card 0 to 6 ms and 2 to 4 ms, and again at 4 to 5; on the other one 0 to 6. A core shares nothing.
    const TemporaryFile file(".rec", placed(1, 4, 6, "a") + placed(2, 5, 2, "a", "", 2) + placed(3, 5, 1, "a", "", 4) +
                                         placed(4, 6, 6, "a") + placed(5, 0, 6, "a") + placed(6, 1, 6, "a") +
                                         placed(7, 4, 0, "a", "", 3));
    const std::vector<double> seconds = seconds_of_jobs(read_recorded_jobs(file.path()));
    const std::vector<double> wanted{4.5e-3, 1e-3, 0.5e-3, 6e-3, 6e-3, 6e-3, 0};
    REQUIRE(seconds.size() == wanted.size());
    for (std::size_t j = 0; j < wanted.size(); ++j) CHECK(std::abs(seconds[j] - wanted[j]) < sum_error);
}

TEST_CASE("work of other operations, and of another kind, is not the same") {
    std::string other = placed(1, 4, 1, "a"), kind = other;
    other.replace(other.find("GFlop: 1"), 8, "GFlop: 2");
    kind.replace(kind.find("update_tile"), 11, "solve_panel");
    for (const std::string& first : {other, kind}) {
        const TemporaryFile file(".rec", first + placed(2, 0, 8, "a"));
        CHECK_FALSE(read_recorded_graph(file.path()).tasks[0].core_seconds.has_value());
    }
}

TEST_CASE("the model of a replay on cards has each time for its kind of worker alone") {
    const TemporaryFile file(".rec", six_tasks());
    const RecordedGraph graph = read_recorded_graph(file.path());
    const std::string model = replay_model(graph, with_cards(5, 2));  // cores of twice the speed
    // A core has 4, 6 and 5 ms of the same work, and 3.5; a card 1.5, 1 and 2, and 3. As pairs in ascending order:
    // (0, 3), (3.5, 0), (4, 1.5), (5, 1), (5, 2), (6, 1.5).
    const std::string of_core = "1\n0\n0\n1\n1\n5\n0 0 0 0 nan nan 0 0 0\nnan nan nan\n0\n00000002\t0\t0\t3.500000e+03";
    const std::string of_card = "1\n1\n0\n1\n1\n5\n0 0 0 0 nan nan 0 0 0\nnan nan nan\n0\n00000001\t0\t0\t3.000000e+03";
    CHECK(model.starts_with("45\n3\n" + of_core));
    CHECK(model.find("\n" + of_card) != std::string::npos);
    CHECK(model.find("\n1\n1\n1\n1\n1\n5\n", model.find(of_card) + 1) != std::string::npos);  // the second card
    const std::string records = replay_records(graph, with_cards(5, 2));
    CHECK(records.find("Footprint: 1\n", records.find("JobId: 6\n")) != std::string::npos);
    CHECK(records.find("Footprint: 2\n", records.find("JobId: 5\n")) < records.find("JobId: 6\n"));
}

TEST_CASE("data go with the tasks of a replay on cards, and not on cores alone") {
    const std::string buffers = "Parameters: a b c d\nHandles: 10 20 30 40\nModes: RW R W S\nSizes: 800 0 4 16\n";
    const std::string again = "Parameters: a b\nHandles: 10 30\nModes: R RWC\nSizes: 900 4\n";
    const TemporaryFile file(".rec", placed(1, 0, 8, "a", buffers) + placed(2, 4, 1, "a", again));
    const RecordedGraph graph = read_recorded_graph(file.path());
    const std::string records = replay_records(graph, with_cards(2, 1));
    CHECK(records.find("Parameters: data data\nHandles: 1 2\nModes: RW W\nSizes: 800 4\n") != std::string::npos);
    CHECK(records.find("Handles: 3 2\nModes: R RW\nSizes: 900 4\n") != std::string::npos);
    CHECK(replay_records(graph, cores(2)).find("Handles") == std::string::npos);
}

TEST_CASE("bounds of a replay on cards share each work by what it takes on either kind of worker") {
    const TemporaryFile file(".rec", six_tasks());
    const RecordedGraph graph = read_recorded_graph(file.path());
    const SimulatedMachine machine = with_cards(2, 1);
    CHECK(replay_workers(machine).cores == 1);
    CHECK(replay_workers(machine).cards == 1);
    CHECK(replay_workers(cores(3)).cores == 3);
    const TimeBounds bounds = bounds_of(graph, machine);
    // 1, 2, 5 and 6, where they are quickest: 1.5 + 1.5 + 3.5 + 3 ms.
    CHECK(std::abs(bounds.path - 9.5e-3) < sum_error);
    // The core has 5 for 3.5 ms, the card the others for 9. Of 4, which takes 5 or 2 ms, a part x goes to the core, so that
    // 3.5 + 5 x = 9 - 2 x.
    CHECK(std::abs(bounds.work - 1e-3 * (3.5 + 5 * 5.5 / 7)) < area_error);
}

TEST_CASE("a replay is refused where nothing says what a task takes") {
    CHECK(refused_on(six_tasks(), with_cards(2, 1)) == "accepted");
    CHECK(refused_on(six_tasks(), cores(2))
              .find("tasks.rec: job 6, update_tile front 6, ran on a card, and nothing says "
                    "how long a core takes") != std::string::npos);
    CHECK(refused_on(placed(1, 0, 8, "a") + placed(2, 4, 1, "a"), cores(2)) == "accepted");
    CHECK(refused_on(placed(1, 0, 8, "a"), with_cards(2, 1)).find("no task of tasks.rec ran on one") !=
          std::string::npos);
    CHECK(refused_on(six_tasks(), with_cards(1, 1)).find("give it more cores than cards") != std::string::npos);
    SimulatedMachine two = with_cards(4, 1);
    two.cards.push_back(two.cards.front());
    CHECK(refused_on(six_tasks(), two).find("cards of 2 models") != std::string::npos);
}

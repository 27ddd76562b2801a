// SPDX-License-Identifier: BSD-3-Clause
// What is recorded of the thread that submits, and of new memory.
#include "simulate/calibration_problems.hpp"

#include "frond/codelets/time_models.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <thread>

using namespace frond;
using namespace frond::cli;

namespace {

constexpr double nap_seconds = 0.02;

void nap() { std::this_thread::sleep_for(std::chrono::duration<double>(nap_seconds)); }

/// The seconds of the only sample of the kind.
double seconds_of(const TimeSamples& samples, const char* kind) {
    const auto found = samples.find(kind);
    REQUIRE(found != samples.end());
    REQUIRE(found->second.size() == 1);
    return found->second.front().seconds;
}

TaskWork rows(double count) {
    TaskWork work;
    work.rows = count;
    return work;
}

}  // namespace

TEST_CASE("work inside other work, and waiting, count once") {
    record_times(true);
    const auto start = std::chrono::steady_clock::now();
    {
        HostWork outer("outer", {});
        {
            const HostWork inner("inner", {});
            nap();
        }
        HostWork waiting(nullptr, {});
        nap();
        waiting.end();
    }
    const double all = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    record_times(false);
    const TimeSamples samples = take_times();
    CHECK(samples.size() == 2);
    CHECK(seconds_of(samples, "inner") >= nap_seconds);
    CHECK(seconds_of(samples, "outer") >= 0);
    CHECK(seconds_of(samples, "outer") <= all - 2 * nap_seconds);
}

TEST_CASE("work that turns out to be of another kind is recorded as that") {
    record_times(true);
    {
        HostWork work("first", rows(1));
        work.change("second", rows(2));
    }
    record_times(false);
    const TimeSamples samples = take_times();
    REQUIRE(samples.size() == 1);
    CHECK(seconds_of(samples, "second") >= 0);
    CHECK(samples.at("second").front().work.rows == 2);
}

TEST_CASE("of work beside tasks only processor time counts") {
    record_times(true);
    {
        const WorkBesideTasks work("beside", rows(3));
        nap();
    }
    record_times(false);
    const TimeSamples samples = take_times();
    REQUIRE(samples.size() == 1);
    CHECK(seconds_of(samples, "beside") >= 0);
    CHECK(seconds_of(samples, "beside") < nap_seconds / 2);
    CHECK(samples.at("beside").front().work.rows == 3);
}

TEST_CASE("new memory takes what the tasks that write it first take longer than later, for each byte") {
    TimeSamples samples;
    for (const char* kind : {"assemble_tile factors", "factor_subtree lu", "solve_panel lu", "update_tile general"})
        samples[kind].push_back({TaskWork{}, 0.5});
    CHECK(seconds_of_first_writers(samples) == 1.5);
    const std::vector<NewMemory> problems{{9.0, 1.0, 1e9}, {2.0, 1.5, 2e9}, {1.0, 0.8, 1e9}};
    const TimeModel model = new_memory_model(problems);
    CHECK(model.per_term[1] == doctest::Approx(0.25e-9));  // of the bytes in the middle
    CHECK(model.seconds == 0);
    for (const std::size_t term : {std::size_t{0}, std::size_t{2}, std::size_t{3}}) CHECK(model.per_term[term] == 0);
}

TEST_CASE("new memory takes no time where the first time was not longer, or nothing was new") {
    const std::vector<NewMemory> quicker{{1.0, 1.5, 1e9}};
    CHECK(new_memory_model(quicker).per_term[1] == 0);
    CHECK(new_memory_model({}).per_term[1] == 0);
}

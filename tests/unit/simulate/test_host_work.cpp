// SPDX-License-Identifier: BSD-3-Clause
// What is recorded of the thread that submits, and of new memory.
#include "simulate/new_memory.hpp"

#include "frond/codelets/time_models.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <thread>

using namespace frond;
using namespace frond::cli;

namespace {

constexpr double nap_seconds = 0.02;
/// A page of 4 KiB in 4 ms: no system is so slow.
constexpr double most_seconds_of_a_byte = 1e-6;

void nap() { std::this_thread::sleep_for(std::chrono::duration<double>(nap_seconds)); }

/// Of the only sample of the kind.
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

TEST_CASE("new memory takes time for each byte, and for nothing else") {
    const TimeModel model = measure_new_memory();
    CHECK(model.seconds == 0);
    for (const std::size_t term : {std::size_t{0}, std::size_t{2}, std::size_t{3}}) CHECK(model.per_term[term] == 0);
    CHECK(model.per_term[1] > 0);
    CHECK(model.per_term[1] < most_seconds_of_a_byte);
}

// SPDX-License-Identifier: BSD-3-Clause
// Sessions share one StarPU: what a later one asks for must be what there is.
#include "child_process.hpp"
#include "factors/state_of.hpp"
#include "frond/base/error.hpp"
#include "frond/frond.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <string>
#include <unistd.h>

using namespace frond;
using namespace frond::test;

namespace {

std::string refusal_of_options(const SessionOptions& options) {
    try {
        const Session session(options);
    } catch (const InvalidArgument& error) {
        return error.what();
    }
    return {};
}

/// Resident memory of this process is the second number of statm.
count_t resident_bytes() {
    count_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages >> pages;
    return pages * static_cast<count_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

TEST_CASE("in a child: sessions one after the other" * doctest::skip()) {
    const auto start = [] { CHECK(Session(SessionOptions{.cpu_workers = 2, .gpus = 0}).info().owns_starpu); };
    start();
    const count_t before = resident_bytes();
    for (int k = 0; k < 16; ++k) start();
    CHECK(resident_bytes() - before < (count_t{4} << 20));
}

TEST_CASE("sessions without cards lose no memory" * doctest::skip(sanitizer_slowdown > 1)) {
    CHECK(run_case_in_child("in a child: sessions one after the other", {}, 120) == 0);
}

TEST_CASE("in a child: a second session" * doctest::skip()) {
    {
        const Session first(SessionOptions{.cpu_workers = 2, .gpus = 0, .scheduler = "eager"});
        for (const SessionOptions& same :
             {SessionOptions{}, SessionOptions{.cpu_workers = 2}, SessionOptions{.gpus = 0},
              SessionOptions{.cpu_workers = 2, .gpus = 0, .scheduler = "eager"}}) {
            const Session second(same);
            CHECK(detail::state_of(second) == detail::state_of(first));
        }
        const std::string workers = refusal_of_options({.cpu_workers = 3});
        CHECK(workers.find("cpu_workers = 3") != std::string::npos);
        CHECK(workers.find("cpu_workers = 2") != std::string::npos);
        CHECK(refusal_of_options({.gpus = 1}).find("gpus = 1") != std::string::npos);
        CHECK(refusal_of_options({.gpu_memory_bytes = 1 << 30}).find("gpu_memory_bytes = 1073741824") !=
              std::string::npos);
        CHECK(refusal_of_options({.scheduler = "prio"}).find("scheduler = prio") != std::string::npos);
        CHECK(refusal_of_options({.cpu_workers = -1}).find("cpu_workers = -1") != std::string::npos);
        CHECK(first.info().cpu_workers == 2);
    }
    CHECK(refusal_of_options({.cpu_workers = 3, .scheduler = "prio"}).empty());  // the first has ended
}

TEST_CASE("a second session is refused when it asks for something else than there is") {
    CHECK(run_case_in_child("in a child: a second session", {}, 120) == 0);
}

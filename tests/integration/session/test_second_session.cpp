// SPDX-License-Identifier: BSD-3-Clause
// Sessions share one StarPU: what a later one asks for must be what there is.
#include "child_process.hpp"
#include "factors/state_of.hpp"
#include "frond/base/error.hpp"
#include "frond/frond.hpp"

#include <doctest/doctest.h>

#include <string>

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

}  // namespace

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

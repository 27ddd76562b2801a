// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/hardware.hpp"

#include <doctest/doctest.h>

#include <sched.h>
#include <thread>

using namespace frond;

TEST_CASE("usable cores are those that the thread may run on") {
    const index_t before = usable_cores();
    REQUIRE(before > 0);
    CHECK(before <= CPU_SETSIZE);
    index_t confined = -1;
    int status = -1;
    std::thread([&] {  // whose cores end with it
        cpu_set_t all, one;
        CPU_ZERO(&all);
        CPU_ZERO(&one);
        if (sched_getaffinity(0, sizeof all, &all) != 0) return;
        int core = 0;
        while (!CPU_ISSET(core, &all)) ++core;
        CPU_SET(core, &one);
        status = sched_setaffinity(0, sizeof one, &one);
        confined = usable_cores();
    })
        .join();
    REQUIRE(status == 0);
    CHECK(confined == 1);
    CHECK(usable_cores() == before);
}

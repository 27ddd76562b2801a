// SPDX-License-Identifier: BSD-3-Clause
#include "tune/topology.hpp"

#include "system_folder.hpp"

#include <doctest/doctest.h>

using namespace frond;
using namespace frond::cli;

namespace {

index_t threads_of(const std::string& siblings) {
    test::SystemFolder root;
    root.write("/sys/devices/system/cpu/cpu0/topology/thread_siblings_list", siblings);
    return read_topology(root.path()).threads_per_core;
}

}  // namespace

TEST_CASE("hardware threads of a core, in the lists of the system") {
    CHECK(threads_of("0\n") == 1);
    CHECK(threads_of("0,64\n") == 2);
    CHECK(threads_of("0-1\n") == 2);
    CHECK(threads_of("0-1,8-9\n") == 4);
    CHECK(threads_of("") == 1);
    CHECK(threads_of("x\n") == 1);
    CHECK(threads_of("3-1\n") == 1);
}

TEST_CASE("NUMA nodes are folders; a system that names none has one") {
    test::SystemFolder root;
    CHECK(read_topology(root.path()).numa_nodes == 1);
    root.write("/sys/devices/system/node/node0/cpulist", "0-3");
    root.write("/sys/devices/system/node/node1/cpulist", "4-7");
    root.write("/sys/devices/system/node/nodes", "no folder of a node");
    root.write("/sys/devices/system/node/online", "0-1");
    CHECK(read_topology(root.path()).numa_nodes == 2);
}

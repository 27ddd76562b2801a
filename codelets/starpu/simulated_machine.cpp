// SPDX-License-Identifier: BSD-3-Clause
#include "frond/codelets/simulated_machine.hpp"

#include "frond/codelets/simulated_cluster.hpp"

namespace frond {
namespace {

SimulatedHardware& hardware_in_use() noexcept {
    static SimulatedHardware hardware;
    return hardware;
}

SimulatedCluster& cluster_in_use() noexcept {
    static SimulatedCluster cluster;
    return cluster;
}

}  // namespace

void use_simulated_hardware(const SimulatedHardware& hardware) noexcept { hardware_in_use() = hardware; }

const SimulatedHardware& simulated_hardware() noexcept { return hardware_in_use(); }

void use_simulated_cluster(const SimulatedCluster& cluster) noexcept { cluster_in_use() = cluster; }

const SimulatedCluster& simulated_cluster() noexcept { return cluster_in_use(); }

SimulatedClusterWork& simulated_cluster_work() noexcept {
    static SimulatedClusterWork& work = *new SimulatedClusterWork;
    return work;
}

}  // namespace frond

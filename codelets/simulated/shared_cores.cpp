// SPDX-License-Identifier: BSD-3-Clause
// Who has the simulated cores. Each worker has one. The thread that submits has one without a worker. Where there is none,
// it goes from core to core, as no core is its own: while a task runs it has half of the core, without one all of it.
#include <simgrid/actor.h>
#include <simgrid/exec.h>
#include <simgrid/host.h>

#include <algorithm>
#include <string>
#include <vector>

#include "frond/codelets/simulation.hpp"

namespace frond {
namespace {

std::vector<sg_host_t> simulated_cores() {
    std::vector<sg_host_t> cores;
    while (sg_host_t const core = sg_host_by_name(("CPU" + std::to_string(cores.size())).c_str()))
        cores.push_back(core);
    return cores;
}

/// Operations on the core; what runs there at one time shares its speed.
void run_on(sg_host_t core, double operations) {
    const sg_exec_t run = sg_actor_exec_init(operations);
    sg_exec_set_host(run, core);
    sg_exec_start(run);
    sg_exec_wait(run);
}

/// The thread that submits, where each core has a worker.
class BesideWorkers {
public:
    explicit BesideWorkers(std::vector<sg_host_t> cores) : cores_(std::move(cores)) {}

    std::size_t cores() const { return cores_.size(); }

    void run(double seconds) {
        while (seconds > 0) {
            if (left_seconds_ <= 0) {
                left_seconds_ = seconds_of_a_turn;
                core_ = (core_ + 1) % cores_.size();
            }
            const double part = std::min(seconds, left_seconds_);
            run_on(cores_[core_], part * sg_host_get_speed(cores_[core_]));
            left_seconds_ -= part;
            seconds -= part;
        }
    }

private:
    static constexpr double seconds_of_a_turn = 4e-3;  // of the system, for which a thread has a core

    std::vector<sg_host_t> cores_;
    std::size_t core_ = 0;
    double left_seconds_ = 0;
};

}  // namespace

void take_core(double seconds) {
    static BesideWorkers beside_workers(simulated_cores());
    sg_host_t const here = sg_host_self();
    const bool is_worker = starpu_worker_get_id() >= 0;
    if (!is_worker && starpu_cpu_worker_get_count() >= beside_workers.cores()) return beside_workers.run(seconds);
    run_on(here, seconds * sg_host_get_speed(here));
}

}  // namespace frond

// SPDX-License-Identifier: BSD-3-Clause
// The cards of a simulated machine: workers of StarPU that SimGrid plays.
#include "frond/gpu/devices.hpp"

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/codelets/simulated_cluster.hpp"
#include "frond/codelets/simulated_machine.hpp"
#include "frond/codelets/task_kind.hpp"
#include "kernels/dense/eliminate.hpp"

#include <algorithm>
#include <array>
#include <starpu.h>
#include <string_view>

namespace frond::gpu {

/// That StarPU simulates the workers of; the machine may say another in its text.
DeviceVendor vendor_of_build() noexcept { return DeviceVendor::nvidia; }

int device_count() noexcept { return simulated_hardware().cards; }
count_t devices_seen() noexcept { return device_count(); }

std::string why_unusable() { return {}; }

std::vector<Device> devices() {
    std::array<int, STARPU_NMAXWORKERS> workers{};
    const auto count =
        starpu_worker_get_ids_by_type(STARPU_CUDA_WORKER, workers.data(), static_cast<unsigned>(workers.size()));
    std::vector<Device> places;
    for (std::size_t w = 0; w < static_cast<std::size_t>(count); ++w) {
        const int device = starpu_worker_get_devid(workers[w]);
        const auto is_same = [device](const Device& place) { return place.device == device; };
        if (std::any_of(places.begin(), places.end(), is_same)) continue;
        const unsigned node = starpu_worker_get_memory_node(static_cast<unsigned>(workers[w]));
        const auto known = static_cast<count_t>(starpu_memory_get_total(node));
        const count_t all = simulated_hardware().card_memory_bytes * std::max<index_t>(simulated_cluster().memories, 1),
                      usable = known >= 0 ? known : all;
        places.push_back({device, node, usable, workers[w], std::max<count_t>(all - usable, 0)});
    }
    return places;
}

std::optional<Device> first_device() {
    const std::vector<Device> all = devices();
    return all.empty() ? std::nullopt : std::optional(all.front());
}

/// Address space that nobody touches.
bool pin_host_memory(void*, count_t) noexcept { return true; }
void unpin_host_memory(void*) noexcept {}

void measure_rates() noexcept { use_measurement(simulated_hardware().rates); }

// Blocks of threads in a kernel: plans keep them for launches, of which a simulation has none.

unsigned solve_blocks(Factorization, index_t, index_t, const FrontStep&) { return 0; }
template <class T>
unsigned update_blocks(Factorization, index_t, index_t, const FrontStep&) {
    return 0;
}

#define FROND_INSTANTIATE(T) template unsigned update_blocks<T>(Factorization, index_t, index_t, const FrontStep&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

// Simulated cards are said to have the bodies that codelets name, so that StarPU gives tasks to them.

/// Beside a piece, other workers of a real card copy. A simulated card has one worker, which copies where it does not wait.
void set_device_body(starpu_codelet& codelet, TaskKind::Body body, DeviceRun run) {
    const std::string_view name = codelet.name;
    const bool is_piece = name == "factor_piece" || name.ends_with("_columns");
    codelet.cuda_funcs[0] = body;
    codelet.cuda_flags[0] = is_piece || run == DeviceRun::asynchronous ? STARPU_CUDA_ASYNC : 0;
    codelet.where = codelet.cpu_funcs[0] == nullptr ? STARPU_CUDA : STARPU_CPU | STARPU_CUDA;
}

}  // namespace frond::gpu

// SPDX-License-Identifier: BSD-3-Clause
#include "frond/gpu/devices.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <mutex>

#include "blas_library.hpp"
#include "device_memory.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/codelets/device_room.hpp"
#include "frond/codelets/factor_tasks.hpp"
#include "frond/codelets/solve_tasks.hpp"
#include "frond/gpu/tile_tasks.hpp"
#include "task_costs.hpp"
#include "worker_context.hpp"

namespace frond::gpu {
namespace {

template <class T>
void add_tasks() {
    set_device_function(assemble_tile_codelet<T>(), assemble_tile<T>);
    set_device_function(factor_diagonal_codelet<T>(), factor_diagonal<T>);
    set_device_function(solve_panel_codelet<T>(), solve_panel<T>);
    set_device_function(accept_pivots_codelet<T>(), accept_pivots<T>);
    set_device_function(update_tile_codelet<T>(), update_tile<T>, true);
    set_device_function(factor_subtree_codelet<T>(), factor_subtree<T>);
    set_device_only_function(factor_piece_codelet<T>(), factor_piece<T>);
    set_device_only_function(prepare_solve_codelet<T>(), solve_on_worker);
    set_device_only_function(solve_piece_codelet<T>(), solve_on_worker);
    add_task_costs<T>();
}

std::atomic<int> forced_sharing{1};

#ifdef FROND_LOWEST_CAPABILITY
constexpr int lowest_capability = FROND_LOWEST_CAPABILITY;
#else
constexpr int lowest_capability = 0;  // AMD's have none
#endif

/// Asked once for each device: the answer takes a while, and every factorization wants it.
count_t total_bytes(int device) {
    static std::mutex mutex;
    static std::map<int, count_t> known;
    const std::lock_guard lock(mutex);
    if (const auto found = known.find(device); found != known.end()) return found->second;
    const CurrentDevice now(device);
    std::size_t free = 0, total = 0;
    check(FROND_GPU(MemGetInfo)(&free, &total), "asking for the memory of the device");
    return known[device] = static_cast<count_t>(total);
}

/// StarPU knows no size of the host's memory, which is that of an emulated device.
void ask_for_memory(Device& place) {
    const auto known = static_cast<count_t>(starpu_memory_get_total(place.memory_node));
    const count_t total = total_bytes(place.device);
    place.memory_bytes = known >= 0 ? known : total;
    place.beside_bytes = std::max<count_t>(total - place.memory_bytes, 0);
}

unsigned unsigned_id(int worker) { return static_cast<unsigned>(worker); }

}  // namespace

DeviceVendor vendor_of_build() noexcept { return vendor; }

int device_count() noexcept {
    int count = 0;
    const auto status = FROND_GPU(GetDeviceCount)(&count);
    ignore(status);
    return status == FROND_GPU(Success) ? count : 0;
}

std::string why_unusable() {
    for (int device = 0; device < device_count(); ++device)
        if (const std::string reason = why_no_code_for(device, lowest_capability); !reason.empty()) return reason;
    return blas_library_missing();
}

std::vector<Device> devices() {
    if (has_lost_device()) return {};
    std::array<int, STARPU_NMAXWORKERS> workers{};
    const int count = static_cast<int>(
        starpu_worker_get_ids_by_type(device_worker_type, workers.data(), static_cast<int>(workers.size())));
    std::vector<Device> places;
    for (int w = 0; w < count; ++w) {
        const int worker = workers[static_cast<std::size_t>(w)], device = starpu_worker_get_devid(worker);
        const bool is_new =
            std::all_of(places.begin(), places.end(), [device](const Device& place) { return place.device != device; });
        if (!is_new) continue;
        const unsigned node = starpu_worker_get_memory_node(unsigned_id(worker));
        places.push_back({device, node, 0, worker});
        ask_for_memory(places.back());
    }
    if (const int times = forced_sharing.load(); places.size() == 1 && times > 1) {
        places.front().memory_bytes /= times;
        places.front().beside_bytes /= times;
        places.resize(static_cast<std::size_t>(times), places.front());
    }
    return places;
}

std::optional<Device> first_device() {
    const std::vector<Device> all = devices();
    return all.empty() ? std::nullopt : std::optional(all.front());
}

void force_sharing(int times) noexcept { forced_sharing.store(times); }

bool sharing_is_forced() noexcept { return forced_sharing.load() > 1; }

bool pin_host_memory(void* data, count_t bytes) noexcept try {
    const std::optional<Device> place = first_device();
    if (!place || !device_room().admits(DeviceRoom::Use::pinned)) return false;
    const CurrentDevice now(place->device);
    constexpr unsigned flags = FROND_GPU(HostRegisterPortable) | FROND_GPU(HostRegisterMapped);
    if (FROND_GPU(HostRegister)(data, static_cast<std::size_t>(bytes), flags) != FROND_GPU(Success)) {
        static_cast<void>(FROND_GPU(GetLastError)());  // else the next launch would be blamed for it
        return false;
    }
    void* there = nullptr;
    if (FROND_GPU(HostGetDevicePointer)(&there, data, 0) == FROND_GPU(Success) && there == data) return true;
    static_cast<void>(FROND_GPU(GetLastError)());
    unpin_host_memory(data);
    return false;
} catch (const DeviceError&) {
    return false;
}

void unpin_host_memory(void* data) noexcept {
    if (!has_lost_device()) ignore(FROND_GPU(HostUnregister)(data));
}

void add_device_tasks() {
    prepare_worker_contexts();
    static std::once_flag once;
    std::call_once(once, [] {
#define FROND_ADD(T) add_tasks<T>();
        FROND_FOR_EACH_SCALAR(FROND_ADD)
#undef FROND_ADD
    });
}

}  // namespace frond::gpu

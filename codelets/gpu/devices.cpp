// SPDX-License-Identifier: BSD-3-Clause
#include "frond/gpu/devices.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>

#include "blas_library.hpp"
#include "device_memory.hpp"
#include "frond/codelets/device_room.hpp"
#include "frond/codelets/task_kind.hpp"

namespace frond::gpu {
namespace {

std::atomic<int> forced_sharing{1};
std::atomic<bool> forced_sharing_of_fronts{false};
std::atomic<double> forced_cores{0};
std::atomic<bool> small_pieces{false};

#ifdef FROND_LOWEST_CAPABILITY
constexpr int lowest_capability = FROND_LOWEST_CAPABILITY;
#else
constexpr int lowest_capability = 0;  // AMD's have none
#endif

/// Asked once for each device: the answer takes a while, and every factorization wants it.
count_t total_bytes(int device) {
    static std::mutex mutex;
    static std::map<int, count_t>& known = *new std::map<int, count_t>;
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

/// The number follows from the positions of the devices on the buses of the machine.
count_t devices_seen() noexcept {
    std::uint64_t seen = 0;
    for (int device = 0; device < device_count(); ++device) {
        std::array<char, 32> place{};
        ignore(FROND_GPU(DeviceGetPCIBusId)(place.data(), static_cast<int>(place.size()), device));
        for (const char c : place) seen = seen * 131 + static_cast<unsigned char>(c) + 1;
    }
    return static_cast<count_t>(seen >> 16);  // sums of ranks do not pass the range
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

void force_sharing_of_fronts(bool forced) noexcept { forced_sharing_of_fronts.store(forced); }

bool sharing_of_fronts_is_forced() noexcept { return forced_sharing_of_fronts.load(); }

void force_cores(double speed) noexcept { forced_cores.store(speed); }

double forced_speed_of_cores() noexcept { return forced_cores.load(); }

void force_small_pieces(bool force) noexcept { small_pieces.store(force); }

bool small_pieces_are_forced() noexcept { return small_pieces.load(); }

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

void set_device_body(starpu_codelet& codelet, TaskKind::Body body, DeviceRun run) {
    if (codelet.cpu_funcs[0] == nullptr)
        set_device_only_function(codelet, body);
    else
        set_device_function(codelet, body, run == DeviceRun::asynchronous);
}

}  // namespace frond::gpu

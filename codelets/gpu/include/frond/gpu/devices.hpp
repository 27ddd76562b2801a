// SPDX-License-Identifier: BSD-3-Clause
// What a session asks of the device part of this build; codelets/no_gpu answers where there is none.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frond/base/device_vendor.hpp"
#include "frond/base/types.hpp"

namespace frond::gpu {

/// none: this build has no device tasks.
DeviceVendor vendor_of_build() noexcept;

/// Devices of that vendor that its runtime sees; 0 without a driver.
int device_count() noexcept;

/// A number that differs where a process sees other devices, or in another order; 0: none.
count_t devices_seen() noexcept;

/// Empty when devices can be used, else what is missing and the cure.
std::string why_unusable();

/// A device as the vendor's runtime numbers it, and its memory node of StarPU.
struct Device {
    int device = 0;
    unsigned memory_node = 0;
    count_t memory_bytes = 0;  // that StarPU may use
    int worker = -1;  // of StarPU, that runs tasks there
    count_t beside_bytes = 0;  // that the device has in addition to these
};
/// The devices of the running session; solves are on the first. Empty: there is none, or one is lost.
std::vector<Device> devices();
/// The first of them.
std::optional<Device> first_device();

/// The calling thread's current device is as it was when this goes: StarPU chooses devices for threads that allocate,
/// free, start or end it. Makes no context where nothing else does.
class KeptDevice {
public:
    /// wanted: false does nothing, for sessions without devices, where the first call of the vendor's runtime would
    /// take a tenth of a second.
    explicit KeptDevice(bool wanted = true) noexcept;
    KeptDevice(const KeptDevice&) = delete;
    KeptDevice& operator=(const KeptDevice&) = delete;
    ~KeptDevice();

private:
    int before_ = -1;  // none
};

/// False after a fault of a kernel on that node's device: the vendor's runtime then refuses every call for it until
/// the process ends, what was there is lost, and StarPU would end the process where it is asked to free memory of it.
/// A few microseconds. While StarPU runs.
bool works(unsigned memory_node) noexcept;
/// works() said false of some device: from then on nothing is given to devices, and nothing of theirs is freed.
bool has_lost_device() noexcept;

/// For tests: where there is one device, devices() names it `times` times over, each with its part of the memory, and
/// whatever the costs a tree is shared among devices. 1: as usual.
void force_sharing(int times) noexcept;
bool sharing_is_forced() noexcept;
/// The same, and fronts on tiles are done by all of them where every front above is, in blocks of a tile column each.
void force_sharing_of_fronts(bool forced) noexcept;
bool sharing_of_fronts_is_forced() noexcept;
/// For tests and measurements: cores next to a device are taken to be so many times as quick as they are, and what
/// passes to the device to cost nothing, so that they are given more. 0: as usual.
void force_cores(double speed) noexcept;
double forced_speed_of_cores() noexcept;
/// For tests: with little room a tree is cut as if levels and kernels took no time, so that small trees have many pieces.
/// false: as usual.
void force_small_pieces(bool force) noexcept;
bool small_pieces_are_forced() noexcept;

/// Makes host memory such that kernels of devices() read and write it, at the same addresses. False: it cannot be.
bool pin_host_memory(void* data, count_t bytes) noexcept;
void unpin_host_memory(void* data) noexcept;

/// Before the first task of a session with devices, by who will release them: sessions in static variables end after what
/// was made before them.
void prepare_worker_contexts();

/// Scales the rates behind costs and choices (frond/codelets/rates.hpp) by a measurement of one core, one
/// device and the link, once a process: some milliseconds and 24 MiB of the device, on the calling thread.
/// What cannot be measured stays as shipped. While StarPU runs, with BLAS on one thread and before the
/// first task of a session with devices.
void measure_rates() noexcept;

/// Frees what the device workers keep between tasks. While StarPU runs, and no task of Frond does.
void release_worker_contexts() noexcept;

}  // namespace frond::gpu

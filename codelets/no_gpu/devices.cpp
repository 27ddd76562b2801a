// SPDX-License-Identifier: BSD-3-Clause
#include "frond/gpu/devices.hpp"
#include "frond/gpu/measured_cards.hpp"

namespace frond::gpu {

DeviceVendor vendor_of_build() noexcept { return DeviceVendor::none; }

int device_count() noexcept { return 0; }

std::string why_unusable() {
    return "this build of Frond has no device tasks; build it with nvcc or hipcc and a "
           "StarPU that has CUDA or HIP";
}

std::vector<Device> devices() { return {}; }

std::optional<Device> first_device() { return std::nullopt; }

KeptDevice::KeptDevice(bool) noexcept { static_cast<void>(before_); }
KeptDevice::~KeptDevice() = default;

bool works(unsigned) noexcept { return true; }
bool has_lost_device() noexcept { return false; }

void force_sharing(int) noexcept {}

bool sharing_is_forced() noexcept { return false; }
void force_sharing_of_fronts(bool) noexcept {}
bool sharing_of_fronts_is_forced() noexcept { return false; }

void force_cores(double) noexcept {}

double forced_speed_of_cores() noexcept { return 0; }

void force_small_pieces(bool) noexcept {}

bool small_pieces_are_forced() noexcept { return false; }

bool pin_host_memory(void*, count_t) noexcept { return false; }
void unpin_host_memory(void*) noexcept {}

void prepare_worker_contexts() {}
std::vector<MeasuredCard> measured_cards() { return {}; }
void measure_rates() noexcept {}
void release_worker_contexts() noexcept {}

}  // namespace frond::gpu

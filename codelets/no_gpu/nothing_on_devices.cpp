// SPDX-License-Identifier: BSD-3-Clause
// What a process without a vendor's runtime has no need of: a current device, lost devices, settings of tests, what workers
// keep there. For simulated devices, too.
#include "frond/gpu/devices.hpp"
#include "frond/gpu/measured_cards.hpp"

namespace frond::gpu {

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

void prepare_worker_contexts() {}
void release_worker_contexts() noexcept {}
/// A simulated card is described by a file.
std::vector<MeasuredCard> measured_cards() { return {}; }

}  // namespace frond::gpu

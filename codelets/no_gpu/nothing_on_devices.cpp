// SPDX-License-Identifier: BSD-3-Clause
// What a process without a vendor's runtime has no need of: a current device, lost devices, settings of tests, what workers
// keep there. For simulated devices, too.
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/gpu/callers_stream.hpp"
#include "frond/gpu/copied_bytes.hpp"
#include "frond/gpu/devices.hpp"
#include "frond/gpu/load_kernels.hpp"
#include "frond/gpu/measured_cards.hpp"
#include "frond/gpu/process_copies.hpp"
#include "frond/gpu/resident_solve.hpp"

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

MemoryPlace place_of(const void*, int) { return MemoryPlace::host; }

CallersStream::CallersStream(int device, void*) : device_(device) {
    throw DeviceError("this build of Frond has no device tasks");
}

CallersStream::~CallersStream() = default;

void CallersStream::wait() const {}

void CallersStream::copy_columns(Copy, const Source&, const Target&, std::size_t, std::size_t) const {
    static_cast<void>(device_);
}

CopiedBytes take_copied_bytes() noexcept { return {}; }

template <class T>
count_t load_kernels(const std::atomic<bool>&) noexcept {
    return 0;
}

struct ProcessCopies::Parts {};

ProcessCopies::ProcessCopies() = default;
ProcessCopies::~ProcessCopies() = default;

bool ProcessCopies::offer(const ByteColumns&, unsigned, OfferedColumns&) noexcept { return false; }

ProcessCopies::Read ProcessCopies::read(index_t, const OfferedColumns&, const ByteColumns&, unsigned, void*) {
    return Read::never;
}

void ProcessCopies::upload(const ByteColumns&, const ByteColumns&, unsigned, void*) {
    throw DeviceError("this build has no devices");
}

void ProcessCopies::take_ended(std::vector<void*>&) {}

void ProcessCopies::begin_thread() noexcept {}

void ProcessCopies::close() noexcept {}

template <class T>
std::unique_ptr<ResidentSolve<T>> make_resident_solve(int, unsigned, PlacedFactors<T>, index_t) {
    throw DeviceError("this build of Frond has no device tasks");
}

std::shared_ptr<const ResidentPlan> plan_resident_solve(const Analysis&) { return nullptr; }

ResidentBytes resident_bytes(const Analysis&, const ResidentPlan&, count_t) { return {}; }

#define FROND_INSTANTIATE(T)                                             \
    template count_t load_kernels<T>(const std::atomic<bool>&) noexcept; \
    template std::unique_ptr<ResidentSolve<T>> make_resident_solve<T>(int, unsigned, PlacedFactors<T>, index_t);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu

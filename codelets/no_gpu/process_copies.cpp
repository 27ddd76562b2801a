// SPDX-License-Identifier: BSD-3-Clause
#include "frond/gpu/process_copies.hpp"

#include "frond/base/error.hpp"

namespace frond::gpu {

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

}  // namespace frond::gpu

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <limits>

#include "frond/base/types.hpp"

namespace frond {

/// Device memory that Frond asks for in addition to StarPU's copies of data: counted, so that a test sees what is left,
/// and refused on request, as HostHeap refuses host memory. Only what allocates or frees looks here.
/// @par Thread safety  any call from any thread.
class DeviceRoom {
public:
    enum class Use : std::uint8_t {
        factors,  // of a whole tree
        tables,  // of a whole tree and of solves: lists, fronts, vectors, inverses
        scratch,  // of a worker, for its tasks
        pinned  // host memory that the device reads and writes
    };
    static constexpr std::size_t uses = 4;

    /// To be called before memory is asked for. False: the caller has to act as if there were none.
    bool admits(Use use) noexcept {
        requests_[at(use)].fetch_add(1, std::memory_order_relaxed);
        return left_[at(use)].fetch_sub(1, std::memory_order_relaxed) > 0;
    }
    void add(Use use, count_t bytes) noexcept { bytes_[at(use)].fetch_add(bytes, std::memory_order_relaxed); }
    void remove(Use use, count_t bytes) noexcept { bytes_[at(use)].fetch_sub(bytes, std::memory_order_relaxed); }

    count_t used_bytes(Use use) const noexcept { return bytes_[at(use)].load(std::memory_order_relaxed); }
    /// Since the process began, refused ones among them.
    count_t requests(Use use) const noexcept { return requests_[at(use)].load(std::memory_order_relaxed); }

    /// The next `count` requests for that use are admitted, later ones refused, until the next call.
    void admit_only(Use use, count_t count) noexcept { left_[at(use)].store(count, std::memory_order_relaxed); }
    void admit_all() noexcept {
        for (std::atomic<count_t>& left : left_) left.store(no_limit, std::memory_order_relaxed);
    }

    DeviceRoom() noexcept { admit_all(); }
    DeviceRoom(const DeviceRoom&) = delete;
    DeviceRoom& operator=(const DeviceRoom&) = delete;

private:
    static constexpr count_t no_limit = std::numeric_limits<count_t>::max() / 2;
    static std::size_t at(Use use) noexcept { return static_cast<std::size_t>(use); }

    std::array<std::atomic<count_t>, uses> left_{}, bytes_{}, requests_{};
};

/// That of the process.
DeviceRoom& device_room() noexcept;

}  // namespace frond

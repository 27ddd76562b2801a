// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "handles/data_handle.hpp"

namespace frond::detail {

/// The factors of a tree in handles of some large parts, which StarPU may put anywhere: a task writes them on the
/// device it runs on, and they stay there while they are held. The device's memory for them is reserved before.
class FactorParts {
public:
    FactorParts() = default;
    /// part_bytes: multiples of 256. @throws DeviceError where the node has no room
    FactorParts(unsigned node, std::vector<count_t> part_bytes);
    FactorParts(FactorParts&& other) noexcept { swap(other); }
    FactorParts& operator=(FactorParts&& other) noexcept {
        FactorParts gone(std::move(other));
        swap(gone);
        return *this;
    }
    ~FactorParts();

    bool is_empty() const noexcept { return handles_.empty(); }
    unsigned node() const noexcept { return node_; }
    count_t bytes() const noexcept { return bytes_; }
    const std::vector<count_t>& part_bytes() const noexcept { return part_bytes_; }
    const std::vector<DataHandle>& handles() const noexcept { return handles_; }

    /// After the task that wrote them: they stay on the node, readable. @throws DeviceError
    void hold();
    /// While held: where each begins.
    const std::vector<unsigned char*>& begin() const noexcept { return begin_; }
    /// Before a task writes them anew, or where StarPU may move them.
    void let_go() noexcept;

private:
    void swap(FactorParts& other) noexcept;

    unsigned node_ = 0;
    count_t bytes_ = 0;
    std::vector<count_t> part_bytes_;
    std::vector<DataHandle> handles_;
    std::vector<unsigned char*> begin_;  // of those held
};

}  // namespace frond::detail

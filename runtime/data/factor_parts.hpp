// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "data/data_handle.hpp"
#include "data/device_block.hpp"

namespace frond::detail {

/// The factors of a tree in handles of some large parts. They have no memory of their own: StarPU allocates it on the
/// device of the task that writes them.
class FactorParts {
public:
    FactorParts() = default;
    FactorParts(unsigned node, std::vector<count_t> bytes, DeviceBlock block);
    FactorParts(FactorParts&&) noexcept = default;
    FactorParts& operator=(FactorParts&& other) noexcept;
    ~FactorParts() { let_go(); }

    bool is_empty() const noexcept { return handles_.empty(); }
    unsigned node() const noexcept { return node_; }
    count_t bytes() const noexcept;
    const std::vector<count_t>& part_bytes() const noexcept { return bytes_; }
    const std::vector<DataHandle>& handles() const noexcept { return handles_; }

    /// After the task that wrote them: keeps them where they are, readable, until they go. @throws DeviceError
    void hold();
    /// While held.
    const std::vector<unsigned char*>& begin() const noexcept { return begin_; }
    DeviceBlock take_block() {
        let_go();
        handles_.clear();
        return std::move(block_);
    }

private:
    void let_go() noexcept;

    unsigned node_ = 0;
    std::vector<count_t> bytes_;
    DeviceBlock block_;
    std::vector<DataHandle> handles_;
    std::vector<unsigned char*> begin_;
    std::size_t held_ = 0;  // handles
};

}  // namespace frond::detail

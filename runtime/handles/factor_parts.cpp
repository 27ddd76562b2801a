// SPDX-License-Identifier: BSD-3-Clause
#include "handles/factor_parts.hpp"

#include <numeric>
#include <string>
#include <utility>

#include "handles/part_interface.hpp"
#include "frond/codelets/device_room.hpp"

namespace frond::detail {
namespace {

constexpr auto use = DeviceRoom::Use::factors;

}  // namespace

FactorParts::FactorParts(unsigned node, std::vector<count_t> part_bytes)
    : node_(node), part_bytes_(std::move(part_bytes)) {
    const gpu::KeptDevice kept;
    FactorParts all;  // gives back what there is of them after an error
    all.node_ = node;
    const bool admitted = device_room().admits(use);
    for (const count_t bytes : part_bytes_) {
        all.handles_.push_back(DataHandle::of(register_part(bytes)));
        if (!admitted || !reserve_part(all.handles_.back().get(), node))
            throw DeviceError("no room for " + std::to_string(bytes) + " bytes of factors on the device");
        all.bytes_ += bytes;
        device_room().add(use, bytes);
    }
    all.part_bytes_ = std::move(part_bytes_);
    swap(all);
}

FactorParts::~FactorParts() {
    let_go();
    device_room().remove(use, bytes_);
    const gpu::KeptDevice kept(!handles_.empty());
    for (DataHandle& handle : handles_) {
        if (handle.is_known()) drop_reserved_part(handle.get(), node_);
        handle.release();
    }
}

void FactorParts::swap(FactorParts& other) noexcept {
    std::swap(node_, other.node_);
    std::swap(bytes_, other.bytes_);
    std::swap(part_bytes_, other.part_bytes_);
    std::swap(handles_, other.handles_);
    std::swap(begin_, other.begin_);
}

void FactorParts::hold() {
    begin_.reserve(handles_.size());
    while (begin_.size() < handles_.size()) {
        const starpu_data_handle_t handle = handles_[begin_.size()].get();
        if (starpu_data_acquire_on_node(handle, static_cast<int>(node_), STARPU_R) != 0)
            throw DeviceError("StarPU cannot read factors on the device");
        begin_.push_back(part_address(handle, node_));
    }
}

void FactorParts::let_go() noexcept {
    for (std::size_t p = 0; p < begin_.size(); ++p)
        if (handles_[p].is_known()) starpu_data_release_on_node(handles_[p].get(), static_cast<int>(node_));
    begin_.clear();
}

}  // namespace frond::detail

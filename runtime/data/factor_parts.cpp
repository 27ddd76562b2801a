// SPDX-License-Identifier: BSD-3-Clause
#include "data/factor_parts.hpp"

#include <numeric>
#include <utility>

namespace frond::detail {

FactorParts::FactorParts(unsigned node, std::vector<count_t> bytes, DeviceBlock block)
    : node_(node), bytes_(std::move(bytes)), block_(std::move(block)) {
    for (const count_t b : bytes_) {
        auto* const here = block_.is_empty() ? nullptr : static_cast<unsigned char*>(block_.take(b));
        handles_.push_back(here == nullptr ? DataHandle::vector_without_home<unsigned char>(b)
                                           : DataHandle::vector(here, b, node));
    }
}

FactorParts& FactorParts::operator=(FactorParts&& other) noexcept {
    let_go();
    node_ = other.node_;
    bytes_ = std::move(other.bytes_);
    handles_ = std::move(other.handles_);  // before the memory
    block_ = std::move(other.block_);
    begin_ = std::move(other.begin_);
    held_ = std::exchange(other.held_, 0);
    return *this;
}

count_t FactorParts::bytes() const noexcept { return std::accumulate(bytes_.begin(), bytes_.end(), count_t{0}); }

void FactorParts::hold() {
    for (; held_ < handles_.size(); ++held_) {
        const starpu_data_handle_t handle = handles_[held_].get();
        if (starpu_data_acquire_on_node(handle, static_cast<int>(node_), STARPU_R) != 0)
            throw DeviceError("StarPU cannot read factors on the device");
        begin_.push_back(
            reinterpret_cast<unsigned char*>(STARPU_VECTOR_GET_PTR(starpu_data_get_interface_on_node(handle, node_))));
    }
}

void FactorParts::let_go() noexcept {
    for (std::size_t p = 0; p < held_; ++p)
        if (handles_[p].is_known()) starpu_data_release_on_node(handles_[p].get(), static_cast<int>(node_));
    held_ = 0;
    begin_.clear();
}

}  // namespace frond::detail

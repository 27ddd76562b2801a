// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "copies.hpp"

namespace frond::gpu {

/// A block of device memory and its copy on the host, which is there after drain().
template <class T>
struct Mirror {
    DenseView<T> device;
    std::vector<T> copy;

    explicit Mirror(DenseView<T> block)
        : device(block), copy(static_cast<std::size_t>(block.rows) * static_cast<std::size_t>(block.cols)) {
        fetch(host(), device);
    }
    DenseView<T> host() { return {copy.data(), device.rows, device.cols, device.rows}; }
    void send_back() { send(device, host()); }
};

}  // namespace frond::gpu

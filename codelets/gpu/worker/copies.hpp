// SPDX-License-Identifier: BSD-3-Clause
// All copies of tasks between host and device: on the worker's stream, checked, and counted for FactorReport.
#pragma once

#include <cstddef>

#include "kernels/level_batch/panel.hpp"

namespace frond::gpu {

/// `what` is for the error. @throws DeviceError
void send(void* device, const void* host, std::size_t bytes, const char* what);
void fetch(void* host, const void* device, std::size_t bytes, const char* what);

void count_sent(std::size_t bytes) noexcept;
void count_fetched(std::size_t bytes) noexcept;

template <class T>
std::size_t bytes_of(DenseView<T> block) noexcept {
    return sizeof(T) * static_cast<std::size_t>(block.rows) * static_cast<std::size_t>(block.cols);
}

/// Blocks of the same shape; nothing where they are empty.
template <class T>
void send(DenseView<T> device, DenseView<T> host) {
    if (device.empty()) return;
    send_block<T>(task_stream(), host, device);
    count_sent(bytes_of(device));
}
template <class T>
void fetch(DenseView<T> host, DenseView<T> device) {
    if (device.empty()) return;
    fetch_block<T>(task_stream(), device, host);
    count_fetched(bytes_of(device));
}

}  // namespace frond::gpu

// SPDX-License-Identifier: BSD-3-Clause
// All copies of tasks between host and device: on the worker's stream, checked, and counted for FactorReport.
#pragma once

#include "check.hpp"
#include "kernels/level_batch/panel.hpp"

#include <cstddef>
#include <vector>

namespace frond::gpu {

/// For tasks that end with nothing left on their stream, also when an exception ends them: StarPU insists.
struct DrainAtExit {
    DrainAtExit() = default;
    DrainAtExit(const DrainAtExit&) = delete;
    DrainAtExit& operator=(const DrainAtExit&) = delete;
    ~DrainAtExit() { ignore(FROND_GPU(StreamSynchronize)(task_stream())); }
};

/// Waits for what the task put on its worker's stream; errors of its kernels come out here.
inline void drain() { check(FROND_GPU(StreamSynchronize)(task_stream()), "a task"); }

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

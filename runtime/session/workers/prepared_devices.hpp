// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include "frond/gpu/load_kernels.hpp"

namespace frond::detail {

/// What devices load for the first factorization, on threads of their own while the caller works before it, such as the
/// analysis. All calls from any thread.
class PreparedDevices {
public:
    PreparedDevices() = default;
    PreparedDevices(const PreparedDevices&) = delete;
    PreparedDevices& operator=(const PreparedDevices&) = delete;
    ~PreparedDevices() { stop(); }

    /// Begins to load what tasks of T need; once for each T. Where there is no thread the first use loads it.
    template <class T>
    void prepare() {
        static constexpr auto load = [](const std::atomic<bool>& stop) { gpu::load_kernels<T>(stop); };
        begin(load);
    }
    /// Called before StarPU ends: waits for what was begun, a kernel at most for each thread.
    void stop() noexcept;

private:
    using Load = void (*)(const std::atomic<bool>&);
    void begin(Load load);

    std::atomic<bool> stop_{false};
    std::mutex mutex_;
    std::vector<Load> begun_;
    std::vector<std::thread> threads_;
};

}  // namespace frond::detail

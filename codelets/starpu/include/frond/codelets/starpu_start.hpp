// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <starpu.h>

#include <atomic>

namespace frond {

/// Which of StarPU's starts an object belongs to. Handles and memory die with the StarPU that they were made with,
/// whoever shut it down; the next one, which knows nothing of them, must not be asked to free them.
/// Sessions count the starts.
class StarpuStart {
public:
    /// The latest.
    StarpuStart() noexcept : number_(count().load()) {}

    static StarpuStart next() noexcept {
        ++count();
        traced() = asks_for_trace();
        return {};
    }
    bool is_running() const noexcept { return starpu_is_initialized() != 0 && number_ == count().load(); }
    /// Whether the latest writes a trace: its tasks have names then.
    static bool is_traced() noexcept { return traced().load(std::memory_order_relaxed); }

private:
    static bool asks_for_trace() noexcept {
#ifdef STARPU_USE_FXT
        return starpu_fxt_is_enabled() != 0;
#else
        return false;
#endif
    }
    static std::atomic<bool>& traced() noexcept {
        static std::atomic<bool> is{false};
        return is;
    }
    static std::atomic<int>& count() noexcept {
        static std::atomic<int> starts{0};
        return starts;
    }

    int number_;
};

}  // namespace frond

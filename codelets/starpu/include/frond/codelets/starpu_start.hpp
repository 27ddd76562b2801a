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
        return {};
    }
    bool is_running() const noexcept { return starpu_is_initialized() != 0 && number_ == count().load(); }

private:
    static std::atomic<int>& count() noexcept {
        static std::atomic<int> starts{0};
        return starts;
    }

    int number_;
};

}  // namespace frond

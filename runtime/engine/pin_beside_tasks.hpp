// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <starpu.h>

#include <atomic>
#include <thread>
#include <vector>

#include "frond/base/host_block.hpp"
#include "engine/task_data.hpp"
#include "frond/codelets/job.hpp"

namespace frond::detail {

/// Data whose home memory is a block of the host that is not ready; or such a block alone.
struct UnreadyPart {
    DataRef handle;
    HostBlock* home = nullptr;
};

/// Makes blocks ready, on threads of its own, while tasks of the job run: a task that uses one of the data begins when
/// that one's block is ready. The first ones come first. After an error, which ends the job, and after its cancellation the
/// rest is left as it was. The job must outlive this, and the blocks as well.
class PinBesideTasks {
public:
    /// Made before the tasks that use the data are submitted. @throws RuntimeError
    PinBesideTasks(Job& job, std::vector<UnreadyPart> parts);
    PinBesideTasks(const PinBesideTasks&) = delete;
    PinBesideTasks& operator=(const PinBesideTasks&) = delete;
    /// Waits.
    ~PinBesideTasks();

private:
    void pin_parts(index_t touching_threads) noexcept;
    void pin(const UnreadyPart& part, index_t touching_threads) noexcept;
    void begin();

    Job& job_;
    std::vector<UnreadyPart> parts_;
    std::atomic<std::size_t> next_{0};
    std::vector<std::thread> threads_;
};

}  // namespace frond::detail

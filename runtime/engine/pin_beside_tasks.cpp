// SPDX-License-Identifier: BSD-3-Clause
#include "engine/pin_beside_tasks.hpp"

#include <algorithm>
#include <utility>

#include "frond/base/error.hpp"

namespace frond::detail {
namespace {

/// The system's part of pinning is one thread's work; meanwhile others touch the pages of the next block.
constexpr index_t most_blocks_at_once = 4, most_touching_threads = 16;

bool acquire(starpu_data_handle_t handle) {
    return handle == nullptr || starpu_data_acquire_on_node(handle, STARPU_MAIN_RAM, STARPU_W) == 0;
}

void release(starpu_data_handle_t handle) noexcept {
    if (handle != nullptr) starpu_data_release_on_node(handle, STARPU_MAIN_RAM);
}

}  // namespace

/// Who writes the data waits for these accesses to end, as for a task.
PinBesideTasks::PinBesideTasks(Job& job, std::vector<UnreadyPart> parts) : job_(job), parts_(std::move(parts)) {
    std::size_t acquired = 0;
    while (acquired < parts_.size() && acquire(parts_[acquired].handle)) ++acquired;
    if (acquired < parts_.size()) {
        for (std::size_t p = 0; p < acquired; ++p) release(parts_[p].handle);
        throw RuntimeError("StarPU cannot give memory of factors that no task uses yet");
    }
    begin();
}

void PinBesideTasks::begin() {
    const auto at_once = static_cast<index_t>(std::min(parts_.size(), std::size_t{most_blocks_at_once}));
    const auto cores = static_cast<index_t>(std::thread::hardware_concurrency());
    const index_t touching_threads = std::max(std::min(cores, most_touching_threads) / most_blocks_at_once, 1);
    try {
        for (index_t t = 0; t < at_once; ++t)
            threads_.emplace_back([this, touching_threads] { pin_parts(touching_threads); });
    } catch (...) {  // no more threads
        if (threads_.empty()) pin_parts(HostHeap::all_threads);
    }
}

void PinBesideTasks::pin_parts(index_t touching_threads) noexcept {
    for (std::size_t p = next_++; p < parts_.size(); p = next_++) pin(parts_[p], touching_threads);
}

void PinBesideTasks::pin(const UnreadyPart& part, index_t touching_threads) noexcept {
    try {
        if (!job_.stopped()) part.home->be_ready(touching_threads);
    } catch (...) {
        job_.fail(std::current_exception());
    }
    release(part.handle);
}

PinBesideTasks::~PinBesideTasks() {
    for (std::thread& thread : threads_) thread.join();
}

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace frond::detail {

/// Pauses StarPU's workers some milliseconds after their last use, on a thread of its own, since waking a dozen of them
/// takes a tenth of a millisecond: solves that follow each other find them awake. Any thread may call.
class LateRest {
public:
    /// The workers are paused.
    LateRest() : thread_([this] { run(); }) {}
    LateRest(const LateRest&) = delete;
    LateRest& operator=(const LateRest&) = delete;
    /// They are afterwards, unless they are in use.
    ~LateRest();

    /// They are in use no more.
    void rest() noexcept;
    /// They are in use again. False: they have been paused.
    bool keep_awake() noexcept;
    /// In a child made by fork(), where there is no such thread; then only the destructor may follow.
    void forget_thread() noexcept { thread_.detach(); }

private:
    void run();

    std::mutex mutex_;
    std::condition_variable changed_;
    bool ends_ = false;
    bool is_due_ = false;  // a pause, at due_
    bool was_used_ = false;  // since the thread looked last
    bool sleeps_ = false;  // until it is notified
    std::chrono::steady_clock::time_point due_;
    std::thread thread_;
};

}  // namespace frond::detail

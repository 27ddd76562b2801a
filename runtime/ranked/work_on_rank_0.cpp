// SPDX-License-Identifier: BSD-3-Clause
#include "ranked/work_on_rank_0.hpp"

#include <chrono>
#include <exception>
#include <future>

#include "ranks/collectively.hpp"

namespace frond::detail {
namespace {

/// Until an answer from another rank is looked for again.
constexpr std::chrono::milliseconds between_looks{1};

/// MPI stays with the thread that called Frond.
std::exception_ptr run_beside(Communicator& ranks, const std::atomic<bool>* cancel, std::atomic<bool>& stop,
                              const std::function<void(const std::atomic<bool>*)>& work) {
    std::future<void> done;
    std::exception_ptr error;
    try {
        done = std::async(std::launch::async, [&] { work(&stop); });
    } catch (...) {
        error = std::current_exception();
    }
    ranks.attend([&] { return !done.valid() || done.wait_for(between_looks) == std::future_status::ready; }, stop,
                 cancel);
    try {
        if (done.valid()) done.get();
    } catch (...) {
        error = std::current_exception();
    }
    return error;
}

}  // namespace

void work_on_rank_0(Communicator& ranks, const std::atomic<bool>* cancel,
                    const std::function<void(const std::atomic<bool>* stop)>& work) {
    if (ranks.size() == 1) return work(cancel);
    std::atomic<bool> stop{false};
    std::exception_ptr error;
    if (ranks.rank() == 0)
        error = run_beside(ranks, cancel, stop, work);
    else
        ranks.attend([] { return true; }, stop, cancel);
    throw_together(ranks, std::move(error));
}

}  // namespace frond::detail

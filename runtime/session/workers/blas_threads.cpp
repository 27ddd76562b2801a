// SPDX-License-Identifier: BSD-3-Clause
#include "session/workers/blas_threads.hpp"

#include <mutex>

extern "C" {
int openblas_get_num_threads(void);
void openblas_set_num_threads(int);
}

namespace frond::detail {

namespace {

struct BlasThreads {
    std::mutex mutex;
    int users = 0, before = 0;

    static BlasThreads& of_process() {
        static BlasThreads threads;
        return threads;
    }
};

void set_blas_threads(int threads) noexcept {
    if (threads > 0 && threads != openblas_get_num_threads()) openblas_set_num_threads(threads);
}

}  // namespace

void keep_to_one_blas_thread() noexcept {
    BlasThreads& threads = BlasThreads::of_process();
    const std::lock_guard lock(threads.mutex);
    if (threads.users++ > 0) return;
    threads.before = openblas_get_num_threads();
    set_blas_threads(1);
}

void give_back_blas_threads() noexcept {
    BlasThreads& threads = BlasThreads::of_process();
    const std::lock_guard lock(threads.mutex);
    if (--threads.users == 0) set_blas_threads(threads.before);
}

}  // namespace frond::detail

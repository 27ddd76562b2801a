// SPDX-License-Identifier: BSD-3-Clause
#include "on_threads.hpp"

#include "frond/base/hardware.hpp"

#include <algorithm>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace frond {

void on_threads(index_t threads, count_t count, const std::function<void(Chunks&)>& work) {
    Chunks chunks(count);
    if (threads <= 1 || count <= 1) return work(chunks);
    std::mutex mutex;
    std::exception_ptr error;
    const auto guarded = [&]() noexcept {
        try {
            work(chunks);
        } catch (...) {
            const std::lock_guard lock(mutex);
            if (!error) error = std::current_exception();
            chunks.drop_the_rest();
        }
    };
    {
        std::vector<std::jthread> helpers;
        const count_t wanted = std::min<count_t>(threads, count) - 1;
        try {
            helpers.reserve(static_cast<std::size_t>(wanted));
            for (count_t t = 0; t < wanted; ++t) helpers.emplace_back(guarded);
        } catch (const std::system_error&) {
            // No more threads to be had: those that run, and this one, do the work.
        }
        guarded();
    }
    if (error) std::rethrow_exception(error);
}

void for_each_chunk(index_t threads, count_t count, const std::function<void(count_t)>& body) {
    on_threads(threads, count, [&](Chunks& chunks) {
        for (count_t chunk = 0; chunks.take(chunk);) body(chunk);
    });
}

index_t threads_for(index_t asked, count_t entries) {
    constexpr count_t least_entries = 50000;
    if (entries < least_entries) return 1;
    return asked > 0 ? asked : std::max<index_t>(1, usable_cores());
}

}  // namespace frond

// SPDX-License-Identifier: BSD-3-Clause
#include "new_memory.hpp"

#include "frond/base/usable_cores.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace frond::cli {
namespace {

constexpr std::size_t bytes = std::size_t{64} << 20;

/// Of `bytes`, in seconds of the calling thread's processor time. The compiler has to believe that somebody reads them.
double time_of_filling(char* data, char value) {
    const double start = thread_seconds();
    for (std::size_t k = 0; k < bytes; k += sizeof(std::uint64_t)) {
        const std::uint64_t word = static_cast<unsigned char>(value);
        std::memcpy(data + k, &word, sizeof word);
    }
    volatile const char* const last = data + bytes - 1;
    static_cast<void>(*last);
    return thread_seconds() - start;
}

class Measurement {
public:
    /// On one of the threads.
    void run() noexcept {
        constexpr int times = 5;
        try {
            for (int k = 0; k < times; ++k) {
                // So large a block comes from the system, and goes back to it.
                const auto block = std::make_unique_for_overwrite<char[]>(bytes);
                const double first = time_of_filling(block.get(), 1);
                const double again = time_of_filling(block.get(), 2);
                add((first - again) / static_cast<double>(bytes));
            }
        } catch (...) {
            const std::lock_guard lock(mutex_);
            error_ = std::current_exception();
        }
    }

    double median() {
        if (error_) std::rethrow_exception(error_);
        const auto middle = seconds_.begin() + static_cast<std::ptrdiff_t>(seconds_.size() / 2);
        std::nth_element(seconds_.begin(), middle, seconds_.end());
        return std::max(0.0, *middle);
    }

private:
    void add(double seconds) {
        const std::lock_guard lock(mutex_);
        seconds_.push_back(seconds);
    }

    std::mutex mutex_;
    std::vector<double> seconds_;  // of a byte
    std::exception_ptr error_;
};

}  // namespace

TimeModel measure_new_memory() {
    Measurement measurement;
    std::vector<std::jthread> threads;
    for (index_t core = 0; core < usable_cores(); ++core) threads.emplace_back([&measurement] { measurement.run(); });
    threads.clear();
    TimeModel model;
    model.per_term[1] = measurement.median();  // of bytes
    return model;
}

}  // namespace frond::cli

// SPDX-License-Identifier: BSD-3-Clause
// Seconds of one call: warm-up apart, calls batched until the clock can see them, median of
// samples.
#pragma once

#include <algorithm>
#include <ctime>
#include <vector>

namespace frond::bench {

/// CPU time of this thread: other programs on the machine do not count.
inline double thread_seconds() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

template <class Call>
double median_seconds(Call call, double sample_seconds = 2e-3, int samples = 7) {
    long repeats = 1;
    for (;; repeats *= 4) {  // warm-up, and the size of a batch
        const double start = thread_seconds();
        for (long r = 0; r < repeats; ++r) call();
        if (thread_seconds() - start >= sample_seconds) break;
    }
    std::vector<double> seconds;
    for (int s = 0; s < samples; ++s) {
        const double start = thread_seconds();
        for (long r = 0; r < repeats; ++r) call();
        seconds.push_back((thread_seconds() - start) / static_cast<double>(repeats));
    }
    std::nth_element(seconds.begin(), seconds.begin() + samples / 2, seconds.end());
    return seconds[static_cast<std::size_t>(samples) / 2];
}

/// The same for a call that destroys its input: restore() before each, its time taken off.
template <class Restore, class Call>
double median_seconds_restoring(Restore restore, Call call) {
    const double both = median_seconds([&] {
        restore();
        call();
    });
    return std::max(both - median_seconds(restore), 1e-10);
}

}  // namespace frond::bench

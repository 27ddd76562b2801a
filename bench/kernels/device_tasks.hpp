// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/data_handle.hpp"
#include "factors/state_of.hpp"
#include "frond/codelets/record_data.hpp"
#include "frond/session.hpp"
#include "problem.hpp"
#include "session/session_state.hpp"
#include "engine/insert_task.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

namespace frond::bench {

/// The session of these benches, with the cards of the machine.
inline const Session& device_session() {
    static const Session session;
    return session;
}

inline bool has_device() { return device_session().info().gpus > 0; }

constexpr std::uint32_t device_workers = STARPU_CUDA | STARPU_HIP;

inline double wall_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Median of what call() returns, the first left out.
template <class Call>
double median_after_first(Call call, int samples = 5) {
    call();
    std::vector<double> all;
    for (int s = 0; s < samples; ++s) all.push_back(call());
    std::nth_element(all.begin(), all.begin() + samples / 2, all.end());
    return all[static_cast<std::size_t>(samples) / 2];
}

/// Buffers of one task that is run on the device again and again, and stay there.
class DeviceTask {
public:
    DeviceTask() : guard_(*detail::state_of(device_session())) {}

    template <class T>
    void add(DenseView<T> block, starpu_data_access_mode mode) {
        add(detail::DataHandle::matrix(block), mode);
    }

    template <class Value>
    void add(std::vector<Value>& values, starpu_data_access_mode mode) {
        add(detail::DataHandle::vector(values.data(), static_cast<count_t>(values.size())), mode);
    }

    /// A record of n columns.
    template <class T>
    void add_record(std::vector<unsigned char>& bytes, index_t n, PivotOutcome& outcome, starpu_data_access_mode mode) {
        add(detail::DataHandle::record<T>(bytes.data(), n, outcome), mode);
    }

    template <class Object>
    void add_object(Object& object, starpu_data_access_mode mode) {
        add(detail::DataHandle::object(object), mode);
    }

    /// `count` runs, one after the other where they write the same buffers.
    template <class Arguments>
    double seconds_of(starpu_codelet codelet, const Arguments& arguments, int count) {
        codelet.where = device_workers;
        const double start = wall_seconds();
        Job job(detail::starpu_engine());
        for (int k = 0; k < count; ++k) detail::insert_task(job, codelet, arguments, accesses_, 0);
        job.wait();
        return wall_seconds() - start;
    }

    /// Wall-clock seconds of one run, with what StarPU does for it: the median of 5 batches.
    template <class Arguments>
    double median_seconds_of(const starpu_codelet& codelet, const Arguments& arguments) {
        constexpr double batch_seconds = 0.02;
        seconds_of(codelet, arguments, 1);  // brings the data
        int count = 4;
        while (seconds_of(codelet, arguments, count) < batch_seconds) count *= 4;
        return median_after_first([&] { return seconds_of(codelet, arguments, count) / count; });
    }

    /// The host's copies are current afterwards.
    void fetch() const {
        for (const detail::DataHandle& handle : handles_) detail::HostAccess(handle.get());
    }

private:
    void add(detail::DataHandle handle, starpu_data_access_mode mode) {
        accesses_.push_back({handle.get(), mode});
        handles_.push_back(std::move(handle));
    }

    detail::JobGuard guard_;  // before the handles: workers run until they are gone
    std::vector<detail::DataHandle> handles_;
    std::vector<detail::Access> accesses_;
};

/// One line of the table.
inline void print_device_rate(const char* name, index_t size, double amount, const char* unit, double seconds,
                              double error) {
    std::printf("  %-32s %6d %9.1f %-7s %10.1f us   error %.0e\n", name, size, amount / seconds * 1e-9, unit,
                seconds * 1e6, error);
    std::fflush(stdout);
}

}  // namespace frond::bench

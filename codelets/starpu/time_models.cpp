// SPDX-License-Identifier: BSD-3-Clause
#include "frond/codelets/time_models.hpp"

#include <atomic>
#include <ctime>
#include <mutex>
#include <utility>

#include "frond/base/error.hpp"
#include "frond/codelets/simulated_time.hpp"
#include "frond/codelets/simulation.hpp"
#include "frond/codelets/task_model.hpp"

namespace frond {
namespace {

struct AllTimes {
    std::mutex mutex;
    std::atomic<bool> is_recording{false};
    TimeSamples samples;
    TimeModels models;
    double new_byte_seconds = 0;
};

AllTimes& times() {
    static AllTimes& all = *new AllTimes;
    return all;
}

/// That has begun on this thread and not ended.
thread_local HostWork* innermost_work = nullptr;

double now_seconds() { return std::chrono::duration<double>(RunClock::now().time_since_epoch()).count(); }

}  // namespace

bool simulates() noexcept { return is_simulation; }

void use_time_models(TimeModels models) {
    times().models = std::move(models);
    const TimeModel* const found = find_time_model(new_memory);
    TaskWork byte;
    byte.bytes = 1;
    times().new_byte_seconds = found == nullptr ? 0 : found->of(byte);
}

double new_byte_seconds() noexcept { return times().new_byte_seconds; }

const TimeModel& time_model(std::string_view kind) {
    if (const TimeModel* const found = find_time_model(kind)) return *found;
    throw RuntimeError("the models have no task '" + std::string(kind) + "'; make them anew by frond calibrate");
}

const TimeModel* find_time_model(std::string_view kind) noexcept {
    const auto found = times().models.find(kind);
    return found == times().models.end() ? nullptr : &found->second;
}

void pass_simulated_seconds(double seconds) noexcept {
    if constexpr (is_simulation) {
        if (!(seconds > 0)) return;
        if (SimulatedTime* const ranks = SimulatedTime::running()) return ranks->pause(seconds);
        starpu_sleep(static_cast<float>(seconds));
    }
}

void pass_processor_seconds(double seconds) noexcept {
    if constexpr (is_simulation) {
        if (!(seconds > 0)) return;
        if (SimulatedTime* const ranks = SimulatedTime::running()) return ranks->pause(seconds);
        take_core(seconds);
    }
}

void record_times(bool on) noexcept { times().is_recording.store(on); }

double thread_seconds() noexcept {
    timespec now{};
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0) return 0;
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

bool are_times_recorded() noexcept { return times().is_recording.load(std::memory_order_relaxed); }

void add_time(const char* kind, const char* variant, const TaskWork& work, double seconds) noexcept {
    try {
        const std::string name = name_of_kind(kind, variant);
        const std::lock_guard lock(times().mutex);
        times().samples[name].push_back({work, seconds});
    } catch (const std::bad_alloc&) {  // one sample less
    }
}

TimeSamples take_times() {
    const std::lock_guard lock(times().mutex);
    return std::exchange(times().samples, {});
}

std::string name_of_kind(const char* kind, const char* variant) {
    return variant == nullptr ? std::string(kind) : std::string(kind) + " " + variant;
}

TaskTime::TaskTime() noexcept : is_recorded_(are_times_recorded()) {
    if (!is_recorded_) return;
    const int worker = starpu_worker_get_id();
    on_card_ = worker >= 0 && starpu_worker_get_type(worker) != STARPU_CPU_WORKER;
    start_seconds_ = on_card_ ? now_seconds() : thread_seconds();
}

void TaskTime::keep(const char* kind, const char* variant, const TaskWork& work) const noexcept {
    if (!is_recorded_ || (on_card_ && goes_on_after_body())) return;
    const double seconds = (on_card_ ? now_seconds() : thread_seconds()) - start_seconds_;
    try {
        add_time(on_card_ ? (std::string(on_card) + kind).c_str() : kind, variant, work, seconds);
    } catch (const std::bad_alloc&) {  // one sample less
    }
}

HostWork::HostWork(const char* kind, const TaskWork& work) : kind_(kind), work_(work), outer_(innermost_work) {
    innermost_work = this;
    if (are_times_recorded()) start_seconds_ = now_seconds();
}

void HostWork::change(const char* kind, const TaskWork& work) noexcept {
    kind_ = kind;
    work_ = work;
}

void HostWork::end() noexcept {
    if (std::exchange(has_ended_, true)) return;
    if (innermost_work == this) innermost_work = outer_;
    if constexpr (is_simulation) {
        const TimeModel* const model = kind_ == nullptr ? nullptr : find_time_model(kind_);
        if (model != nullptr) pass_simulated_seconds(model->of(work_));
    } else if (are_times_recorded() && start_seconds_ > 0) {
        const double all = now_seconds() - start_seconds_;
        if (outer_ != nullptr) outer_->inner_seconds_ += all;
        if (kind_ != nullptr) add_time(kind_, nullptr, work_, all - inner_seconds_);
    }
}

WorkBesideTasks::WorkBesideTasks(const char* kind, const TaskWork& work) noexcept
    : kind_(kind), work_(work), start_seconds_(are_times_recorded() ? thread_seconds() : -1) {}

WorkBesideTasks::~WorkBesideTasks() {
    if constexpr (is_simulation) {
        if (const TimeModel* const model = find_time_model(kind_)) pass_processor_seconds(model->of(work_));
    } else if (start_seconds_ >= 0) {
        add_time(kind_, nullptr, work_, thread_seconds() - start_seconds_);
    }
}

}  // namespace frond

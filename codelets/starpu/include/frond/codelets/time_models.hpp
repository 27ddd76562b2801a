// SPDX-License-Identifier: BSD-3-Clause
// How long the kinds of tasks take on a core of a machine: recorded where tasks run, given where they are simulated.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "frond/base/types.hpp"

namespace frond {

/// What the time of a task follows. items and rows are what its kind says: entries that are added, or fronts of a
/// subtree and the sum of their orders.
struct TaskWork {
    double flops = 0;  // real operations
    double bytes = 0;  // of buffers; of a subtree, of its fronts
    double items = 0;
    double rows = 0;

    std::array<double, 4> terms() const noexcept { return {flops, bytes, items, rows}; }
};

/// Seconds of one kind of task: seconds + per_term . (flops, bytes, items, rows).
struct TimeModel {
    double seconds = 0;
    std::array<double, 4> per_term{};

    double of(const TaskWork& work) const noexcept {
        double sum = seconds;
        for (std::size_t i = 0; i < per_term.size(); ++i) sum += per_term[i] * work.terms()[i];
        return sum;
    }
};

/// A task that ran, or a part of the work of the thread that submits.
struct TimeSample {
    TaskWork work;
    double seconds = 0;
};

/// By kind, as "update_tile transposed".
using TimeModels = std::map<std::string, TimeModel, std::less<>>;
using TimeSamples = std::map<std::string, std::vector<TimeSample>, std::less<>>;

/// Whether StarPU simulates in this build.
bool simulates() noexcept;

/// Sets the models that simulated tasks follow, before the first task.
void use_time_models(TimeModels models);
/// The model of one kind. @throws RuntimeError  there is none
const TimeModel& time_model(std::string_view kind);
/// The same; null: there is none.
const TimeModel* find_time_model(std::string_view kind) noexcept;

/// Kind of model: what the system takes to clear a byte of memory that is written for the first time.
inline constexpr const char* new_memory = "new memory";
/// The same, of the models in use; 0 where they do not say.
double new_byte_seconds() noexcept;

/// Lets so much simulated time pass for the calling thread. Where StarPU simulates.
void pass_simulated_seconds(double seconds) noexcept;
/// The same of processor time: that is more time where the thread shares its core with a worker.
void pass_processor_seconds(double seconds) noexcept;

/// From now on, or not any more, tasks leave samples: a microsecond each. Between jobs.
void record_times(bool on) noexcept;
bool are_times_recorded() noexcept;
/// Processor time of the calling thread: what others on its core take is not in it.
double thread_seconds() noexcept;
/// From any thread. Where there is no memory, a sample is lost.
void add_time(const char* kind, const char* variant, const TaskWork& work, double seconds) noexcept;
/// All of them, which are forgotten. Between jobs.
TimeSamples take_times();

/// Before the kinds of tasks that ran on a card, as "card factor_piece llt".
inline constexpr const char* on_card = "card ";

/// Times the body of a task where samples are recorded: processor time of a core, time on a card.
class TaskTime {
public:
    TaskTime() noexcept;
    /// Leaves a sample; none of a body on a card that returns before its work is done.
    void keep(const char* kind, const char* variant, const TaskWork& work) const noexcept;

private:
    bool is_recorded_, on_card_ = false;
    double start_seconds_ = 0;
};

/// "update_tile transposed"; without a variant the kind alone.
std::string name_of_kind(const char* kind, const char* variant);

/// Work that the thread which submits does itself, from the construction to the destruction: leaves a sample, or passes
/// as much simulated time as its model says. Where one contains others, its time is what is left without theirs.
class HostWork {
public:
    /// kind: null where the thread waits, and nothing of the time is its work.
    HostWork(const char* kind, const TaskWork& work);
    HostWork(const HostWork&) = delete;
    HostWork& operator=(const HostWork&) = delete;
    ~HostWork() { end(); }
    void end() noexcept;
    /// It turned out to be work of another kind.
    void change(const char* kind, const TaskWork& work) noexcept;

private:
    const char* kind_;
    TaskWork work_;
    HostWork* outer_;  // of the same thread; null: none
    bool has_ended_ = false;
    double start_seconds_ = 0, inner_seconds_ = 0;
};

/// The same while tasks run, whose workers have the cores: processor time of the thread, alone.
class WorkBesideTasks {
public:
    WorkBesideTasks(const char* kind, const TaskWork& work) noexcept;
    WorkBesideTasks(const WorkBesideTasks&) = delete;
    WorkBesideTasks& operator=(const WorkBesideTasks&) = delete;
    ~WorkBesideTasks();

private:
    const char* kind_;
    TaskWork work_;
    double start_seconds_;  // of the thread; below 0: times are not recorded
};

}  // namespace frond

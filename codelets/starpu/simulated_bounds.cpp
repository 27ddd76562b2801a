// SPDX-License-Identifier: BSD-3-Clause
#include "frond/codelets/simulated_bounds.hpp"

#include "frond/codelets/task_model.hpp"

#include <starpu.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace frond {
namespace {

/// When those tasks end that read or write a piece of data, with a worker for each.
struct Ends {
    double written = 0, read = 0;
};

/// A piece of data keeps the number of its entry as StarPU's user data, with that of the jobs it belongs to: what an
/// earlier factorization left there means nothing.
class PathTimes {
public:
    double end_of(const starpu_task& task, double seconds) {
        double begin = 0;
        for (unsigned i = 0; i < STARPU_TASK_GET_NBUFFERS(&task); ++i) {
            const Ends& ends = ends_of(STARPU_TASK_GET_HANDLE(&task, i));
            begin = std::max(begin, ends.written);
            if (writes(task, i)) begin = std::max(begin, ends.read);
        }
        const double end = begin + seconds;
        for (unsigned i = 0; i < STARPU_TASK_GET_NBUFFERS(&task); ++i) {
            Ends& ends = ends_of(STARPU_TASK_GET_HANDLE(&task, i));
            if (writes(task, i))
                ends = {end, end};
            else
                ends.read = std::max(ends.read, end);
        }
        return end;
    }

    void forget() {
        ends_.clear();
        ++round_;
    }

private:
    static bool writes(const starpu_task& task, unsigned i) { return (STARPU_TASK_GET_MODE(&task, i) & STARPU_W) != 0; }

    Ends& ends_of(starpu_data_handle_t handle) {
        constexpr unsigned half = 32;
        const auto kept = reinterpret_cast<std::uintptr_t>(starpu_data_get_user_data(handle));
        if (kept >> half == round_) return ends_[kept & 0xffffffffu];
        ends_.emplace_back();
        starpu_data_set_user_data(handle, reinterpret_cast<void*>(round_ << half | (ends_.size() - 1)));
        return ends_.back();
    }

    std::uintptr_t round_ = 1;
    std::vector<Ends> ends_;
};

struct AllBounds {
    SimulatedBounds bounds;
    PathTimes path;
};

AllBounds& all() {
    static AllBounds& bounds = *new AllBounds;
    return bounds;
}

/// Below 0: no such worker may run it.
double seconds_on(starpu_task& task, starpu_worker_archtype type) {
    const std::uint32_t place = type == STARPU_CPU_WORKER ? STARPU_CPU : STARPU_CUDA;
    const std::uint32_t where = task.where >= 0 ? static_cast<std::uint32_t>(task.where) : task.cl->where;
    const bool has_body =
        type == STARPU_CPU_WORKER ? task.cl->cpu_funcs[0] != nullptr : task.cl->cuda_funcs[0] != nullptr;
    if (!has_body || (where != 0 && (where & place) == 0)) return -1;
    const int worker = starpu_worker_get_by_type(type, 0);
    if (worker < 0) return -1;
    if (task.execute_on_a_specific_worker != 0 && starpu_worker_get_type(static_cast<int>(task.workerid)) != type)
        return -1;
    if (task.cl->model == nullptr) return 0;
    return 1e-6 * std::max(simulated_microseconds(task, type != STARPU_CPU_WORKER), 0.0);
}

}  // namespace

void note_simulated_task(starpu_task& task, const char* kind, double submit_seconds) {
    const double core = seconds_on(task, STARPU_CPU_WORKER), card = seconds_on(task, STARPU_CUDA_WORKER);
    SimulatedBounds& bounds = all().bounds;
    ++bounds.tasks;
    bounds.submit_seconds += submit_seconds;
    const char* const places = core < 0 ? " card" : card < 0 ? " core" : "";
    SimulatedWork& work = bounds.work[std::string(kind) + places];
    ++work.tasks;
    work.core_seconds = core < 0 ? -1 : work.core_seconds + core;
    work.card_seconds = card < 0 ? -1 : work.card_seconds + card;
    const double least = core < 0 ? card : card < 0 ? core : std::min(core, card);
    bounds.path_seconds = std::max(bounds.path_seconds, all().path.end_of(task, least));
}

SimulatedBounds take_simulated_bounds() {
    all().path.forget();
    return std::exchange(all().bounds, {});
}

}  // namespace frond

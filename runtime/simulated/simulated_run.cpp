// SPDX-License-Identifier: BSD-3-Clause
#include "engine/kind_of_run.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "frond/codelets/simulated_bounds.hpp"
#include "engine/engines.hpp"
#include "simulated/simulated_rank.hpp"

namespace frond::detail {
namespace {

/// StarPU-SimGrid's: no body will count the operations, and submission takes its time.
class SimgridEngine final : public StarpuEngine {
    void before_submission(starpu_task& task) override {
        const auto& arguments = *static_cast<const TaskArguments*>(task.cl_arg);
        const std::string kind = name_of_kind(arguments.task_kind, arguments.variant);
        note_simulated_task(task, kind.c_str(), time_model("submit").seconds);
    }
    void after_submission(Job& job, double flops) override {
        job.add_flops(flops);
        pass_processor_seconds(time_model("submit").seconds);
    }
};

/// A task takes its time alone, but for what its body does in a simulation.
class SimulatedCaller final : public AtOnceEngine {
    void run_body(const starpu_codelet& codelet, void* buffers[], TaskArguments& arguments) override {
        arguments.job->add_flops(arguments.flops);
        if ((codelet.flags & STARPU_CODELET_SIMGRID_EXECUTE) != 0) return codelet.cpu_funcs[0](buffers, &arguments);
        pass_simulated_seconds(simulated_core_seconds(arguments));
    }
};

/// The model of a task on a core. A piece of a tree without a model of its own takes that of a subtree; static pivoting
/// takes that of threshold pivoting; a decision about pivots alone takes that of one with what follows it.
const TimeModel& model_on_core(const TaskArguments& task) {
    std::string name = name_of_kind(task.task_kind, task.variant);
    if (const TimeModel* const own = find_time_model(name)) return *own;
    const std::string_view kind = task.task_kind;
    if (kind == "decide_pivots") name = name_of_kind("accept_pivots", task.variant);
    if (kind == "factor_piece") name = name_of_kind("factor_subtree", task.variant);
    constexpr std::string_view is_static = " static";
    if (name.ends_with(is_static) && find_time_model(name) == nullptr) name.resize(name.size() - is_static.size());
    return time_model(name);
}

/// They order messages, and compute nothing; or they are for failed columns of a front that ranks share, and no pivot fails
/// where ranks are simulated.
bool is_of_messages(const TaskArguments& task) {
    constexpr std::string_view kinds[]{"open_block",    "announce_block", "grant_block",     "tell_limit",
                                       "deal_failed",   "take_parts",     "give_back",       "update_failed",
                                       "collect_parts", "keep_failed",    "eliminate_shared"};
    return std::find(std::begin(kinds), std::end(kinds), task.task_kind) != std::end(kinds);
}

/// The seconds of failed columns where no calibration met any: an operation takes as long as in a diagonal tile.
double seconds_of_failed_columns(const TaskArguments& task, const TimeModel& model) {
    const std::string_view kind = task.task_kind;
    if (model.per_term[0] > 0 || !(task.work.flops > 0) || (kind != "accept_pivots" && kind != "eliminate_failed"))
        return 0;
    return time_model(name_of_kind("factor_diagonal", task.variant)).per_term[0] * task.work.flops;
}

}  // namespace

TaskEngine& starpu_engine() noexcept {
    static SimgridEngine of_starpu;
    SimulatedRank* const rank = SimulatedRank::of_this_actor();
    return rank != nullptr ? static_cast<TaskEngine&>(*rank) : of_starpu;
}

TaskEngine& at_once_engine() noexcept {
    static SimulatedCaller caller;
    return caller;
}

bool are_tasks_described() noexcept { return true; }

void set_time(TaskArguments& task, const starpu_codelet& codelet) {
    const double beside = time_model("task").seconds;
    if (is_of_messages(task)) {
        task.simulated_seconds = beside;
        return;
    }
    if (codelet.cpu_funcs[0] != nullptr) {
        const TimeModel& model = model_on_core(task);
        task.simulated_seconds = beside + model.of(task.work) + seconds_of_failed_columns(task, model);
    }
    if (codelet.cuda_funcs[0] == nullptr) return;
    const TimeModel* const of_card = find_time_model(on_card + name_of_kind(task.task_kind, task.variant));
    if (of_card != nullptr) task.simulated_card_seconds = beside + of_card->of(task.work);
}

void release_when_unused(starpu_data_handle_t handle) noexcept {
    if (SimulatedTime::running() == nullptr) return starpu_data_unregister_submit(handle);
    SimulatedRank::release_when_unused(handle);
}

void begin_to_copy(starpu_data_handle_t handle, unsigned node) noexcept {
    if (SimulatedTime::running() != nullptr) return SimulatedRank::begin_to_copy(handle, node);
    static_cast<void>(starpu_data_prefetch_on_node(handle, node, 1));
}

}  // namespace frond::detail

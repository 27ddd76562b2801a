// SPDX-License-Identifier: BSD-3-Clause
#include "handles/describe_work.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "frond/codelets/simulation.hpp"
#include "frond/codelets/time_models.hpp"

namespace frond::detail {
namespace {

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

void set_simulated_seconds(TaskArguments& task, const starpu_codelet& codelet) {
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

}  // namespace

void describe_work(TaskArguments& task, const starpu_codelet& codelet, std::span<const Access> accesses) {
    if (!is_simulation && !are_times_recorded()) return;
    task.task_kind = codelet.name;
    task.work.flops = task.flops;
    if (!(task.work.bytes > 0))
        for (const Access& access : accesses)
            task.work.bytes += static_cast<double>(starpu_data_get_size(access.handle));
    if constexpr (is_simulation) set_simulated_seconds(task, codelet);
}

}  // namespace frond::detail

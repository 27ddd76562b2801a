// SPDX-License-Identifier: BSD-3-Clause
#include "session/starpu/scheduler_choice.hpp"

namespace frond::detail {
namespace {

/// They look at tasks that their worker cannot run, again and again: with cards they stand still.
bool is_deque_scheduler(const std::string& name) { return name == "lws" || name == "ws" || name == "random"; }

}  // namespace

AskedScheduler asked_scheduler(const std::string& option, const char* environment) {
    if (!option.empty()) return {option, "scheduler"};
    if (environment != nullptr) return {*environment == '\0' ? "lws" : environment, "STARPU_SCHED"};
    return {};
}

std::string why_no_cards(const AskedScheduler& asked) {
    if (!is_deque_scheduler(asked.name)) return {};
    return asked.source + " = " + asked.name + " cannot serve GPUs; take dmdas, or leave the choice to Frond";
}

std::string suitable_scheduler(const AskedScheduler& asked, index_t cards) {
    if (!asked.name.empty()) return asked.name;
    return cards == 0 ? "lws" : "dmdas";
}

}  // namespace frond::detail

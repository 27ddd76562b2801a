// SPDX-License-Identifier: BSD-3-Clause
// A scheduler of your own, as a plug-in of StarPU: a library that StarPU loads where STARPU_SCHED_LIB names it. One
// order of ready tasks for all workers: the most urgent first, and of two as urgent ones that with more operations.
#include <starpu.h>
#include <starpu_scheduler.h>

#include <algorithm>
#include <bitset>
#include <cstdio>
#include <limits>
#include <mutex>
#include <set>
#include <string_view>
#include <tuple>

namespace {

struct Ready {
    starpu_task* task;
    std::bitset<1024> workers;  // that can run it: cards cannot run all kinds

    bool operator<(const Ready& other) const {  // more urgent
        return std::tie(task->priority, task->flops) > std::tie(other.task->priority, other.task->flops);
    }
};

// Not starpu_pthread_mutex_t, which is another type where StarPU simulates: so one library serves both. There, threads
// are turns of one; what may pass the turn on, such as the question who can run a task, is asked without the lock.
std::mutex mutex;
std::multiset<Ready> ready;
unsigned long pushed = 0, popped = 0;

void start(unsigned) {  // Frond's priorities: the work from a task to the end of the tree
    starpu_sched_set_min_priority(std::numeric_limits<int>::min());
    starpu_sched_set_max_priority(std::numeric_limits<int>::max());
}

void stop(unsigned) { std::fprintf(stderr, "most_urgent: %lu tasks pushed, %lu popped\n", pushed, popped); }

int push(starpu_task* task) {
    Ready entry{task, {}};
    const unsigned workers = starpu_worker_get_count();
    for (unsigned w = 0; w < workers; ++w)
        entry.workers[w] = starpu_worker_can_execute_task_first_impl(w, task, nullptr) != 0;
    {
        const std::lock_guard lock(mutex);
        ready.insert(entry);
        ++pushed;
        starpu_push_task_end(task);
    }
    for (unsigned w = 0; w < workers; ++w)  // one that sleeps
        if (entry.workers[w] && starpu_wake_worker_relax_light(w) != 0) break;
    return 0;
}

starpu_task* pop(unsigned) {
    const auto worker = static_cast<unsigned>(starpu_worker_get_id_check());
    const std::lock_guard lock(mutex);
    const auto found =
        std::find_if(ready.begin(), ready.end(), [worker](const Ready& entry) { return entry.workers[worker]; });
    if (found == ready.end()) return nullptr;
    starpu_task* const task = found->task;
    ready.erase(found);
    ++popped;
    return task;
}

}  // namespace

extern "C" starpu_sched_policy* starpu_get_sched_lib_policy(const char* name) {
    static starpu_sched_policy policy{};
    policy.init_sched = start;
    policy.deinit_sched = stop;
    policy.push_task = push;
    policy.pop_task = pop;
    policy.policy_name = "most_urgent";
    policy.policy_description = "one order, by priority and operations";
    return std::string_view(name) == policy.policy_name ? &policy : nullptr;
}

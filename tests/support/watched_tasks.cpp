// SPDX-License-Identifier: BSD-3-Clause
// The linker puts the function below in the place of StarPU's (tests/CMakeLists.txt), in programs that are linked with
// Frond's static library. Where FROND_TEST_SUBMITTED names a file, the names of all tasks that were submitted are added
// to it.
#include "watched_tasks.hpp"

#include <starpu.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <utility>

#undef starpu_task_submit

namespace frond::test {
namespace {

std::string watched_codelet;
std::function<void(count_t)> before_task;
std::atomic<bool> is_watching{false};
std::atomic<count_t> watched_tasks{0};

void begin_task(void* number) {
    if (is_watching && before_task) before_task(static_cast<count_t>(reinterpret_cast<std::intptr_t>(number)));
}

void note(const char* name) {
    static std::mutex mutex;
    const char* const path = std::getenv("FROND_TEST_SUBMITTED");
    if (path == nullptr || name == nullptr) return;
    const std::lock_guard lock(mutex);
    std::FILE* const file = std::fopen(path, "a");
    if (file == nullptr) return;  // the test misses the name
    std::fprintf(file, "%s\n", name);
    std::fclose(file);
}

}  // namespace

WatchedTasks::WatchedTasks(std::string codelet, std::function<void(count_t)> before) {
    watched_codelet = std::move(codelet);
    before_task = std::move(before);
    watched_tasks = 0;
    is_watching = true;
}

WatchedTasks::~WatchedTasks() { is_watching = false; }

count_t WatchedTasks::submitted() const { return watched_tasks; }

}  // namespace frond::test

extern "C" {

int __real_starpu_task_submit(starpu_task* task);

/// Before the task can end.
int __wrap_starpu_task_submit(starpu_task* task) {
    using namespace frond::test;
    note(starpu_task_get_name(task));
    const bool is_watched = is_watching && task->cl != nullptr && task->cl->name != nullptr &&
                            task->prologue_callback_pop_func == nullptr &&
                            (watched_codelet.empty() || watched_codelet == task->cl->name);
    if (is_watched) {
        task->prologue_callback_pop_func = begin_task;
        task->prologue_callback_pop_arg = reinterpret_cast<void*>(static_cast<std::intptr_t>(watched_tasks++));
    }
    return __real_starpu_task_submit(task);
}
}

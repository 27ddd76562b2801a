// SPDX-License-Identifier: BSD-3-Clause
// Where FROND_TEST_SUBMITTED names a file, the names of all tasks that were submitted are added to it. The linker puts
// this function in the place of StarPU's, in programs that are linked with Frond's static library.
#include <starpu.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>

namespace {

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

extern "C" {

int __real_starpu_task_submit(starpu_task* task);

/// Before the task can end.
int __wrap_starpu_task_submit(starpu_task* task) {
    note(starpu_task_get_name(task));
    return __real_starpu_task_submit(task);
}
}

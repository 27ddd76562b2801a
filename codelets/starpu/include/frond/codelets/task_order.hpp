// SPDX-License-Identifier: BSD-3-Clause
// The order between tasks that StarPU promises, told to ThreadSanitizer. StarPU is not instrumented
// and tests/sanitizers/tsan.supp makes its locks invisible, so two tasks are ordered by what follows
// and by nothing else: an access that a task did not declare is a race even in a run where the
// scheduler happened to order it. Without -fsanitize=thread nothing of this is compiled.
#pragma once

#include "frond/base/sanitizers.hpp"

#if FROND_THREAD_SANITIZER

#include <sanitizer/tsan_interface.h>
#include <starpu.h>

namespace frond {

/// What the submitter did before is visible to the task.
inline void task_is_submitted(void* arguments) { __tsan_release(arguments); }

/// Begin and end of a task: a reader comes after the writers submitted before it, a writer after the
/// writers and the readers.
class TaskOrder {
public:
    explicit TaskOrder(void* arguments) : task_(starpu_task_get_current()) {
        __tsan_acquire(arguments);
        for_each_access([](char* written, char* read, bool writes) {
            __tsan_acquire(written);
            if (writes) __tsan_acquire(read);
        });
    }
    ~TaskOrder() {
        for_each_access([](char* written, char* read, bool writes) { __tsan_release(writes ? written : read); });
    }
    TaskOrder(const TaskOrder&) = delete;
    TaskOrder& operator=(const TaskOrder&) = delete;

private:
    /// Two addresses inside each handle stand for "was written" and "was read".
    template <class Visit>
    void for_each_access(Visit visit) const {
        if (task_ == nullptr) return;  // a body that its caller runs without a task
        for (unsigned i = 0; i < STARPU_TASK_GET_NBUFFERS(task_); ++i) {
            char* handle = reinterpret_cast<char*>(STARPU_TASK_GET_HANDLE(task_, i));
            visit(handle, handle + 1, (STARPU_TASK_GET_MODE(task_, i) & STARPU_W) != 0);
        }
    }

    starpu_task* task_;
};

}  // namespace frond

#else

namespace frond {

inline void task_is_submitted(void*) {}

struct TaskOrder {
    explicit TaskOrder(void*) {}
};

}  // namespace frond

#endif

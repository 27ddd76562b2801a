// SPDX-License-Identifier: BSD-3-Clause
// The order between tasks that StarPU promises, told to ThreadSanitizer. StarPU is not instrumented
// and tests/sanitizers/tsan.supp makes its locks invisible, so two tasks are ordered by what follows
// and by nothing else: an access that a task did not declare is a race even in a run where the
// scheduler happened to order it. Without -fsanitize=thread nothing of this is compiled.
#pragma once

#include "frond/base/sanitizers.hpp"
#include "frond/codelets/deferral.hpp"
#include "frond/codelets/job.hpp"
#include "frond/codelets/task_label.hpp"
#include "frond/codelets/task_model.hpp"
#include "frond/codelets/time_models.hpp"
#include "frond/cpu/dense_view.hpp"

#include <atomic>
#include <chrono>
#include <starpu.h>

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
    explicit TaskOrder(void* arguments) : task_(task_of_worker()) {
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

namespace frond {

/// Which workers a task may run on.
enum class Place : std::uint8_t {
    any,
    device  // those of devices, when its codelet has an implementation there
};

/// What every task carries first; the argument structs of the task kinds derive from it.
struct TaskArguments {
    Job* job = nullptr;
    double flops = 0;  // real operations of this task
    const char* task_kind = nullptr;  // set where it is submitted,
    const char* variant = nullptr;  // and what else tells tasks apart whose times follow other models
    TaskWork work;  // that its time follows; its flops are those above, its bytes, where there are none, of the buffers
    double simulated_seconds = 0;  // of its model
    double simulated_card_seconds = -1;  // the same on a card; below 0: rates() say so
    const count_t* new_bytes = nullptr;  // of memory that a simulated task is the first to write; null: none
    std::atomic<double>* seconds = nullptr;  // measured time is added here, when given
    Place place = Place::any;
    int worker = -1;  // of StarPU, that alone may run it; -1: any of the place
    TaskLabel label;
    count_t order = 0;  // tasks of the job submitted before
    Deferral* deferral = nullptr;  // set where the body may throw Deferred
};

/// What a simulated task takes on a core: what its model says, and what the system takes to clear new memory.
inline double simulated_core_seconds(const TaskArguments& task) noexcept {
    const double new_bytes = task.new_bytes == nullptr ? 0.0 : static_cast<double>(*task.new_bytes);
    return task.simulated_seconds + new_bytes * new_byte_seconds();
}

/// In place of run_task where tasks are simulated: the body takes the memory that a real one takes and counts what of it
/// is new, then the task's time passes. The result of the body lives until then. This holds for codelets that run in a
/// simulation (TaskKind::set_simulated_body).
template <class Arguments, class TakeMemory>
void simulate_task(void* raw, TakeMemory take_memory) noexcept {
    auto& arguments = *static_cast<Arguments*>(raw);
    Job& job = *arguments.job;
    if (job.stopped()) return;
    try {
        [[maybe_unused]] const auto kept = take_memory(arguments);
        const double seconds = simulated_core_seconds(arguments);
        // The thread that submits runs it itself while the workers rest.
        (job.runs_at_once() ? pass_simulated_seconds : pass_processor_seconds)(seconds);
        correct_model(raw, seconds);
    } catch (...) {
        job.fail(std::current_exception());
    }
}

/// Runs a task body: nothing after an error or cancellation, exceptions go to the job's error slot, all
/// but Deferred.
template <class Arguments, class Body>
void run_task(void* raw, Body body) noexcept {
    [[maybe_unused]] const TaskOrder order(raw);
    auto& arguments = *static_cast<Arguments*>(raw);
    Job& job = *arguments.job;
    if (job.stopped()) return;
    const auto start = std::chrono::steady_clock::now();
    const TaskTime time;
    bool deferred = false, done = false;
    try {
        body(arguments);
        done = true;
    } catch (const Deferred&) {
        deferred = true;
    } catch (...) {
        job.fail(std::current_exception());
    }
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    if (arguments.seconds != nullptr) arguments.seconds->fetch_add(elapsed.count(), std::memory_order_relaxed);
    if (done) correct_model(raw, elapsed.count());
    if (done) time.keep(arguments.task_kind, arguments.variant, arguments.work);
    if (deferred)
        arguments.deferral->defer(arguments);
    else
        job.add_flops(arguments.flops);
}

/// A codelet with a body for cores alone, without a model (else: TaskKind). Number and modes of the buffers belong to
/// each task.
inline starpu_codelet make_codelet(const char* name, starpu_cpu_func_t cpu, unsigned color) {
    starpu_codelet codelet{};
    starpu_codelet_init(&codelet);
    codelet.cpu_funcs[0] = cpu;
    codelet.nbuffers = STARPU_VARIABLE_NBUFFERS;
    codelet.name = name;
    codelet.color = color;
    return codelet;
}

/// Buffer i of a task as a block of scalars.
template <class T>
DenseView<T> matrix_buffer(void* buffers[], int i) {
    auto* m = static_cast<starpu_matrix_interface*>(buffers[i]);
    return {reinterpret_cast<T*>(m->ptr), static_cast<index_t>(m->nx), static_cast<index_t>(m->ny),
            static_cast<index_t>(m->ld)};
}

template <class T>
T* vector_buffer(void* buffers[], int i) {
    return reinterpret_cast<T*>(static_cast<starpu_vector_interface*>(buffers[i])->ptr);
}

template <class T>
DenseView<const T> as_const(DenseView<T> v) {
    return {v.data, v.rows, v.cols, v.ld};
}

}  // namespace frond

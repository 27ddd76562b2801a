// SPDX-License-Identifier: BSD-3-Clause
#include "session/parallel_for.hpp"

#include <starpu.h>

#include "frond/base/loop_purpose.hpp"
#include "frond/codelets/task.hpp"
#include "memory/predict_peak.hpp"
#include "engine/insert_task.hpp"
#include "session/trace_span.hpp"
#include "frond/codelets/time_models.hpp"

namespace frond::detail {
namespace {

struct ChunkArguments : TaskArguments {
    const std::function<void(count_t)>* body = nullptr;
    count_t chunk = 0;
};

void chunk_cpu(void**, void* raw) noexcept {
    run_task<ChunkArguments>(raw, [](const ChunkArguments& a) { (*a.body)(a.chunk); });
}

starpu_codelet& chunk_codelet() {
    static starpu_codelet codelet = make_codelet("host_chunk", chunk_cpu, 0xB5B5B5);
    return codelet;
}

/// Tasks that wait take memory.
void make_room_for_chunk(Job& job, count_t most) {
    if (job.pending() < most) return;
    job.wait_until_few(most - most / 4);
}

void run_as_tasks(SessionState& session, count_t chunks, const char* purpose,
                  const std::function<void(count_t)>& body) {
    Job job(session.engine());
    job.set_iteration(LoopIteration::current());
    const count_t most = most_pending_tasks(session.cpu_workers());
    try {
        for (count_t c = 0; c < chunks; ++c) {
            make_room_for_chunk(job, most);
            ChunkArguments arguments;
            arguments.body = &body;
            arguments.chunk = c;
            arguments.label.stage = purpose;
            arguments.label.chunk = static_cast<index_t>(c);
            insert_task(job, chunk_codelet(), arguments, {}, STARPU_MAX_PRIO);
        }
    } catch (...) {
        job.fail(std::current_exception());
    }
    job.wait();
}

const char* innermost_or(const char* purpose) {
    return LoopPurpose::innermost() != nullptr ? LoopPurpose::innermost() : purpose;
}

/// Runs all chunks on the calling thread.
void run_chunks_here(count_t chunks, const std::function<void(count_t)>& body) {
    const HostSpan span("chunks");
    for (count_t c = 0; c < chunks; ++c) body(c);
}

/// It may be the only one, and would wait for itself: a core that plays a device in tests.
bool is_worker_of_core() {
    const int worker = starpu_worker_get_id();
    return worker >= 0 && starpu_worker_get_type(worker) == STARPU_CPU_WORKER;
}

/// Keeps the workers running while they are used, if they run.
class JoinedWorkers {
public:
    explicit JoinedWorkers(SessionState& session) : session_(session), awake_(session.join_workers()) {}
    JoinedWorkers(const JoinedWorkers&) = delete;
    JoinedWorkers& operator=(const JoinedWorkers&) = delete;
    ~JoinedWorkers() {
        if (awake_) session_.rest_workers();
    }
    bool awake() const { return awake_; }

private:
    SessionState& session_;
    bool awake_;
};

}  // namespace

ParallelFor parallel_for_on(SessionState& session, const char* purpose) {
    return [&session, purpose](count_t chunks, const std::function<void(count_t)>& body) {
        if (chunks == 1) return run_chunks_here(1, body);
        const JoinedWorkers workers(session);
        if (workers.awake() && !simulates() && !is_worker_of_core())
            return run_as_tasks(session, chunks, innermost_or(purpose), body);
        run_chunks_here(chunks, body);
    };
}

ParallelFor parallel_for_outside_jobs(SessionState& session, const char* purpose) {
    return [&session, purpose](count_t chunks, const std::function<void(count_t)>& body) {
        // One worker would have to wake, to do what this thread can do meanwhile.
        if (chunks == 1 || session.cpu_workers() < 2) return run_chunks_here(chunks, body);
        const JobGuard guard(session);
        parallel_for_on(session, purpose)(chunks, body);
    };
}

}  // namespace frond::detail

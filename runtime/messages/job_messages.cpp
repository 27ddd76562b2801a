// SPDX-License-Identifier: BSD-3-Clause
#include "messages/job_messages.hpp"

#include <exception>

#include "frond/base/error.hpp"

namespace frond::detail {
namespace {

std::exception_ptr error_of(MessageEnd end) noexcept {
    try {
        return std::make_exception_ptr(
            RuntimeError(end == MessageEnd::sender_stopped
                             ? "another rank has stopped"
                             : "a message of another rank cannot be read: no memory for it, or not what was expected"));
    } catch (...) {
        return std::current_exception();
    }
}

void end_for(void* raw, MessageEnd end) noexcept {
    Job& job = *static_cast<Job*>(raw);
    if (end != MessageEnd::done) job.fail(error_of(end));
    job.task_ended();
}

template <class Post>
void post(Job& job, const Post& message) {
    job.task_submitted();
    try {
        message(AfterMessage{end_for, &job});
    } catch (...) {
        job.task_ended();
        throw;
    }
}

}  // namespace

void send(Job& job, Channel& channel, starpu_data_handle_t data, index_t rank, const MessageTag& tag, int priority) {
    post(job, [&](AfterMessage after) { channel.send(data, rank, tag, priority, after); });
}

void receive(Job& job, Channel& channel, starpu_data_handle_t data, index_t rank, const MessageTag& tag) {
    post(job, [&](AfterMessage after) { channel.receive(data, rank, tag, after); });
}

}  // namespace frond::detail

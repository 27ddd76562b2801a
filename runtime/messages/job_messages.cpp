// SPDX-License-Identifier: BSD-3-Clause
#include "messages/job_messages.hpp"

#include <chrono>
#include <exception>
#include <new>
#include <thread>

#include "frond/base/error.hpp"
#include "messages/stopped_elsewhere.hpp"

namespace frond::detail {
namespace {

std::exception_ptr error_of(MessageEnd end) noexcept {
    try {
        if (end == MessageEnd::sender_stopped) return std::make_exception_ptr(StoppedElsewhere());
        if (end == MessageEnd::failed)
            return std::make_exception_ptr(RuntimeError("messages between ranks have failed"));
        return std::make_exception_ptr(
            RuntimeError("a message of another rank cannot be read: no memory for it, or not what was expected"));
    } catch (...) {
        return std::current_exception();
    }
}

void end_for(void* raw, MessageEnd end) noexcept { message_ended(*static_cast<Job*>(raw), end); }

template <class Post>
void post(Job& job, AfterMessage after, const Post& message) {
    job.task_submitted();
    try {
        message(after);
    } catch (...) {
        job.task_ended();
        throw;
    }
}

constexpr int most_attempts = 1000;
constexpr std::chrono::milliseconds between_attempts{1};

/// post() until there is memory for it.
template <class Post>
void post_until_taken(Job& job, const Post& post) {
    for (int attempt = 1;; ++attempt) {
        try {
            return post();
        } catch (const OutOfMemory&) {
            job.fail(std::current_exception());
            if (attempt == most_attempts) throw;
        } catch (const std::bad_alloc&) {
            job.fail(std::current_exception());
            if (attempt == most_attempts) throw;
        }
        std::this_thread::sleep_for(between_attempts);
    }
}

}  // namespace

void message_ended(Job& job, MessageEnd end) noexcept {
    if (end != MessageEnd::done) job.fail(error_of(end));
    job.task_ended();
}

void send(Job& job, Channel& channel, starpu_data_handle_t data, index_t rank, const MessageTag& tag, int priority) {
    send(job, channel, data, rank, tag, priority, {end_for, &job});
}

void send(Job& job, Channel& channel, starpu_data_handle_t data, index_t rank, const MessageTag& tag, int priority,
          AfterMessage after, MessagePlace place) {
    post(job, after, [&](AfterMessage end) { channel.send(data, rank, tag, priority, end, place); });
}

void receive(Job& job, Channel& channel, starpu_data_handle_t data, index_t rank, const MessageTag& tag,
             MessagePlace place) {
    receive(job, channel, data, rank, tag, {end_for, &job}, place);
}

void receive(Job& job, Channel& channel, starpu_data_handle_t data, index_t rank, const MessageTag& tag,
             AfterMessage after, MessagePlace place) {
    post(job, after, [&](AfterMessage end) { channel.receive(data, rank, tag, end, place); });
}

void send_always(Job& job, Channel& channel, starpu_data_handle_t data, index_t rank, const MessageTag& tag,
                 int priority) {
    post_until_taken(job, [&] { send(job, channel, data, rank, tag, priority); });
}

void receive_always(Job& job, Channel& channel, starpu_data_handle_t data, index_t rank, const MessageTag& tag) {
    post_until_taken(job, [&] { receive(job, channel, data, rank, tag); });
}

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#include "ranked/team.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <future>
#include <string_view>
#include <utility>

#include "frond/base/error.hpp"
#include "messages/stopped_elsewhere.hpp"
#include "ranks/collectively.hpp"

namespace frond::detail {
namespace {

/// The time until the other thread is looked at again.
constexpr std::chrono::milliseconds between_looks{1};

/// What an error says of its cause: nothing, that another rank knows it, that somebody cancelled, or the cause itself.
enum class Cause : count_t { none, elsewhere, cancelled, here };

/// Whether the message of an error says already which rank it comes from.
bool names_rank(const std::exception_ptr& error) {
    if (error == nullptr) return false;
    try {
        std::rethrow_exception(error);
    } catch (const std::exception& e) {
        return std::string_view(e.what()).starts_with("rank ");
    } catch (...) {
        return false;
    }
}

Cause cause_of(const std::exception_ptr& error) {
    if (error == nullptr) return Cause::none;
    try {
        std::rethrow_exception(error);
    } catch (const StoppedElsewhere&) {
        return Cause::elsewhere;
    } catch (const Cancelled&) {
        return Cause::cancelled;
    } catch (...) {
        return Cause::here;
    }
}

/// Cancelled of a rank that only followed names the one that wanted it.
std::exception_ptr named_after(index_t rank, const std::exception_ptr& error) {
    if (rank < 0 || names_rank(error)) return error;
    try {
        if (error != nullptr) std::rethrow_exception(error);
    } catch (const Cancelled& cancelled) {
        return std::make_exception_ptr(Cancelled("rank " + std::to_string(rank) + ": " + cancelled.what()));
    } catch (...) {
    }
    return error;
}

}  // namespace

void JobBoard::watch(Job* job, std::int64_t number) {
    const std::lock_guard lock(mutex_);
    job_ = job;
    if (job == nullptr) return;
    number_ = number;
    if (known_ >= number) job->fail(std::make_exception_ptr(StoppedElsewhere()));
}

bool JobBoard::wants_to_cancel() { return cancel_ != nullptr && cancel_->load(std::memory_order_relaxed); }

void JobBoard::cancel(index_t rank) {
    cancelled_by_ = rank;
    stop_ = true;
}

std::int64_t JobBoard::failed_job() {
    const std::lock_guard lock(mutex_);
    if (job_ == nullptr || known_ >= number_ || !job_->stopped()) return no_job;
    return known_ = number_;
}

void JobBoard::stop_job(std::int64_t number) {
    const std::lock_guard lock(mutex_);
    known_ = std::max(known_, number);
    if (job_ != nullptr && (number_ == number || number == every_job))
        job_->fail(std::make_exception_ptr(StoppedElsewhere()));
}

Team::Team(Communicator& ranks, std::shared_ptr<Channel> channel)
    : calling_(ranks), working_(ranks.duplicate()), channel_(std::move(channel)) {}

void Team::share_workers(count_t mine, count_t cards) {
    const auto ranks = static_cast<std::size_t>(calling_.size()), rank = static_cast<std::size_t>(calling_.rank());
    std::vector<count_t> both(2 * ranks, 0);
    both[rank] = mine;
    both[ranks + rank] = cards;
    calling_.all_reduce_sum(both);
    const auto middle = both.begin() + static_cast<std::ptrdiff_t>(ranks);
    workers_.assign(both.begin(), middle);
    cards_.assign(middle, both.end());
}

/// MPI's calls for the caller stay with the thread that called Frond.
void Team::conduct(const std::atomic<bool>* cancel, const std::function<void(const std::atomic<bool>* stop)>& work,
                   const std::function<void(Command, const std::vector<std::byte>&)>& serve) {
    if (calling_.size() == 1) return work(cancel);
    std::promise<bool> all_have_begun;
    std::future<void> done;
    JobBoard board(cancel, [&] { return done.wait_for(between_looks) == std::future_status::ready; });
    std::exception_ptr error;
    board_ = &board;
    try {
        collectively(calling_, [&] {  // a thread may not be had
            done = std::async(std::launch::async, [&, go = all_have_begun.get_future()]() mutable {
                if (!go.get()) return;
                if (calling_.rank() == 0)
                    conduct_on_rank_0(work);
                else
                    serve_until_end(serve);
            });
        });
    } catch (...) {
        all_have_begun.set_value(false);
        throw;
    }
    all_have_begun.set_value(true);
    try {
        calling_.attend(board);
    } catch (...) {
        error = std::current_exception();
    }
    try {
        done.get();  // also then: it uses the board
    } catch (...) {
        if (error == nullptr) error = std::current_exception();
    }
    board_ = nullptr;
    throw_named(calling_, named_after(board.cancelled_by(), error));
}

/// The others are let go whatever happens.
void Team::conduct_on_rank_0(const std::function<void(const std::atomic<bool>*)>& work) {
    std::exception_ptr error;
    try {
        work(&board_->stop());
    } catch (...) {
        error = std::current_exception();
    }
    command(Command::end, {});
    if (error != nullptr) std::rethrow_exception(error);
}

void Team::serve_until_end(const std::function<void(Command, const std::vector<std::byte>&)>& serve) {
    for (;;) {
        Command command{};
        working_->broadcast(std::as_writable_bytes(std::span(&command, 1)), 0);
        if (command == Command::end) return;
        std::vector<std::byte> bytes;
        try {
            broadcast_bytes(*working_, bytes, 0);
        } catch (const OutOfMemory&) {
            continue;  // rank 0 throws the same
        }
        serve(command, bytes);
    }
}

void Team::command(Command command, const Packer& arguments) {
    std::vector<std::byte> bytes = arguments.bytes();  // before the others wait for them
    working_->broadcast(std::as_writable_bytes(std::span(&command, 1)), 0);
    if (command != Command::end) broadcast_bytes(*working_, bytes, 0);
}

void Team::throw_cause(std::exception_ptr mine) {
    std::vector<count_t> strongest{static_cast<count_t>(cause_of(mine))};
    const count_t own = strongest[0];
    working_->all_reduce_max(strongest);
    if (strongest[0] == static_cast<count_t>(Cause::none)) return;
    if (own < strongest[0]) mine = nullptr;
    throw_named(*working_, named_after(board_->cancelled_by(), mine));
}

/// Puts the rank that an error comes from before the error's message, unless it is there already.
void Team::throw_named(Communicator& ranks, std::exception_ptr mine) {
    const NameRank name = names_rank(mine) ? NameRank::no : NameRank::yes;
    throw_together(ranks, std::move(mine), name);
}

}  // namespace frond::detail

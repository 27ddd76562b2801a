// SPDX-License-Identifier: BSD-3-Clause
// Ranks that work together: rank 0 leads, the others serve.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>

#include "frond/codelets/job.hpp"
#include "messages/channel.hpp"
#include "ranks/collectively.hpp"
#include "ranks/communicator.hpp"
#include "ranks/message.hpp"

namespace frond::detail {

/// The jobs of one rank as its calling thread sees them: who wants to cancel, and which job has failed where.
class JobBoard final : public Attendance {
public:
    JobBoard(const std::atomic<bool>* cancel, std::function<bool()> has_ended)
        : cancel_(cancel), has_ended_(std::move(has_ended)) {}

    /// Set when any rank wants to cancel.
    const std::atomic<bool>& stop() const noexcept { return stop_; }
    /// Which one that is, on all ranks the same; -1: none.
    index_t cancelled_by() const noexcept { return cancelled_by_; }
    /// The job that works now, and its number, the same on all ranks; null: none.
    void watch(Job* job, std::int64_t number);

    bool has_ended() override { return has_ended_(); }
    bool wants_to_cancel() override;
    std::int64_t failed_job() override;
    void cancel(index_t rank) override;
    void stop_job(std::int64_t number) override;

private:
    const std::atomic<bool>* cancel_;
    std::function<bool()> has_ended_;
    std::atomic<bool> stop_{false};
    std::atomic<index_t> cancelled_by_{-1};
    std::mutex mutex_;  // of what follows
    Job* job_ = nullptr;
    std::int64_t number_ = no_job;
    std::int64_t known_ = no_job;  // the last job of which all ranks know that it failed
};

/// What rank 0 asks the others to do.
enum class Command : std::int64_t { end, deal, factor, substitute, order, dense, sparse };

/// The ranks of one solver. Two communicators: one for the thread that called Frond, one for the thread that works.
class Team {
public:
    /// Collective. channel may be null: rank 0 then has nobody to ask.
    Team(Communicator& ranks, std::shared_ptr<Channel> channel);

    /// work(stop) on rank 0, which may command; the others serve(command, its bytes, stop) meanwhile. stop is set when the
    /// cancel (may be null) of any rank is. Collective. @throws what work throws, on all ranks
    void conduct(const std::atomic<bool>* cancel, const std::function<void(const std::atomic<bool>* stop)>& work,
                 const std::function<void(Command, const std::vector<std::byte>&)>& serve);

    /// For the thread that works, on rank 0.
    void command(Command command, const Packer& arguments);
    /// Sends a question, which visits its fields. @throws together with ranks that have no memory for it
    template <class Question>
    void ask(Command command, Question& question) {
        Packer pack;
        question.visit(pack);
        this->command(command, pack);
        collectively(ranks(), [] {});
    }
    /// The first cause of an error on any rank, on all ranks; a rank that only followed others tells nothing.
    /// For the thread that works. Collective.
    void throw_cause(std::exception_ptr mine);

    /// For the thread that works.
    Communicator& ranks() noexcept { return *working_; }
    JobBoard& board() noexcept { return *board_; }
    const std::shared_ptr<Channel>& channel() const noexcept { return channel_; }
    /// Workers that are cores, and cards, of each rank.
    const std::vector<count_t>& workers() const noexcept { return workers_; }
    const std::vector<count_t>& cards() const noexcept { return cards_; }
    void share_workers(count_t mine, count_t cards);

private:
    void throw_named(Communicator& ranks, std::exception_ptr mine);
    void conduct_on_rank_0(const std::function<void(const std::atomic<bool>*)>& work);
    void serve_until_end(const std::function<void(Command, const std::vector<std::byte>&)>& serve);

    Communicator& calling_;
    std::unique_ptr<Communicator> working_;
    std::shared_ptr<Channel> channel_;
    std::vector<count_t> workers_, cards_;
    JobBoard* board_ = nullptr;  // while conduct() runs
};

}  // namespace frond::detail

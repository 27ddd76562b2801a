// SPDX-License-Identifier: BSD-3-Clause
#include "session/ranked_session.hpp"

#include <thread>
#include <vector>

#include "frond/base/usable_cores.hpp"
#include "ranks/collectively.hpp"
#include "ranks/load_plugin.hpp"
#include "session/session_state.hpp"
#include "session/start_messages.hpp"

namespace frond::detail {
namespace {

/// Launchers bind ranks to cores: Open MPI, with one or two ranks, to one core each.
std::string advice_on_cores(index_t ranks_here) {
    const index_t usable = usable_cores();
    const auto all = static_cast<index_t>(std::thread::hardware_concurrency());
    if (usable <= 0 || ranks_here <= 0 || usable >= all / ranks_here) return "";
    return "this rank may use " + std::to_string(usable) + " of " + std::to_string(all) + " cores, and " +
           std::to_string(ranks_here) + (ranks_here == 1 ? " rank is" : " ranks are") +
           " on this machine; mpirun --bind-to none, or --map-by slot:PE=N, gives it more";
}

}  // namespace

RankedSession::RankedSession(const void* communicator)
    : ranks_(mpi_plugin().duplicate(communicator)), library_(mpi_plugin().library()) {}

void RankedSession::describe(SessionInfo& info) const {
    info.mpi_ranks = ranks_->size();
    info.mpi_rank = ranks_->rank();
    info.mpi_library = library_;
    info.mpi_advice = advice_on_cores(ranks_->local_size());
    if (why_no_messages_.empty()) return;
    if (!info.mpi_advice.empty()) info.mpi_advice += "; ";
    info.mpi_advice += "factorizations are rank 0's alone, since " + why_no_messages_;
}

void RankedSession::start_messages(const std::shared_ptr<SessionState>& state) {
    if (ranks_->size() == 1) return;
    static std::mutex mutex;
    static std::weak_ptr<Channel> of_process;
    const std::lock_guard lock(mutex);
    std::vector<count_t> obstacles{mpi_plugin().has_messages() ? 0 : 1, of_process.expired() ? 0 : 1};
    ranks_->all_reduce_max(obstacles);
    if (obstacles[0] > 0)
        why_no_messages_ = "Frond was built with a StarPU without MPI; build StarPU with it";
    else if (obstacles[1] > 0)
        why_no_messages_ = "another session of several ranks sends messages; end it before";
    if (!why_no_messages_.empty()) return;
    collectively(*ranks_, [] { expect_ready_for_messages(); });
    std::unique_ptr<Channel> channel = channel_of([&] { return mpi_plugin().start_messages(*ranks_); });
    // StarPU goes after the last of its messages, though of_process keeps this function.
    channel_ = {channel.release(), [held = state](Channel* last) mutable {
                    delete last;
                    held.reset();
                }};
    of_process = channel_;
}

index_t RankedSession::take_solver_number(Communicator& ranks) {
    std::vector<count_t> taken(static_cast<std::size_t>(SolverNumbers::most), 0);
    const std::lock_guard lock(mutex_);
    for (std::size_t n = 0; n < taken.size(); ++n)
        taken[n] = static_cast<count_t>(numbers_.taken()[n / 64] >> (n % 64) & 1);
    ranks.all_reduce_max(taken);
    SolverNumbers::Words words(taken.size() / 64, 0);
    for (std::size_t n = 0; n < taken.size(); ++n) words[n / 64] |= static_cast<std::uint64_t>(taken[n]) << (n % 64);
    const index_t number = SolverNumbers::first_free(words);
    numbers_.take(number);
    return number;
}

void RankedSession::give_solver_number_back(index_t number) noexcept {
    const std::lock_guard lock(mutex_);
    numbers_.give_back(number);
}

}  // namespace frond::detail

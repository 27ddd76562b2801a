// SPDX-License-Identifier: BSD-3-Clause
#include "session/ranked_session.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#include "frond/base/hardware.hpp"
#include "frond/codelets/starpu_start.hpp"
#include "messages/starpu_channel.hpp"
#include "messages/thread/message_thread.hpp"
#include "ranks/collectively.hpp"
#include "ranks/load_plugin.hpp"
#include "session/start_messages.hpp"
#include "session/session_state.hpp"

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

/// StarPU-MPI carries the messages of one session of a process at a time: of this one, where it was free.
class Recorder {
public:
    Recorder() : is_mine_(!is_taken().exchange(true)) {}
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;
    ~Recorder() {
        if (is_mine_) is_taken() = false;
    }
    bool is_mine() const noexcept { return is_mine_; }

private:
    static std::atomic<bool>& is_taken() {
        static std::atomic<bool> taken{false};
        return taken;
    }

    bool is_mine_;
};

/// Whether messages are to be in a trace of StarPU, which knows of them only where StarPU-MPI carries them.
bool are_recorded(Communicator& ranks, const Recorder& recorder) {
    const bool wanted = StarpuStart::is_traced() && mpi_plugin().has_starpu_mpi() && recorder.is_mine();
    std::array<count_t, 1> lacking{wanted ? 0 : 1};
    ranks.all_reduce_max(lacking);
    return lacking[0] == 0;
}

std::unique_ptr<Channel> recorded_channel(Communicator& ranks) {
    collectively(ranks, [] { expect_ready_for_messages(); });
    return channel_of([&] { return mpi_plugin().start_starpu_mpi(ranks); });
}

std::unique_ptr<Channel> own_channel(Communicator& ranks) {
    std::unique_ptr<Wire> wire;
    std::unique_ptr<Channel> channel;
    collectively(ranks, [&] { wire = mpi_plugin().make_wire(); });
    mpi_plugin().open_wire(*wire, ranks);
    collectively(ranks, [&] { channel = make_starpu_channel(start_message_thread(std::move(wire))); });
    return channel;
}

}  // namespace

RankedSession::RankedSession(const void* communicator)
    : ranks_(mpi_plugin().duplicate(communicator)), library_(mpi_plugin().library()) {}

void RankedSession::describe(SessionInfo& info) const {
    info.mpi_ranks = ranks_->size();
    info.mpi_rank = ranks_->rank();
    info.mpi_library = library_;
    info.mpi_advice = advice_on_cores(static_cast<index_t>(ranks_->local_ranks().size()));
}

void RankedSession::meet(const char* call, std::exception_ptr error) {
    expect_agreement(*ranks_, {{"the call", call}}, std::move(error));
}

/// This rank's part is all devices if some rank of the node sees others: then whoever started the ranks has given each
/// its own.
DevicePart RankedSession::part_of_devices(count_t seen) {
    std::vector<count_t> of_ranks(static_cast<std::size_t>(ranks_->size()), 0);
    of_ranks[static_cast<std::size_t>(ranks_->rank())] = seen;
    ranks_->all_reduce_sum(of_ranks);
    const std::vector<index_t>& local = ranks_->local_ranks();
    const auto sees_the_same = [&](index_t rank) { return of_ranks[static_cast<std::size_t>(rank)] == seen; };
    if (!std::all_of(local.begin(), local.end(), sees_the_same)) return {};
    const auto own = std::find(local.begin(), local.end(), ranks_->rank());
    return {static_cast<index_t>(own - local.begin()), static_cast<index_t>(local.size())};
}

void RankedSession::start_messages(const std::shared_ptr<SessionState>& state) {
    if (ranks_->size() == 1) return;
    auto recorder = std::make_shared<const Recorder>();
    const bool records = are_recorded(*ranks_, *recorder);
    if (!records) recorder.reset();
    std::unique_ptr<Channel> channel = records ? recorded_channel(*ranks_) : own_channel(*ranks_);
    // StarPU goes after the last of its messages.
    channel_ = {channel.release(), [held = state, recorder](Channel* last) mutable {
                    delete last;
                    held.reset();
                    recorder.reset();
                }};
}

/// Threads that copy solvers at the same time, in another order on each rank, may want the same number. So nobody waits for
/// other ranks with the lock, and who does not get its number on all ranks asks for another one.
index_t RankedSession::take_solver_number(Communicator& ranks) {
    std::vector<count_t> taken;
    collectively(ranks, [&] { taken.resize(static_cast<std::size_t>(SolverNumbers::most)); });
    for (;;) {
        list_taken(taken);
        ranks.all_reduce_max(taken);
        SolverNumbers::Words words(taken.size() / 64, 0);
        for (std::size_t n = 0; n < taken.size(); ++n)
            words[n / 64] |= static_cast<std::uint64_t>(taken[n]) << (n % 64);
        const index_t number = SolverNumbers::first_free(words);
        const bool is_mine = take_if_free(number);
        std::array<count_t, 1> refused{is_mine ? 0 : 1};
        ranks.all_reduce_max(refused);
        if (refused[0] == 0) return number;
        if (is_mine) give_solver_number_back(number);
    }
}

void RankedSession::list_taken(std::vector<count_t>& taken) {
    const std::lock_guard lock(mutex_);
    for (std::size_t n = 0; n < taken.size(); ++n)
        taken[n] = static_cast<count_t>(numbers_.taken()[n / 64] >> (n % 64) & 1);
}

bool RankedSession::take_if_free(index_t number) {
    const std::lock_guard lock(mutex_);
    return numbers_.take_if_free(number);
}

void RankedSession::give_solver_number_back(index_t number) noexcept {
    const std::lock_guard lock(mutex_);
    numbers_.give_back(number);
}

}  // namespace frond::detail

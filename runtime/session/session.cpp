// SPDX-License-Identifier: BSD-3-Clause
// The public class: it calls the state that all sessions share, and makes std::bad_alloc OutOfMemory.
#include "frond/session.hpp"

#include <cstddef>
#include <exception>
#include <new>
#include <utility>
#include <vector>

#include "frond/base/error.hpp"
#include "frond/gpu/devices.hpp"
#include "ranks/collectively.hpp"
#include "session/ranked_session.hpp"
#include "session/session_state.hpp"

namespace frond {

// Scheduler and tuning decide how trees are cut and tasks of all ranks are ordered; how many workers and cards there are is
// each rank's own.
Session::Session(const SessionOptions& options) try {
    if (options.communicator == nullptr) {
        state_ = detail::SessionState::acquire(options);
        return;
    }
    ranks_ = std::make_shared<detail::RankedSession>(options.communicator);
    detail::expect_agreement(ranks_->ranks(),
                             {{"call", "Session"}, {"scheduler", options.scheduler}, {"tuning", options.tuning}});
    const detail::DevicePart part = ranks_->part_of_devices(options.gpus == 0 ? 0 : gpu::devices_seen());
    detail::collectively(ranks_->ranks(), [&] {
        state_ = detail::SessionState::acquire(options, part);
        state_->start();
    });
    ranks_->start_messages(state_);
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

void Session::throw_on_all_ranks(std::exception_ptr error) const {
    if (ranks_ != nullptr) return detail::throw_together(ranks_->ranks(), std::move(error));
    if (error != nullptr) std::rethrow_exception(std::move(error));
}

count_t Session::give_back_memory() const try { return state_->give_back_memory(); } catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

std::string Session::text_of_rank_0(const std::string& text) const try {
    return ranks_ == nullptr ? text : detail::text_of_rank_0(ranks_->ranks(), text);
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

SessionInfo Session::info() const try {
    SessionInfo info = state_->info();
    if (ranks_ != nullptr) ranks_->describe(info);
    return info;
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

}  // namespace frond

// SPDX-License-Identifier: BSD-3-Clause
// The public class: it calls the state that all sessions share, and makes std::bad_alloc OutOfMemory.
#include "frond/session.hpp"

#include <new>

#include "frond/base/error.hpp"
#include "session/session_state.hpp"

namespace frond {

Session::Session(const SessionOptions& options) try : state_(detail::SessionState::acquire(options)) {
} catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

count_t Session::give_back_memory() const try { return state_->give_back_memory(); } catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

SessionInfo Session::info() const try { return state_->info(); } catch (const std::bad_alloc&) {
    detail::throw_out_of_memory();
}

}  // namespace frond

// SPDX-License-Identifier: BSD-3-Clause
// The functions of frond.h for sessions.
#include "guarded.hpp"
#include "solver.hpp"
#include "untouched_options.hpp"
#include "session/ranked_session.hpp"

using namespace frond;
using namespace frond::c_interface;

namespace {

SessionOptions session_options(const char* options) {
    Options all;
    set_options(all, options ? options : "");
    expect_untouched(all, false, "give it to frond_solver_create");
    return all.session;
}

}  // namespace

extern "C" {

frond_status frond_session_create(const char* options, frond_session** session) {
    return guarded([&] {
        expect_pointer(session, "session");
        *session = nullptr;
        *session = new frond_session{Session(session_options(options))};
    });
}

frond_status frond_session_create_on(const char* options, const void* communicator, frond_session** session) {
    return guarded([&] {
        expect_pointer(communicator, "communicator");
        SessionOptions given;
        try {
            expect_pointer(session, "session");
            *session = nullptr;
            given = session_options(options);
        } catch (...) {  // where the ranks meet first: all of them throw it
            detail::RankedSession(communicator).meet("frond_session_create_on", std::current_exception());
        }
        given.communicator = communicator;
        *session = new frond_session{Session(given)};
    });
}

frond_status frond_session_get_info(const frond_session* session, frond_session_info* info) {
    return guarded([&] {
        expect_pointer(session, "session");
        copy_out(session_info_of(session->session.info()), info);
    });
}

frond_status frond_session_give_back_memory(const frond_session* session, int64_t* given_back_bytes) {
    return guarded([&] {
        expect_pointer(session, "session");
        const count_t bytes = session->session.give_back_memory();
        if (given_back_bytes != nullptr) *given_back_bytes = bytes;
    });
}

void frond_session_destroy(frond_session* session) { delete session; }

}  // extern "C"

// SPDX-License-Identifier: BSD-3-Clause
// Device memory that is refused request by request, and what a session keeps there.
#pragma once

#include "factors/state_of.hpp"
#include "frond/codelets/device_room.hpp"
#include "run_both.hpp"

#include <doctest/doctest.h>

namespace frond::test {

/// While it lives, `admitted` more requests for that use are met.
class Refusals {
public:
    Refusals(DeviceRoom::Use use, count_t admitted) { device_room().admit_only(use, admitted); }

    Refusals(const Refusals&) = delete;
    Refusals& operator=(const Refusals&) = delete;

    ~Refusals() { device_room().admit_all(); }
};

inline count_t kept_bytes() {
    return device_room().used_bytes(DeviceRoom::Use::factors) + device_room().used_bytes(DeviceRoom::Use::tables);
}

/// What the session keeps would serve the same analysis again: now everything is asked for.
inline void forget_kept_memory() {
    detail::SessionState& session = *detail::state_of(device_session());
    const detail::JobGuard guard(session);
    session.forget_workspaces();
    session.forget_spare_solves();
    session.forget_parts();
    session.pinned_heap().trim();
}

/// body() with the first, second, ... request for that use refused, and all after it, until none is; then each time
/// after(), for which none is refused. Returns how many runs met a refusal.
template <class Body, class After>
count_t refuse_one_after_the_other(DeviceRoom::Use use, Body body, After after) {
    for (count_t admitted = 0;; ++admitted) {
        CAPTURE(static_cast<int>(use));
        CAPTURE(admitted);
        const count_t before = device_room().requests(use);
        {
            const Refusals refusals(use, admitted);
            body();
        }
        const count_t asked_for = device_room().requests(use) - before;
        after();
        if (asked_for <= admitted) return admitted;
    }
}

template <class Body>
count_t refuse_one_after_the_other(DeviceRoom::Use use, Body body) {
    return refuse_one_after_the_other(use, body, [] {});
}

}  // namespace frond::test

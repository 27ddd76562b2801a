// SPDX-License-Identifier: BSD-3-Clause
// The account of device memory that factors keep between solves; it needs no device.
#include "factors/factors_state.hpp"
#include "factors/state_of.hpp"
#include "frond/frond.hpp"
#include "frond/matrix/generate.hpp"
#include "shared_session.hpp"
#include "substitution/device_solve.hpp"
#include "watchdog.hpp"

#include <doctest/doctest.h>

#include <atomic>

using namespace frond;
using namespace frond::test;

namespace {

struct Hold final : detail::DeviceHold {
    explicit Hold(count_t size) : bytes(size) {}
    void release_device() override { bytes = 0; }
    void store_factors(const std::atomic<bool>*) override {}
    count_t device_bytes() const noexcept override { return bytes; }

    count_t bytes;
};

}  // namespace

TEST_CASE("bytes that others hold, until a factorization needs the room") {
    const Session own(four_workers());  // not one that lives on: other cases here start StarPU themselves
    detail::SessionState& session = *detail::state_of(own);
    Hold first(5), second(7);
    session.add_hold(first);
    session.add_hold(second);
    CHECK(session.held_bytes() == 12);
    CHECK(session.held_bytes(&first) == 7);
    {
        const detail::HoldPause pause(session);
        CHECK(session.holds_paused());
        CHECK(session.held_bytes() == 0);
    }
    CHECK_FALSE(session.holds_paused());
    session.remove_hold(first);
    session.remove_hold(second);
}

TEST_CASE("factors that were dropped hold nothing") {
    const Watchdog watchdog(60);
    const Session session(four_workers());
    Solver<double> solver(session);
    solver.factor(poisson2d<double>(20).matrix);
    detail::FactorsState<double>& state = *detail::state_of(solver.factors());
    state.device_solve().set_home_bytes(1000);
    CHECK(state.session->held_bytes() == 1000);
    state.factors.drop();
    CHECK(state.session->held_bytes() == 0);
    CHECK(state.factors.subtrees().empty());
    CHECK(state.factors.tiled().empty());
}

// SPDX-License-Identifier: BSD-3-Clause
// What the objects of the public interface hold, which their users do not see.
#pragma once

#include <memory>
#include <utility>

#include "frond/solver.hpp"

namespace frond::detail {

/// The friend that Session, Solver and Factors name.
struct StateAccess {
    static const std::shared_ptr<SessionState>& of(const Session& session) noexcept { return session.state_; }
    static const std::shared_ptr<RankedSession>& ranks(const Session& session) noexcept { return session.ranks_; }
    static Session alone(Session session) noexcept {
        session.ranks_.reset();
        return session;
    }
    template <class T>
    static Driver<T>& of(const Solver<T>& solver) noexcept {
        return *solver.driver_;
    }
    template <class T>
    static const std::shared_ptr<FactorsState<T>>& of(const Factors<T>& factors) noexcept {
        return factors.state_;
    }
    template <class T>
    static Factors<T> factors(std::shared_ptr<FactorsState<T>> state) {
        return Factors<T>(std::move(state));
    }
};

/// Not null. What it returns lives as long as the session.
inline const std::shared_ptr<SessionState>& state_of(const Session& session) noexcept {
    return StateAccess::of(session);
}

/// Null for a session without a communicator. What it returns lives as long as the session.
inline const std::shared_ptr<RankedSession>& ranks_of(const Session& session) noexcept {
    return StateAccess::ranks(session);
}

/// The same StarPU, without the communicator.
inline Session alone(Session session) noexcept { return StateAccess::alone(std::move(session)); }

/// Null where there are no factors. What it returns lives as long as `factors`.
template <class T>
const std::shared_ptr<FactorsState<T>>& state_of(const Factors<T>& factors) noexcept {
    return StateAccess::of(factors);
}

/// Factors that hold this state. `state` is not null.
template <class T>
Factors<T> factors_with(std::shared_ptr<FactorsState<T>> state) {
    return StateAccess::factors(std::move(state));
}

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
// Memory of the host for factors that have no room on the session's devices, pinned while the analysis ends.
#pragma once

#include <memory>
#include <utility>

#include "frond/analysis/counted_factors.hpp"
#include "session/session_state.hpp"

namespace frond::detail {

/// How much of the host's memory the first factorization likely takes at least, where all devices have room_bytes together; 0,
/// where the whole tree may fit there.
count_t bytes_ahead(const CountedTree& tree, Factorization kind, count_t scalar_bytes, count_t room_bytes);

/// For one analysis in the session.
class AheadOfFactorization {
public:
    explicit AheadOfFactorization(std::shared_ptr<SessionState> session) : session_(std::move(session)) {}
    AheadOfFactorization(const AheadOfFactorization&) = delete;
    AheadOfFactorization& operator=(const AheadOfFactorization&) = delete;
    /// The memory goes, unless an analysis keeps it.
    ~AheadOfFactorization();

    void begin(const CountedTree& tree, Factorization kind, count_t scalar_bytes);
    /// The analysis, which keeps that memory until it goes itself, or a factorization of the session has come first.
    std::shared_ptr<const Analysis> kept_by(std::shared_ptr<const Analysis> analysis);

private:
    std::shared_ptr<SessionState> session_;
    count_t number_ = 0;  // 0: nothing has begun
};

}  // namespace frond::detail

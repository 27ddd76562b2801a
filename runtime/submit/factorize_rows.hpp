// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "frond/solver.hpp"
#include "session/session_state.hpp"

namespace frond::detail {

/// Factors a sparse matrix whose rows several ranks have, which the calling thread leads. part: rank 0's of the
/// analysis; diagonal: of A. The scaled entries come from the ranks that have them.
template <class T>
Factors<T> factorize_rows(const std::shared_ptr<SessionState>& session, std::shared_ptr<const Analysis> part,
                          SharedMatrix<T> diagonal, std::shared_ptr<const Scaling> scaling,
                          const FactorOptions& options);

}  // namespace frond::detail

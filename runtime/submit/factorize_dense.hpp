// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "frond/matrix/dense_matrix_view.hpp"
#include "frond/solver.hpp"
#include "session/session_state.hpp"

namespace frond::detail {

/// Analysis, scaling and factorization of a dense matrix: of `a`, or of the parts of it that the ranks of the calling
/// thread's OtherRanks have, of which `a` is this one's. Outside jobs.
/// @throws InvalidArgument, InvalidMatrix  as check_dense_matrix, analyze_dense and dense_maxima
template <class T>
Factors<T> factorize_dense(const std::shared_ptr<SessionState>& session, const DenseMatrixView<T>& a,
                           const AnalysisOptions& analysis_options, const FactorOptions& options);

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "frond/analysis/kept_scaling.hpp"
#include "frond/solver.hpp"
#include "session/session_state.hpp"

namespace frond::detail {

/// The scaling of a factorization, and what is known of it.
struct ChosenScaling {
    std::shared_ptr<const Scaling> scaling = std::make_shared<const Scaling>();  // not null; empty: none
    std::shared_ptr<const KeptScaling> kept;  // of scaling, for the next values; null: nothing is to be kept
    bool was_kept = false;  // it was made for earlier values
    bool stale_matching = false;
    UnmatchedPart unmatched;
    double seconds = 0;
};

/// Whether a scaling serves later values, too: never with `deterministic`, and where none is asked for there is nothing
/// to keep.
inline bool is_kept(const Analysis& analysis) {
    return !analysis.options.deterministic && analysis.options.scaling != ScalingMethod::none;
}

/// None where the kind needs none, else the kept one where it suits the values (never with `deterministic`), else
/// that of the values. kept may be null. Outside jobs.
template <class T>
ChosenScaling choose_scaling(SessionState& session, const SparseMatrix<T>& a, const Analysis& analysis,
                             const FactorOptions& options, std::shared_ptr<const KeptScaling> kept);

/// One that the caller gives. @throws InvalidArgument for one of another size
template <class T>
ChosenScaling given_scaling(const Scaling& scaling, const SparseMatrix<T>& a, const Analysis& analysis);

}  // namespace frond::detail

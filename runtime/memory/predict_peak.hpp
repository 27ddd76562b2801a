// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/analysis/analysis.hpp"
#include "memory/runtime_bytes.hpp"

namespace frond::detail {

/// Bytes of one unit of submission: a subtree task or a front on tiles.
struct UnitBytes {
    count_t factors = 0;  // stay
    count_t contribution = 0;  // until the parent is assembled
    count_t temporary = 0;  // until the unit is factored

    count_t sum() const { return factors + contribution + temporary; }
};

/// Bytes that Frond's submitter will count, before any work is done.
struct PeakPrediction {
    count_t fixed_bytes = 0;  // A, its scaled entries, the analysis, workspaces of the workers
    count_t lasting_bytes = 0;  // of those, what stays as long as the factors
    count_t factor_bytes = 0;
    count_t sequential_bytes = 0;  // least that the postorder needs
    count_t parallel_bytes = 0;  // bound the submitter keeps to when the budget allows
    count_t most_pending_tasks = 0;  // that are counted as waiting
};

template <class T>
UnitBytes subtree_bytes(const Analysis& analysis, const Subtree& subtree);
/// share: of this rank's part, where it shares the front.
template <class T>
UnitBytes front_bytes(const Analysis& analysis, index_t front, const TreeShare* share = nullptr);

/// Bytes of the analysis object itself (its arrays).
count_t analysis_bytes(const Analysis& analysis);

/// Largest scratch block that a task on tiles asks for.
template <class T>
count_t workspace_bytes(const Analysis& analysis);

/// workers: of this process. share: of this rank's units and its parts of others; null: of all. Blocks that other ranks send count while they are assembled.
template <class T>
PeakPrediction predict_peak(const Analysis& analysis, index_t workers, const TreeShare* share = nullptr);
/// That of all units, made once for each analysis.
template <class T>
PeakPrediction kept_prediction(const Analysis& analysis, index_t workers) {
    struct Name {};
    return analysis.facts.of<Name>(workers, [&] { return predict_peak<T>(analysis, workers); });
}

}  // namespace frond::detail

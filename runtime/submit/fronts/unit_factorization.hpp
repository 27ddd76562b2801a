// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <optional>

#include "frond/codelets/workspace_pool.hpp"
#include "memory/memory_limit.hpp"
#include "submit/fronts/submit_units.hpp"

namespace frond::detail {

/// Who runs the tasks.
enum class Runner : std::uint8_t { caller, cores, cores_and_devices };

/// The factorization of the units of a tree by tasks, or of this rank's units where state.factors.ownership.share says so: all that its tasks
/// share, from before the first to what they found.
template <class T>
class UnitFactorization {
public:
    struct Input {
        T* entries = nullptr;  // scaled, in the order of the entry map; of other ranks' units not read
        PivotRule rule;
        count_t memory_budget_bytes = 0;
        const std::atomic<bool>* cancel = nullptr;
        Runner runner = Runner::cores;
        index_t failing_unit = -1;  // see FactorizationContext,
        const RecordedRun* replay = nullptr;  // which has this, too
        MadeUnits<T>* made = nullptr;  // factored by submit(), before all others; outlives this
    };

    /// state holds session, analysis and share, and no factors. @throws MemoryBudgetExceeded; std::bad_alloc
    UnitFactorization(FactorsState<T>& state, const PeakPrediction& predicted, const Input& input);

    /// After submit(): entries of a dense matrix go to other ranks also where this one submitted nothing. An error is the
    /// job's.
    void end_loading() noexcept;

    Job& job() noexcept { return job_; }
    /// The context of all tasks, before they are submitted.
    FactorizationContext<T>& context() noexcept { return context_; }

    /// Errors go to the job, as those of tasks do.
    void submit() noexcept;
    /// After submit, when all tasks and messages have ended.
    void finish() noexcept {
        units_->finish();
        if (context_.made != nullptr) context_.made->end();
    }
    /// After finish.
    void collect(FactorReport& report, PivotReport& pivots) const;

    count_t held_bytes() const { return budget_.used_bytes(); }

private:
    void set_context(FactorsState<T>& state, const Input& input);
    void make_units();

    MemoryBudget budget_;
    count_t limit_bytes_;
    WorkspacePool workspaces_;
    Job job_;
    std::optional<UnitMessages> messages_;
    FactorizationContext<T> context_;
    std::optional<UnitSubmission<T>> units_;
};

}  // namespace frond::detail

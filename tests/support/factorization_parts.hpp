// SPDX-License-Identifier: BSD-3-Clause
// The parts of a factorization by threshold pivoting, with a budget that can be asked and held.
#pragma once

#include "factors/pivots.hpp"
#include "factors/state_of.hpp"
#include "frond/codelets/workspace_pool.hpp"
#include "memory/predict_peak.hpp"
#include "session/parallel_for.hpp"
#include "session/session_state.hpp"
#include "shared_session.hpp"
#include "submit/scaled_entries.hpp"
#include "submit/fronts/submit_units.hpp"

#include <functional>
#include <memory>
#include <utility>

namespace frond::test {

template <class T>
struct FactorizationParts {
    detail::FactorsState<T> state;
    PivotRule rule;
    Job job;
    count_t most_pending_tasks = 1000;
    std::function<void()> before_submission = [] {}, after_submission = [] {};  // of all tasks

    FactorizationParts(std::shared_ptr<const Analysis> analysis, SparseMatrix<T> matrix, Scaling scaling,
                       const std::atomic<bool>* cancel = nullptr)
        : state(detail::state_of(shared_session()), std::move(analysis)), job(detail::starpu_engine(), cancel) {
        state.system.matrix = std::make_shared<const SparseMatrix<T>>(std::move(matrix));
        state.system.scaling = std::make_shared<const Scaling>(std::move(scaling));
        state.factors.subtrees().resize(state.analysis->mapping.subtrees.size());
        state.factors.tiled().resize(state.analysis->mapping.grids.size());
        rule.threshold = 0.01;
        rule.zero_pivot = 1e-13;
        rule.smallest_pivot = 1;
    }

    detail::PeakPrediction predicted() const {
        return detail::predict_peak<T>(*state.analysis, state.session->cpu_workers());
    }

    /// @throws what the tasks or their submission throw, when all tasks have ended
    void run(detail::MemoryBudget& budget) {
        const detail::JobGuard guard(*state.session);
        auto entries = detail::scale_entries(*state.system.matrix, *state.analysis, *state.system.scaling,
                                             detail::parallel_for_on(*state.session, "scaling"));
        WorkspacePool workspaces(detail::workspace_bytes<T>(*state.analysis));
        detail::FactorizationContext<T> context;
        context.job = &job;
        context.state = &state;
        context.entries = entries.data();
        context.rule = rule;
        context.budget = &budget;
        context.workspaces = &workspaces;
        context.most_pending_tasks = most_pending_tasks;
        detail::UnitSubmission<T> units(context, *state.analysis);
        try {
            before_submission();
            units.submit_all();
            after_submission();
        } catch (...) {
            job.fail(std::current_exception());
        }
        units.finish();
        job.wait();
    }

    count_t second_pass_bytes() {
        count_t sum = 0;
        detail::for_each_second_pass<T>(state.factors, [&](const cpu::SecondPass<T>& l) { sum += l.bytes(); });
        return sum;
    }
};

}  // namespace frond::test

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "factors/shared_solve.hpp"
#include "frond/base/loop_purpose.hpp"
#include "substitution/elimination_order.hpp"
#include "substitution/tree/substitution_plan.hpp"

namespace frond::detail {

/// X := op(A)^-1 X by the factors alone, in original row and column numbers: permutes and scales into
/// elimination order, substitutes in blocks of right-hand sides, and back.
/// The session must be inside a job while it is used.
template <class T>
class FactorSolve {
public:
    FactorSolve(const FactorsState<T>& state, const SolveOptions& options);

    /// x [n, rhs] in place.
    void apply(DenseView<T> x);
    double seconds() const { return seconds_; }
    /// True: the substitution ran on the device, at least once.
    bool on_device() const { return on_device_; }
    /// Where the last substitution by several ranks ran.
    AgreedPlace place_on_ranks() const { return place_on_ranks_; }
    void stay_on_host() { place_ = SolvePlace::host; }
    bool wants_device() const;
    /// See EliminationOrder.
    bool conjugated() const { return order_.conjugated(); }
    /// True: `rhs` right-hand sides would be solved on the host, by this thread, without tasks.
    bool works_alone(index_t rhs) { return !wants_device() && plan(rhs).way == SubstitutionWay::alone; }
    /// Takes this way, if the factors are on the host, in place of the one that is expected to be the quickest. The
    /// bits are the same.
    void force(SubstitutionWay way) { forced_ = way; }

private:
    const SubstitutionPlan& plan(index_t rhs);
    SubstitutionLoad load(index_t rhs) const;
    SubstitutionWay quickest(const SubstitutionPlan& plan, const SubstitutionLoad& load) const;
    index_t block_columns() const;
    /// The operation with the factors: the symmetric kinds conjugate outside.
    Operation operation() const { return is_symmetric(state_.kind()) ? Operation::none : options_.operation; }
    void substitute(index_t rhs);
    /// All ranks that have units of the tree substitute; this one leads.
    void substitute_with_ranks(index_t rhs);
    void apply_on_host(DenseView<T> x);
    /// Substitutes the first columns, as many as it returns: all, or fewer if another thread or a factorization has the
    /// device, or there is no room.
    index_t apply_on_device(DenseView<T> x);

    const FactorsState<T>& state_;
    const SolveOptions& options_;
    EliminationOrder<T> order_;
    SolvePlace place_;
    HostBlock work_;  // [n, rhs] in elimination order
    double seconds_ = 0;
    index_t substitutions_ = 0;
    LoopIteration iteration_;
    bool on_device_ = false;
    AgreedPlace place_on_ranks_;
    std::optional<SubstitutionWay> forced_;
    std::optional<SubstitutionPlan> plan_;  // of the first substitution
};

}  // namespace frond::detail

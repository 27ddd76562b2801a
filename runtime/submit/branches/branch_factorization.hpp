// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "factors/factors_state.hpp"
#include "submit/fronts/made_units.hpp"
#include "submit/fronts/unit_factorization.hpp"
#include "submit/whole_tree/tree_factorization.hpp"

namespace frond::detail {

/// A rank's branches on its devices, as if they were a tree by themselves (docs/decisions/0056). Where that does not fit, is
/// expected to be slower, or pivots fail there, tasks do them.
template <class T>
class BranchFactorization final : public MadeUnits<T> {
public:
    /// How the whole factorization is done; entries: scaled, as the entry map of the rank's analysis.
    using Input = typename UnitFactorization<T>::Input;
    /// whole: of the factorization that they belong to, whose share has branches; it outlives this, and
    /// its largest_entry is known.
    BranchFactorization(FactorsState<T>& whole, const Input& input, FactorPlace place);
    ~BranchFactorization() override { end(); }

    void make() override;
    bool has(index_t front) const override { return whole_.factors.ownership.is_made_by_devices(front); }
    bool leaves_room_for_tiles() const override { return leaves_room_; }
    MadeBlock<T> block(index_t front) const override;
    void collect(FactorReport& report, PivotReport& pivots) const override;
    void end() noexcept override;

private:
    std::vector<std::span<const T>> values_of_branches() const;
    std::shared_ptr<FactorsState<T>> state_of_branches() const;
    void take_blocks();
    bool is_room_left() const;
    void take_pivots();

    FactorsState<T>& whole_;
    const Branches& branches_;
    const T* entries_;
    FactorPlace place_;
    FactorOptions options_;
    std::shared_ptr<FactorsState<T>> state_;
    PeakPrediction predicted_;
    PivotReport pivots_;
    std::function<PivotRule()> rule_of_;
    std::optional<TreeFactorization<T>> attempt_;
    bool leaves_room_ = true;
    std::map<index_t, MadeBlock<T>> blocks_;  // by the root's number in the tree
};

}  // namespace frond::detail

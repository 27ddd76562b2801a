// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frond/cpu/pivot_report.hpp"
#include "submit/whole_tree/tree_workspace.hpp"

namespace frond::detail {

/// The factorization of a whole tree on the devices: finds a plan that fits, runs it, and runs other plans where memory is
/// refused or pivots fail. Where none succeeds, tasks factor the matrix.
template <class T>
class TreeFactorization {
public:
    TreeFactorization(FactorsState<T>& state, PeakPrediction& predicted, const std::function<PivotRule()>& rule_of,
                      const FactorOptions& options, PivotReport& pivots)
        : state_(state),
          predicted_(predicted),
          rule_of_(rule_of),
          options_(options),
          pivots_(pivots),
          given_(state.analysis),
          devices_(gpu::devices()) {}

    const std::vector<gpu::Device>& devices() const noexcept { return devices_; }
    /// Plans. Empty when the tree fits on the devices and is expected to be quicker there, else why it is not tried.
    std::string why_not();
    bool pays() const noexcept { return pays_; }
    /// Empty when the factors are there. Else why not; neither `state` nor a device has any of them then.
    std::string run();
    /// Gives the session what the next factorization can use. done: run() said so; else `state` has the analysis again that it
    /// was given with.
    void keep(bool done);

    // After run(), until keep():
    /// Contribution blocks of roots, of state's analysis, which has branches of a tree.
    std::vector<gpu::BlockBetween> blocks_left() const;
    /// What is left of a device after all that was planned, and what the tasks of other fronts want.
    count_t bytes_beside(std::size_t device) const;
    /// They stay where they are, readable.
    void hold_blocks();
    std::pair<unsigned char*, unsigned> place_of(const gpu::BlockBetween& block) const;  // and its node
    const gpu::ResidentFactorization<T>& resident() const { return *workspace_->resident; }

private:
    void plan();
    void have_room();
    void make_way();
    count_t others_keep_bytes() const;
    void give_more_room();
    std::string try_with_more_room();
    std::string does_it_fit();
    index_t cores_for_pieces() const;
    void leave_cores_out();
    std::string without_cores();
    std::string try_once();
    std::string try_with_less_room();
    std::string on_first_alone();
    std::string plan_round(const std::shared_ptr<const Analysis>& before);
    std::string mend_and_try(std::string reason);
    void use_analysis(const std::shared_ptr<const Analysis>& analysis);

    bool is_quicker() const;

    FactorsState<T>& state_;
    PeakPrediction& predicted_;
    const std::function<PivotRule()>& rule_of_;
    const FactorOptions& options_;
    PivotReport& pivots_;
    std::shared_ptr<const Analysis> given_;
    std::vector<gpu::Device> devices_;
    count_t room_bytes_ = 0;
    std::exception_ptr refused_;  // the last error that told of refused memory
    std::optional<HoldPause> pause_;  // solves of other factors hold nothing on the device meanwhile
    bool pays_ = true;
    std::unique_ptr<TreeWorkspace<T>> workspace_;
};

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "frond/cpu/pivot_report.hpp"
#include "submit/delay_rounds.hpp"
#include "submit/tree_workspace.hpp"

namespace frond::detail {

/// One factorization on the device and what it is done with.
template <class T>
class DeviceAttempt {
public:
    DeviceAttempt(FactorsState<T>& state, PeakPrediction& predicted, const std::function<PivotRule()>& rule_of,
                  const FactorOptions& options, PivotReport& pivots)
        : state_(state),
          predicted_(predicted),
          rule_of_(rule_of),
          options_(options),
          pivots_(pivots),
          given_(state.analysis),
          devices_(gpu::devices()) {}

    const std::vector<gpu::Device>& devices() const noexcept { return devices_; }
    /// Finds the workspace. Empty when the tree fits and pays there, else why not.
    std::string why_not();
    bool pays() const noexcept { return pays_; }
    /// Empty when it is done, else why not; state has no factors then, and the device no memory of them.
    std::string run();
    /// What is kept for the next factorization. The analysis is the one that was given unless it is done.
    void keep(bool done);

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
    bool may_search_wider() const;
    std::string search_wider(DelayRounds& rounds);
    std::string delay_or_search(DelayRounds& rounds);
    std::string delay_and_try(std::string reason);
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
    std::exception_ptr refused_;  // memory, the last time
    std::optional<HoldPause> pause_;  // where others had to let go of the device
    bool pays_ = true;
    std::unique_ptr<TreeWorkspace<T>> workspace_;
};

}  // namespace frond::detail

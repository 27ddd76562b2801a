// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "messages/drain.hpp"
#include "messages/tree_share.hpp"

namespace frond::detail {

/// The messages of one factorization on one rank where each unit is of one rank: what a unit receives from its children,
/// and what it sends to its parent, in the order of the plan; and which of them have been posted.
class UnitMessages {
public:
    struct Planned {
        Message message;
        MessageTag tag;
        bool is_posted = false;
    };

    /// Cost: that of for_each_message over all fronts. The channel must outlive this, and this the job's messages.
    UnitMessages(Job& job, const TreeShare& share, const AssemblyTree& tree);

    Job& job() const noexcept { return job_; }
    const TreeShare& share() const noexcept { return share_; }

    /// post(planned) for those between `child` and its parent, which are marked then; all are of this rank.
    void post(index_t child, const std::function<void(const Planned&)>& post);
    /// What has not been posted, of the unit `front` and its children: nothing is sent, and what comes is discarded.
    void drain(index_t front);

    count_t planned() const noexcept { return planned_; }

private:
    Job& job_;
    const TreeShare& share_;
    RankPlan plan_;
    std::map<index_t, std::vector<Planned>> of_child_;  // front of the child
    std::vector<std::vector<index_t>> children_;  // [fronts] of other ranks, where the front is of this one
    count_t planned_ = 0;
    Drain drain_;
};

}  // namespace frond::detail

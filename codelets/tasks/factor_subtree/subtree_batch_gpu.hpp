// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "factor_subtree.hpp"
#include "kernels/level_batch/subtree_level.hpp"
#include "plans/subtree_plan.hpp"
#include "worker/device_layout.hpp"

namespace frond::gpu {

/// One subtree on the device: everything that its kernels read goes over in one copy, what the host needs
/// to know comes back in one.
template <class T>
class SubtreeBatch {
public:
    /// chunk, contribution: device memory, written whole.
    SubtreeBatch(const SubtreeArguments& a, const SubtreeBuffers<T>& buffers);

    /// False: a pivot was too small, an |l_ij| too large, or there is no room; the pivots are as they were then.
    bool run();

private:
    bool lay_out();
    void describe_fronts();
    void pack(void* host) const;
    void pack_children(ChildBlock<T>* children) const;
    void eliminate_levels();
    bool fetch_answer();
    void report(const T* pivots, const EliminateAnswer& answer) const;

    const Front& front(index_t f) const { return tree_.fronts[static_cast<std::size_t>(f)]; }
    T* square(index_t tree_front) const { return squares_room_.in(device_) + plan_.square_at(tree_front); }
    count_t child_begin(index_t f) const { return tree_.child_begin[static_cast<std::size_t>(f)]; }
    count_t entry_begin(index_t f) const { return analysis_.entry_map.front_begin[static_cast<std::size_t>(f)]; }

    const SubtreeArguments& a_;
    const Analysis& analysis_;
    const AssemblyTree& tree_;
    const Subtree& subtree_;
    Factorization kind_;
    bool symmetric_, indefinite_;
    T* chunk_;
    const T* entries_;  // on the host, as the pivots
    cpu::SubtreePivots<T>& pivots_;
    DenseView<T> contribution_;
    Stream stream_;
    SubtreePlan plan_;
    StepPlan steps_;
    std::vector<DenseFront<T>> squares_;  // in the order of plan_.fronts(), like the next two
    std::vector<FrontSources> sources_;
    std::vector<FrontResults<T>> results_;
    index_t columns_ = 0;

    // Sent.
    Place<DenseFront<T>> squares_at_;
    Place<FrontSources> sources_at_;
    Place<FrontResults<T>> results_at_;
    Place<FrontStep> steps_at_;
    Place<ChildBlock<T>> children_at_;
    Place<index_t> child_rows_at_, entry_row_at_, entry_column_at_;
    Place<T> entry_value_at_;
    // Sent and fetched.
    Place<EliminateAnswer> answer_at_;
    // Fetched.
    Place<index_t> perm_at_;
    Place<T> pivots_at_;
    Place<T> squares_room_;
    std::size_t sent_bytes_ = 0, fetched_end_ = 0;
    void* device_ = nullptr;
    void* pinned_ = nullptr;
};

}  // namespace frond::gpu

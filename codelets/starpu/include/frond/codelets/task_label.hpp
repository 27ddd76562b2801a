// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "frond/analysis/assembly_tree.hpp"
#include "frond/base/types.hpp"

namespace frond {

/// Which part of the work a task does: with its kind and the iteration of its job, its name in traces. -1, null: nothing
/// to say.
struct TaskLabel {
    const char* stage = nullptr;  // of a substitution; of a loop what it is for
    index_t front = -1, last_front = -1;  // one, or the first and the last
    index_t row = -1, column = -1;  // tile of the front
    index_t step = -1;  // panel of the front that is eliminated
    index_t level = -1;  // fronts between the front, or the last one, and its root
    index_t piece = -1;  // of the tree
    index_t rhs = -1;  // how many
    index_t chunk = -1;  // of a loop
};

/// The label of the tasks of a front; its level is there only where a trace is recorded.
TaskLabel label_of_front(const AssemblyTree& tree, index_t front) noexcept;
/// The label of the tasks of a subtree, whose root is the last front.
TaskLabel label_of_subtree(const AssemblyTree& tree, index_t first_front, index_t root_front) noexcept;

/// Room for any name; StarPU cuts longer ones.
inline constexpr std::size_t most_of_task_name = 104;

/// Such as "update_tile front 12 tile (3,2) step 1 level 4".
void write_task_name(const char* kind, const TaskLabel& label, index_t iteration, std::span<char> to) noexcept;

}  // namespace frond

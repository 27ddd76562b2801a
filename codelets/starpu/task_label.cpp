// SPDX-License-Identifier: BSD-3-Clause
#include "frond/codelets/task_label.hpp"

#include <algorithm>
#include <cstdio>

#include "frond/codelets/starpu_start.hpp"

namespace frond {
namespace {

/// What does not fit is cut.
class Writer {
public:
    explicit Writer(std::span<char> to) : to_(to) {}

    template <class... Values>
    void add(const char* format, Values... values) noexcept {
        const std::span<char> left = to_.subspan(used_);
        const int length = std::snprintf(left.data(), left.size(), format, values...);
        if (length > 0) used_ += std::min(static_cast<std::size_t>(length), left.size() - 1);
    }
    void add_number(const char* format, index_t value) noexcept {
        if (value >= 0) add(format, value);
    }

private:
    std::span<char> to_;
    std::size_t used_ = 0;
};

}  // namespace

TaskLabel label_of_front(const AssemblyTree& tree, index_t front) noexcept {
    TaskLabel label;
    label.front = front;
    if (!StarpuStart::is_traced()) return label;
    label.level = 0;
    for (index_t f = front; (f = tree.fronts[static_cast<std::size_t>(f)].parent) >= 0;) ++label.level;
    return label;
}

TaskLabel label_of_subtree(const AssemblyTree& tree, index_t first_front, index_t root_front) noexcept {
    TaskLabel label = label_of_front(tree, root_front);
    label.front = first_front;
    label.last_front = root_front;
    return label;
}

void write_task_name(const char* kind, const TaskLabel& label, index_t iteration, std::span<char> to) noexcept {
    Writer name(to);
    name.add("%s", kind);
    if (label.stage != nullptr) name.add(" %s", label.stage);
    name.add_number(" piece %d", label.piece);
    if (label.last_front > label.front)
        name.add(" fronts %d-%d", label.front, label.last_front);
    else
        name.add_number(" front %d", label.front);
    if (label.row >= 0) name.add(" tile (%d,%d)", label.row, label.column);
    name.add_number(" step %d", label.step);
    name.add_number(" level %d", label.level);
    name.add_number(" chunk %d", label.chunk);
    name.add_number(" rhs %d", label.rhs);
    name.add_number(" iteration %d", iteration);
}

}  // namespace frond

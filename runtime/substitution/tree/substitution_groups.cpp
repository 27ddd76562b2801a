// SPDX-License-Identifier: BSD-3-Clause
// Some units as one task.
#include <algorithm>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "substitution/tree/substitution_run.hpp"

namespace frond::detail {
namespace {

/// self: the substitution, whose units the task solves one after the other, on this thread. What tasks of other units use
/// of that are its buffers; the rest of the vectors is the group's alone, and the factors lie in the host's memory, where
/// nothing moves them (factors_on_host).
struct GroupArguments : TaskArguments {
    void (*body)(void* self, index_t group, SolveStage stage) = nullptr;
    void* self = nullptr;
    index_t group = 0;
    SolveStage stage = SolveStage::forward;
};

void solve_group_cpu(void**, void* raw) noexcept {
    run_task<GroupArguments>(raw, [](const GroupArguments& a) { a.body(a.self, a.group, a.stage); });
}

starpu_codelet& solve_group_codelet() {
    static starpu_codelet codelet = make_codelet("solve_group", solve_group_cpu, 0x6A8CAF);
    return codelet;
}

}  // namespace

template <class T>
void Substitution<T>::run_group(void* self, index_t group, SolveStage stage) {
    auto& s = *static_cast<Substitution*>(self);
    const UnitGroup units = s.plan_.groups[at(group)];
    for (index_t n = 0; n <= units.root - units.first; ++n) {
        const index_t u = stage == SolveStage::backward ? units.root - n : units.first + n;
        s.run_unit(s.units_[at(u)], stage, Execution::sequential);
    }
}

template <class T>
void Substitution<T>::submit_group(index_t group, SolveStage stage) {
    GroupArguments a;
    a.body = run_group;
    a.self = this;
    a.group = group;
    a.stage = stage;
    const UnitGroup units = plan_.groups[at(group)];
    a.label = label_of(units_[at(units.root)], stage);
    a.label.last_front = units_[at(units.root)].planned->front;
    a.label.front = label_of(units_[at(units.first)], stage).front;
    for (index_t u = units.first; u <= units.root; ++u) a.flops += flops_of(units_[at(u)]);
    make_room();
    const bool on_tiles = units_[at(units.root)].tiled != nullptr;
    insert_task(job_, solve_group_codelet(), a, accesses_of_group(group, stage),
                on_tiles                       ? 2
                : stage == SolveStage::forward ? 1
                                               : 0);
}

/// Vectors that others use, too; the factors are valid where they are.
template <class T>
std::vector<Access> Substitution<T>::accesses_of_group(index_t group, SolveStage stage) {
    const UnitGroup units = plan_.groups[at(group)];
    Unit& root = units_[at(units.root)];
    std::vector<Operand> operands;
    const bool backward = stage == SolveStage::backward;
    const bool has_parent_here = root.parent != nullptr && is_here(*root.parent);
    if (stage == SolveStage::forward || (backward && has_parent_here && root.tiled != nullptr))
        add_outside(root, false, true, STARPU_W, operands);
    if (stage == SolveStage::forward && units.first == units.root)
        for (Unit* child : root.children) add_outside(*child, false, true, STARPU_R, operands);
    if (backward && has_parent_here)
        add_outside(*root.parent, true, true, STARPU_R, operands);
    else if (backward && root.parent != nullptr)
        add_outside(root, false, true, STARPU_R, operands);  // what another rank has sent
    std::vector<DataRef> written{columns_[at(group)].get()};
    for (index_t u = units.first; u <= units.root; ++u)
        for (const DataRef h : handles_of_second_pass(units_[at(u)])) written.push_back(h);
    std::sort(written.begin(), written.end());
    written.erase(std::unique(written.begin(), written.end()), written.end());
    std::vector<Access> accesses;
    for (const DataRef h : written) accesses.push_back({h, STARPU_RW});
    for (const Operand& o : operands) accesses.push_back({o.handle, o.mode});
    return accesses;
}

/// A group is submitted when its root's turn comes.
template <class T>
void Substitution<T>::submit_unit(index_t u, SolveStage stage) {
    const index_t group = plan_.way == SubstitutionWay::groups ? units_[at(u)].planned->group : -1;
    if (group < 0)
        run_unit(units_[at(u)], stage, Execution::as_tasks);
    else if (plan_.groups[at(group)].root == u)
        submit_group(group, stage);
}

/// Columns of x.
template <class T>
DataHandle Substitution<T>::columns_of(const UnitGroup& group) const {
    const index_t first = units_[at(group.first)].planned->first_column;
    return DataHandle::matrix(x_.block(first, 0, units_[at(group.root)].planned->end_column - first, x_.cols));
}

template <class T>
DataRef Substitution<T>::columns_handle(const Unit& unit) const {
    if (plan_.way == SubstitutionWay::groups) return columns_[at(unit.planned->group)].get();
    return plan_.way == SubstitutionWay::units ? unit.whole[0].handle.get() : nullptr;
}

#define FROND_INSTANTIATE(T)                                                              \
    template void Substitution<T>::run_group(void*, index_t, SolveStage);                 \
    template void Substitution<T>::submit_group(index_t, SolveStage);                     \
    template std::vector<Access> Substitution<T>::accesses_of_group(index_t, SolveStage); \
    template void Substitution<T>::submit_unit(index_t, SolveStage);                      \
    template DataHandle Substitution<T>::columns_of(const UnitGroup&) const;              \
    template DataRef Substitution<T>::columns_handle(const Unit&) const;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

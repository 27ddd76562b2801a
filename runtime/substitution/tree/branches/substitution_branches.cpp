// SPDX-License-Identifier: BSD-3-Clause
// The part of the substitution that a device makes with the factors of this rank's branches, between tasks of other units.
#include <utility>

#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "substitution/tree/substitution_run.hpp"

namespace frond::detail {
namespace {

/// Data of tasks in the host's memory, which the calling thread uses while this lives: it waits for the tasks before.
class VectorsOfTasks {
public:
    VectorsOfTasks(std::vector<starpu_data_handle_t> handles, starpu_data_access_mode mode)
        : handles_(std::move(handles)) {
        for (; held_ < handles_.size(); ++held_) {
            if (starpu_data_acquire_on_node(handles_[held_], STARPU_MAIN_RAM, mode) == 0) continue;
            release();  // no destructor follows
            throw RuntimeError("StarPU cannot give the vectors of a solve");
        }
    }
    VectorsOfTasks(const VectorsOfTasks&) = delete;
    VectorsOfTasks& operator=(const VectorsOfTasks&) = delete;
    ~VectorsOfTasks() { release(); }

private:
    void release() noexcept {
        while (held_ > 0) starpu_data_release_on_node(handles_[--held_], STARPU_MAIN_RAM);
    }

    std::vector<starpu_data_handle_t> handles_;
    std::size_t held_ = 0;
};

}  // namespace

template <class T>
bool Substitution<T>::is_in_branch(const Unit& unit) const {
    return branches_ != nullptr && factors_.ownership.is_made_by_devices(unit.planned->front);
}

/// One with contribution rows.
template <class T>
bool Substitution<T>::is_root_of_branch(const Unit& unit) const {
    return is_in_branch(unit) && unit.parent != nullptr && !is_in_branch(*unit.parent) && unit.y.rows > 0;
}

template <class T>
void Substitution<T>::run_branches(SolveStage stage) {
    if (branches_ == nullptr) return;
    const bool is_forward = stage == SolveStage::forward;
    submit_tasks([&] {
        std::vector<starpu_data_handle_t> handles;
        std::vector<DenseView<T>> outside;
        for (Unit& unit : units_) {
            if (!is_root_of_branch(unit)) continue;
            for (auto s = at(unit.outside_own()); s < unit.outside().size(); ++s)
                handles.push_back(unit.outside()[s].handle.get());
            outside.push_back(unit.y);
        }
        const VectorsOfTasks used(std::move(handles), is_forward ? STARPU_W : STARPU_R);
        if (job_.stopped()) return;  // meanwhile
        is_forward ? branches_->forward(x_, outside) : branches_->backward(x_, outside);
    });
}

#define FROND_INSTANTIATE(T)                                             \
    template bool Substitution<T>::is_in_branch(const Unit&) const;      \
    template bool Substitution<T>::is_root_of_branch(const Unit&) const; \
    template void Substitution<T>::run_branches(SolveStage);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

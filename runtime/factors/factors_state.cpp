// SPDX-License-Identifier: BSD-3-Clause
#include "factors/factors_state.hpp"

#include <optional>
#include <utility>

#include "frond/base/instantiate.hpp"
#include "frond/matrix/operations.hpp"
#include "memory/predict_peak.hpp"
#include "refinement/forward_error.hpp"
#include "session/parallel_for.hpp"

namespace frond::detail {

template <class T>
SubtreeFactors<T> SubtreeFactors<T>::made(const Analysis& analysis, std::size_t number, T* chunk, unsigned node) {
    const Subtree& s = analysis.mapping.subtrees[number];
    const Front& first = analysis.tree.fronts[static_cast<std::size_t>(s.first_front)];
    const Front& root = analysis.tree.fronts[static_cast<std::size_t>(s.root_front)];
    SubtreeFactors factors;
    factors.pivots->perm.resize(static_cast<std::size_t>(root.first_column + root.npiv - first.first_column));
    const count_t bytes = subtree_bytes<T>(analysis, s).factors;
    factors.chunk = chunk;
    factors.handle = DataHandle::vector(chunk, bytes / static_cast<count_t>(sizeof(T)), node);
    factors.pivots_handle = DataHandle::object(*factors.pivots);
    return factors;
}

template <class T>
SubtreeFactors<T> SubtreeFactors<T>::make(const Analysis& analysis, std::size_t number) {
    HostBlock memory(subtree_bytes<T>(analysis, analysis.mapping.subtrees[number]).factors);
    SubtreeFactors factors = made(analysis, number, static_cast<T*>(memory.data()), STARPU_MAIN_RAM);
    factors.memory = std::move(memory);
    return factors;
}

/// The next factors made on the device take the memory over, unless they have left it.
template <class T>
FactorsState<T>::~FactorsState() {
    const gpu::KeptDevice kept(session != nullptr && session->has_devices());
    device_solve_.reset();
    release_handles();
    if (!parts.is_empty() && !is_stored) session->keep_parts(std::move(parts));
}

/// Copies that the scheduler asked for ahead of tasks which then had nothing to do (an earlier one failed) may still be
/// under way between host and devices, or a disk that StarPU swaps to. StarPU waits for them before it lets a handle
/// go, and only workers that run carry them out.
template <class T>
void FactorsState<T>::release_handles() {
    std::optional<AwakeWorkers> awake;
    const bool has_handles = !tiled.empty() || !subtrees.empty();
    if (has_handles && !report.place.on_device && session->running() && starpu_memory_nodes_get_count() > 1)
        awake.emplace(*session);
    tiled.clear();
    subtrees.clear();
}

template <class T>
const std::vector<double>& FactorsState<T>::solution_scale_under_lock(Operation op) const {
    const bool as_it_is = scaling->column.empty() && kind() == Factorization::llt &&
                          analysis->options.scaling == ScalingMethod::automatic;
    if (!as_it_is) return op == Operation::none ? scaling->column : scaling->row;
    if (!scale_of_unknowns_) scale_of_unknowns_ = scale_of_unknowns(*matrix);
    return *scale_of_unknowns_;
}

template <class T>
const std::vector<double>& FactorsState<T>::solution_scale(Operation op) const {
    const std::lock_guard lock(mutex_);
    return solution_scale_under_lock(op);
}

template <class T>
const LinearSystem<T>& FactorsState<T>::system(Operation op) const {
    const std::lock_guard lock(mutex_);
    auto& kept = systems_[static_cast<std::size_t>(op)];
    if (kept == nullptr) {
        ProductOptions products;
        products.parallel_for = parallel_for_on(*session, "residual");
        const std::vector<double>& scale = solution_scale_under_lock(op);
        kept = has_products_alone() ? std::make_unique<const LinearSystem<T>>(this->products(op), products, &scale)
                                    : std::make_unique<const LinearSystem<T>>(*matrix, op, products, &scale);
    }
    return *kept;
}

template <class T>
std::shared_ptr<const DenseOperator<T>> FactorsState<T>::products(Operation op) const {
    if (sparse_ranks != nullptr) return sparse_ranks->products(op);
    if (dense_ranks != nullptr) return dense_ranks->products(op);
    return std::make_shared<const DenseProducts<T>>(*dense, op);
}

template <class T>
std::vector<index_t> FactorsState<T>::entries_of_rows(Operation op) const {
    if (sparse_ranks != nullptr) return sparse_ranks->entries_of_rows(op);
    if (!dense) return frond::entries_of_rows(*matrix, op);
    return std::vector<index_t>(static_cast<std::size_t>(analysis->order), analysis->order);
}

template <class T>
double FactorsState<T>::norm_1() const {
    if (!has_products_alone()) return matrix_norms(*matrix).one;
    const JobGuard guard(*session);
    return system(Operation::transpose).norm();
}

template <class T>
void FactorsState<T>::drop_factors() {
    release_handles();
    copies.clear();
    seen_on_host = false;
    is_stored = false;
    may_be_stored = false;
    parts = FactorParts();
    layout = nullptr;
    share = nullptr;
    remote_pivots = nullptr;
    second_pass_positions.clear();
    branches = nullptr;
    has_units_of_branches = false;
    pivots_of_devices.clear();
    bytes_on_device = 0;
}

template <class T>
void FactorsState<T>::use_analysis(std::shared_ptr<const Analysis> other) {
    if (analysis == other) return;
    if (given_analysis == nullptr) given_analysis = analysis;
    analysis = std::move(other);
    const std::lock_guard lock(mutex_);
    device_solve_.reset();
}

#define FROND_INSTANTIATE(T)           \
    template struct SubtreeFactors<T>; \
    template class FactorsState<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#include "factors/factors_state.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/matrix/operations.hpp"
#include "memory/predict_peak.hpp"
#include "refinement/forward_error.hpp"
#include "session/parallel_for.hpp"

namespace frond::detail {
namespace {

/// [first, last) of a subtree.
std::pair<count_t, count_t> columns_of(const AssemblyTree& tree, const Subtree& subtree) {
    const Front& root = tree.fronts[at(subtree.root_front)];
    return {tree.fronts[at(subtree.first_front)].first_column, root.first_column + root.npiv};
}

}  // namespace

template <class T>
SubtreeFactors<T> SubtreeFactors<T>::made(const Analysis& analysis, std::size_t number, T* chunk, unsigned node) {
    const Subtree& s = analysis.mapping.subtrees[number];
    const auto columns = columns_of(analysis.tree, s);
    SubtreeFactors factors;
    factors.pivots->perm.resize(at(columns.second - columns.first));
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

/// Copies that the scheduler asked for before tasks which then had nothing to do (an earlier one failed) may still be
/// under way between host and devices, or a disk that StarPU swaps to. StarPU waits for them before it lets a handle
/// go, and only workers that run carry them out.
template <class T>
void FactorsState<T>::release_handles() {
    std::optional<AwakeWorkers> awake;
    const bool has_handles = !units_.tiled.empty() || !units_.subtrees.empty();
    if (has_handles && !report.place.on_device && session->running() && starpu_memory_nodes_get_count() > 1)
        awake.emplace(*session);
    units_.tiled.clear();
    units_.subtrees.clear();
    units_are_in_parts_ = false;
    pivot_order_ = {};
}

template <class T>
void FactorsState<T>::leave_units_in_parts(std::vector<index_t> pivot_order) {
    release_handles();
    pivot_order_ = std::move(pivot_order);
    units_are_in_parts_ = true;
}

template <class T>
std::vector<index_t> FactorsState<T>::pivot_orders_of_subtrees() const {
    const std::lock_guard lock(units_mutex_);
    std::vector<index_t> all(at(analysis->order), 0);
    for (std::size_t s = 0; s < analysis->mapping.subtrees.size(); ++s) {
        const auto [first, last] = columns_of(analysis->tree, analysis->mapping.subtrees[s]);
        const index_t* const from =
            units_are_in_parts_ ? pivot_order_.data() + first : units_.subtrees[s].pivots->perm.data();
        std::copy_n(from, last - first, all.begin() + first);
    }
    return all;
}

template <class T>
void FactorsState<T>::place_units() const {
    const std::lock_guard lock(units_mutex_);
    if (!units_are_in_parts_) return;
    PlacedUnits<T> placed = place_factors_in_parts(*this);
    for (std::size_t s = 0; s < placed.subtrees.size() && !pivot_order_.empty(); ++s) {
        const auto columns = columns_of(analysis->tree, analysis->mapping.subtrees[s]);
        std::copy(pivot_order_.begin() + columns.first, pivot_order_.begin() + columns.second,
                  placed.subtrees[s].pivots->perm.begin());
    }
    units_ = std::move(placed);
    pivot_order_ = {};
    units_are_in_parts_.store(false, std::memory_order_release);
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
    tiles_on_host.clear();
    is_stored = false;
    may_be_stored = false;
    parts = FactorParts();
    layout = nullptr;
    share = nullptr;
    remote_pivots = nullptr;
    second_pass_positions.clear();
    branches = nullptr;
    has_units_of_branches = false;
    units_of_devices.clear();
    own_pivots = {};
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

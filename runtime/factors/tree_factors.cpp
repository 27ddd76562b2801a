// SPDX-License-Identifier: BSD-3-Clause
#include "factors/tree_factors.hpp"

#include <starpu.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "memory/predict_peak.hpp"

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
TreeFactors<T>::~TreeFactors() {
    const gpu::KeptDevice kept(session->has_devices());
    release_handles();
    if (!parts.is_empty() && !is_stored) session->keep_parts(std::move(parts));
}

/// Copies that the scheduler asked for before tasks which then had nothing to do (an earlier one failed) may still be
/// under way between host and devices, or a disk that StarPU swaps to. StarPU waits for them before it lets a handle
/// go, and only workers that run carry them out.
template <class T>
void TreeFactors<T>::release_handles() {
    std::optional<AwakeWorkers> awake;
    const bool has_handles = !units_.tiled.empty() || !units_.subtrees.empty();
    if (has_handles && layout == nullptr && session->running() && starpu_memory_nodes_get_count() > 1)
        awake.emplace(*session);
    units_.tiled.clear();
    units_.subtrees.clear();
    units_are_in_parts_ = false;
    pivot_order_ = {};
}

template <class T>
void TreeFactors<T>::leave_units_in_parts(std::vector<index_t> pivot_order) {
    release_handles();
    pivot_order_ = std::move(pivot_order);
    units_are_in_parts_ = true;
}

template <class T>
std::vector<index_t> TreeFactors<T>::pivot_orders_of_subtrees() const {
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
void TreeFactors<T>::place_units() const {
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
void TreeFactors<T>::drop() {
    release_handles();
    copies.clear();
    seen_on_host = false;
    tiles_on_host.clear();
    is_stored = false;
    may_be_stored = false;
    parts = FactorParts();
    layout = nullptr;
    ownership = {};
    bytes_on_device = 0;
}

#define FROND_INSTANTIATE(T)           \
    template struct SubtreeFactors<T>; \
    template class TreeFactors<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#include "substitution/host_copies.hpp"

#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "factors/factors_state.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/codelets/time_models.hpp"
#include "engine/pin_beside_tasks.hpp"
#include "substitution/store_on_host.hpp"

namespace frond::detail {
namespace {

/// [parts] Of those on devices, ready; of the others empty.
std::vector<HostBlock> pinned_blocks(const FactorParts& parts, HostHeap& pinned, const std::atomic<bool>* cancel) {
    std::vector<HostBlock> blocks(parts.places().size());
    std::vector<UnreadyPart> unready;
    for (const std::size_t p : parts.on_devices()) {
        blocks[p] = HostBlock::unready(parts.places()[p].bytes, pinned);
        if (!blocks[p].is_ready()) unready.push_back({nullptr, &blocks[p]});
    }
    Job job(starpu_engine(), cancel);
    { const PinBesideTasks pinning(job, std::move(unready)); }
    job.wait();
    return blocks;
}

/// The copy of a subtree or tile is in the copy of its part, at the same distance.
template <class T>
void place_copies(const TreeFactors<T>& factors, const std::vector<HostBlock>& blocks) {
    const FactorLayout<T>& layout = *factors.layout;
    const Analysis& analysis = *factors.analysis;
    const auto copy_of = [&](const void* place) -> unsigned char* {
        if (place == nullptr) return nullptr;
        const HostBlock& block = blocks[layout.index_of(place)];
        return block.bytes() == 0 ? nullptr : static_cast<unsigned char*>(block.data()) + gpu::distance_in_part(place);
    };
    for (std::size_t s = 0; s < factors.subtrees().size(); ++s)
        factors.subtrees()[s].handle.place_copy_on_host(
            copy_of(layout.fronts[at(analysis.mapping.subtrees[s].first_front)].part));
    for (std::size_t f = 0; f < layout.fronts.size(); ++f)
        if (const index_t grid = analysis.mapping.grid_of_front[f]; grid >= 0)
            factors.tiled()[at(grid)]->place_copies_on_host(layout.fronts[f], copy_of);
}

template <class T>
void make_room(const FactorsState<T>& state, const std::atomic<bool>* cancel) {
    const count_t bytes = state.factors.parts.bytes_on_devices();
    const bool in_both = bytes > 0 && state.factors.parts.bytes_on_host() > 0;
    if (!in_both || !state.factors.copies.empty() || !has_host_room(state, bytes)) return;
    const gpu::KeptDevice kept;
    std::vector<HostBlock> blocks = pinned_blocks(state.factors.parts, state.session->pinned_heap(), cancel);
    place_copies(state.factors, blocks);
    state.factors.copies = std::move(blocks);
    if (state.solve_bound_bytes > 0) state.solve_bound_bytes -= bytes;
}

}  // namespace

template <class T>
void make_room_for_copies(const FactorsState<T>& state, const std::atomic<bool>* cancel) try {
    if (simulates() || state.factors.layout == nullptr || !state.factors.may_be_stored) return;
    const std::unique_lock lock(state.factors.place_mutex, std::try_to_lock);
    if (lock.owns_lock()) make_room(state, cancel);
} catch (const OutOfMemory&) {
} catch (const std::bad_alloc&) {
}

#define FROND_INSTANTIATE(T) template void make_room_for_copies<T>(const FactorsState<T>&, const std::atomic<bool>*);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#include "substitution/store_on_host.hpp"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "factors/factors_state.hpp"
#include "frond/base/instantiate.hpp"
#include "engine/insert_task.hpp"
#include "memory/memory_limit.hpp"
#include "tasks/piece/factor_piece.hpp"

namespace frond::detail {
namespace {

int worker_of(const std::vector<gpu::Device>& devices, unsigned node) {
    const auto found = std::find_if(devices.begin(), devices.end(),
                                    [node](const gpu::Device& device) { return device.memory_node == node; });
    if (found == devices.end()) throw DeviceError("StarPU has no worker for the device that has the factors");
    return found->worker;
}

std::vector<UnreadyPart> parts_to_pin(FactorParts& parts) {
    std::vector<UnreadyPart> all;
    for (std::size_t p = 0; p < parts.places().size(); ++p)
        if (const UnreadyPart found = parts.unready(p); found.home != nullptr) all.push_back(found);
    return all;
}

/// stored[k] := parts[of[k]]
void copy_parts(const FactorParts& parts, const std::vector<std::size_t>& of, FactorParts& stored,
                const std::atomic<bool>* cancel) {
    const std::vector<gpu::Device> devices = gpu::devices();
    Job job(starpu_engine(), cancel);
    const PinBesideTasks pinning(job, parts_to_pin(stored));
    try {
        for (std::size_t k = 0; k < of.size(); ++k) {
            TaskArguments a;
            a.label.piece = static_cast<index_t>(of[k]);
            a.place = Place::device;
            a.worker = worker_of(devices, parts.places()[of[k]].node);
            const Access accesses[] = {{parts.handles()[of[k]].get(), STARPU_R}, {stored.handles()[k].get(), STARPU_W}};
            insert_task(job, store_part_codelet(), a, accesses, STARPU_MAX_PRIO);
        }
    } catch (...) {
        job.fail(std::current_exception());
    }
    job.wait();
}

/// Makes handles inside the parts that replaced others, with the pivots that there were. old: those before.
template <class T>
void use_stored(const TreeFactors<T>& factors, const std::vector<std::size_t>& of, FactorParts& stored,
                PlacedUnits<T>& old) {
    const bool are_placed = !factors.are_units_in_parts_alone();
    factors.parts.let_go();
    factors.parts.exchange(of, stored);
    try {
        factors.parts.hold();
        if (are_placed) old = place_factors_in_parts(factors);
    } catch (...) {
        factors.parts.let_go();
        factors.parts.exchange(of, stored);
        factors.parts.hold();
        throw;
    }
    if (!are_placed) return;
    for (std::size_t s = 0; s < old.subtrees.size(); ++s)
        old.subtrees[s].pivots = std::move(factors.subtrees()[s].pivots);
    std::swap(factors.subtrees(), old.subtrees);
    std::swap(factors.tiled(), old.tiled);
}

}  // namespace

template <class T>
bool has_host_room(const FactorsState<T>& state, count_t bytes) {
    if (const count_t left = state.solve_bound_bytes; left > 0) return bytes < left;
    const HostHeap& pinned = state.session->pinned_heap();
    return bytes <= budget_bytes(0) + pinned.mapped_bytes() - pinned.used_bytes();
}

/// The locals end in reverse order: old handles before the memory of devices and of copies on the host.
template <class T>
bool store_on_host(const FactorsState<T>& state, const std::atomic<bool>* cancel) {
    if (state.factors.layout == nullptr || !state.factors.may_be_stored) return false;
    const gpu::KeptDevice kept;
    const AwakeWorkers awake(*state.session);
    const std::lock_guard lock(state.factors.place_mutex);
    const std::vector<std::size_t> of = state.factors.parts.on_devices();
    const count_t bytes = state.factors.parts.bytes_on_devices();
    if (of.empty() || !has_host_room(state, bytes)) return false;
    std::vector<PartPlace> places;
    for (const std::size_t p : of) places.push_back({state.factors.parts.places()[p].bytes, STARPU_MAIN_RAM, true});
    FactorParts stored(std::move(places), state.session->pinned_heap(), Pinning::beside_tasks);
    copy_parts(state.factors.parts, of, stored, cancel);
    std::vector<HostBlock> copies;
    PlacedUnits<T> old;
    use_stored(state.factors, of, stored, old);
    std::swap(copies, state.factors.copies);
    state.factors.is_stored = true;
    if (state.solve_bound_bytes > 0) state.solve_bound_bytes -= bytes;
    return true;
}

#define FROND_INSTANTIATE(T)                                                          \
    template bool store_on_host<T>(const FactorsState<T>&, const std::atomic<bool>*); \
    template bool has_host_room<T>(const FactorsState<T>&, count_t);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

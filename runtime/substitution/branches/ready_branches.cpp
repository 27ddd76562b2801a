// SPDX-License-Identifier: BSD-3-Clause
#include "substitution/branches/ready_branches.hpp"

#include <algorithm>
#include <mutex>

#include "factors/factors_state.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "substitution/branches/branches_on_device.hpp"
#include "substitution/branches/bring_to_host.hpp"
#include "substitution/branches/fronts_on_device.hpp"
#include "substitution/device_solve.hpp"

namespace frond::detail {
namespace {

/// Another factorization of the session may bring them to the host meanwhile; then they would come back.
template <class T>
bool are_on_one_device(const TreeFactors<T>& branches) {
    const std::optional<gpu::Device> device = gpu::first_device();
    const std::shared_lock lock(branches.place_mutex);
    const std::vector<PartPlace>& places = branches.parts.places();
    return device && std::all_of(places.begin(), places.end(), [&](const PartPlace& place) {
               return !place.on_host && place.node == device->memory_node;
           });
}

template <class T>
BranchPlace wanted_place(const TreeFactors<T>& factors, const SharedSolve& solve) {
    if (!factors.session->has_devices()) return BranchPlace::no_device;
    if (factors.ownership.share->branches().is_empty()) return BranchPlace::none;
    if (factors.ownership.branches == nullptr) return BranchPlace::made_by_tasks;
    if (solve.place == SolvePlace::host) return BranchPlace::host_asked;
    if (solve.part != SolvePart::all) return BranchPlace::part_asked;
    if (factors.ownership.has_units_of_branches || !are_on_one_device(factors.ownership.branches->factors))
        return BranchPlace::elsewhere;
    const DeviceSolve<T>& there = factors.ownership.branches->device_solve();
    if (!there.why_not({}).empty()) return BranchPlace::no_room;
    return factors.analysis->options.deterministic || there.pays() ? BranchPlace::device : BranchPlace::slower;
}

/// Null: there is no room.
template <class T>
std::unique_ptr<BranchSweeps<T>> sweeps_on_device(const TreeFactors<T>& factors, Operation op, index_t rhs) try {
    gpu::ResidentSolve<T>* const there = factors.ownership.branches->device_solve().begin_use(rhs, op);
    if (there == nullptr) return nullptr;
    return std::make_unique<BranchesOnDevice<T>>(factors, *there, op);
} catch (const DeviceError&) {
    return nullptr;
}

const char* reason_of(BranchPlace place) {
    switch (place) {
        case BranchPlace::no_device:
            return "it has no device";
        case BranchPlace::host_asked:
            return "place = host";
        case BranchPlace::part_asked:
            return "only whole solves run on the device";
        case BranchPlace::made_by_tasks:
            return "tasks have factored its subtrees";
        case BranchPlace::elsewhere:
            return "the factors of its subtrees are in the host's memory, or on several devices";
        case BranchPlace::no_room:
            return "its device was taken or full";
        case BranchPlace::slower:
            return "its cores are expected to be quicker";
        case BranchPlace::none:
        case BranchPlace::device:
            break;
    }
    return "";
}

}  // namespace

template <class T>
ReadyBranches<T> ready_branches(const TreeFactors<T>& factors, const SharedSolve& solve, index_t rhs) {
    if (!factors.session->has_devices()) return {BranchPlace::no_device, nullptr, {}};
    const JobGuard guard(*factors.session, Workers::resting);  // tasks wake them
    while (true) {
        std::unique_lock lock(factors.place_mutex);
        ReadyBranches<T> ready;
        ready.place = wanted_place(factors, solve);
        if (ready.place == BranchPlace::device) {
            ready.sweeps = sweeps_on_device(factors, solve.operation, std::min(rhs, solve.block_columns));
            if (ready.sweeps == nullptr) ready.place = BranchPlace::no_room;
        }
        if (ready.sweeps != nullptr || bring_branches_to_host(factors)) {
            ready.fronts = fronts_on_device(factors, solve, ready.place);
            bring_tiles_to_host(factors, ready.fronts);
            return ready;
        }
        lock.unlock();  // the other substitution may begin its next one there
        factors.ownership.branches->device_solve().wait_until_unused();
    }
}

std::string text_of(AgreedPlace agreed) {
    if (agreed.place == BranchPlace::none) return "no rank has subtrees by itself";
    const std::string reason = reason_of(agreed.place);
    return reason.empty() ? reason : "rank " + std::to_string(agreed.rank) + ": " + reason;
}

#define FROND_INSTANTIATE(T) \
    template ReadyBranches<T> ready_branches<T>(const TreeFactors<T>&, const SharedSolve&, index_t);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

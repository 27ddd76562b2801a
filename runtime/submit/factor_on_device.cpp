// SPDX-License-Identifier: BSD-3-Clause
#include "submit/factor_on_device.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>

#include "data/held_factors.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/gpu/resident_factorization.hpp"
#include "memory/predict_peak.hpp"
#include "session/parallel_for.hpp"

namespace frond::detail {
namespace {

std::size_t at(count_t i) { return static_cast<std::size_t>(i); }

/// Rates for the choice; their order of magnitude counts (docs/gpu.md).
constexpr double seconds_a_launch = 4e-6, device_flops_a_second = 1e13, core_flops_a_second = 3e10;
/// Of the device's memory; the rest is for what else StarPU has there.
constexpr double usable_share = 0.8;
constexpr count_t copy_chunks = 16;

template <class T>
struct Workspace final : DeviceWorkspace {
    Workspace(const gpu::DevicePlace& device, std::shared_ptr<const Analysis> analysis)
        : resident(std::make_unique<gpu::ResidentFactorization<T>>(device.device, device.memory_node, analysis)),
          of(std::move(analysis)) {}

    std::unique_ptr<gpu::ResidentFactorization<T>> resident;  // null: pivots failed there
    std::shared_ptr<const Analysis> of;
};

template <class T>
count_t factor_bytes_on_device(const Analysis& analysis) {
    count_t bytes = 0;
    for (const Subtree& s : analysis.mapping.subtrees) bytes += DeviceBlock::aligned(subtree_bytes<T>(analysis, s).factors);
    for (const TileGrid& grid : analysis.mapping.grids)
        bytes += TiledFront<T>::bytes_on_device(grid, analysis.factorization);
    return bytes;
}

template <class T>
std::unique_ptr<Workspace<T>> workspace_for(const FactorsState<T>& state, const gpu::DevicePlace& device) {
    std::unique_ptr<DeviceWorkspace> kept = state.session->take_workspace();
    if (auto* const same = dynamic_cast<Workspace<T>*>(kept.get()); same != nullptr && same->of == state.analysis) {
        static_cast<void>(kept.release());
        return std::unique_ptr<Workspace<T>>(same);
    }
    kept.reset();  // its memory first
    return std::make_unique<Workspace<T>>(device, state.analysis);
}

/// Real operations.
template <class T>
double flops_of(const FactorsState<T>& state) {
    return state.analysis->cost.flops * (is_complex<T> ? 4 : 1);
}

template <class T>
bool pays(const FactorsState<T>& state, const gpu::ResidentFactorization<T>& resident) {
    const double flops = flops_of(state);
    const double device = seconds_a_launch * static_cast<double>(resident.launches()) + flops / device_flops_a_second;
    return device < flops / (core_flops_a_second * state.session->cpu_workers());
}

/// Empty when the tree can be tried on the device, else the reason why not.
template <class T>
std::string why_not(const FactorsState<T>& state, const Workspace<T>& workspace, const gpu::DevicePlace& device,
                    const FactorOptions& options) {
    if (workspace.resident == nullptr) return "a pivot of an earlier factorization failed there";
    const bool asked = options.place == FactorPlace::device || state.analysis->options.deterministic;
    if (!asked && !pays(state, *workspace.resident)) return "cores are expected to be quicker";
    const count_t needed = factor_bytes_on_device<T>(*state.analysis) + workspace.resident->bytes();
    const double room = usable_share * static_cast<double>(device.memory_bytes) -
                        static_cast<double>(state.session->held_bytes());
    if (static_cast<double>(needed) > room) return "it needs " + std::to_string(needed) + " bytes there";
    return "";
}

template <class T>
void make_places(FactorsState<T>& state, unsigned node) {
    const Analysis& analysis = *state.analysis;
    state.device_memory = state.session->take_block(node, factor_bytes_on_device<T>(analysis));
    for (std::size_t s = 0; s < analysis.mapping.subtrees.size(); ++s)
        state.subtrees.push_back(SubtreeFactors<T>::make(analysis, s, &state.device_memory));
    state.tiled.resize(analysis.mapping.grids.size());
    for (std::size_t f = 0; f < analysis.tree.fronts.size(); ++f) {
        const index_t grid = analysis.mapping.grid_of_front[f];
        if (grid < 0) continue;
        state.tiled[at(grid)] =
            std::make_unique<TiledFront<T>>(analysis.tree.fronts[f], analysis.mapping.grids[at(grid)], state.kind(),
                                            state.report.pivoting == Pivoting::threshold, TileHomes::factors_on_device,
                                            &state.device_memory);
    }
}

template <class T>
void keep_pivot_orders(FactorsState<T>& state, const std::vector<index_t>& perm) {
    if (perm.empty()) return;
    for (std::size_t s = 0; s < state.subtrees.size(); ++s) {
        const index_t front = state.analysis->mapping.subtrees[s].first_front;
        const auto first = perm.begin() + state.analysis->tree.fronts[at(front)].first_column;
        std::copy_n(first, state.subtrees[s].perm.size(), state.subtrees[s].perm.begin());
    }
}

/// The largest magnitude of what is factored.
template <class T>
double send_values(const FactorsState<T>& state, gpu::ResidentFactorization<T>& resident) {
    const std::vector<T>& from = state.matrix->value;
    const auto count = static_cast<count_t>(from.size());
    T* const values = resident.host_values();
    parallel_for_on(*state.session)(copy_chunks, [&](count_t c) {
        std::copy(from.begin() + count * c / copy_chunks, from.begin() + count * (c + 1) / copy_chunks,
                  values + count * c / copy_chunks);
    });
    return resident.scale(state.matrix->pattern, state.scaling);
}

template <class T>
bool factor(FactorsState<T>& state, const gpu::DevicePlace& device, gpu::ResidentFactorization<T>& resident,
            const std::function<PivotRule()>& rule_of, PivotReport& pivots) {
    state.largest_entry = send_values(state, resident);
    if (!std::isfinite(state.largest_entry)) return false;  // tasks name the entry
    const PivotRule rule = rule_of();
    make_places(state, device.memory_node);
    const HeldFactors<T> held(state, device);
    typename gpu::ResidentFactorization<T>::Answer answer;
    resident.start(rule, held.fronts());
    try {  // for the first solve, meanwhile:
        state.system(Operation::none);
        state.device_solve().prepare();
    } catch (...) {
        resident.finish(rule, answer);  // before the factors' memory goes
        throw;
    }
    if (!resident.finish(rule, answer)) return false;
    keep_pivot_orders(state, answer.perm);
    pivots = answer.report;
    state.report.on_device = true;
    state.device_solve().set_home_bytes(state.device_memory.bytes());
    state.report.front_seconds.assign(state.analysis->tree.fronts.size(), 0.0);
    return true;
}

}  // namespace

template <class T>
bool factor_on_device(FactorsState<T>& state, const std::function<PivotRule()>& rule_of,
                      const FactorOptions& options, PivotReport& pivots) {
    const auto start = std::chrono::steady_clock::now();
    const auto refuse = [&options](const std::string& reason) {
        if (options.place == FactorPlace::device)
            throw InvalidArgument("factor_place = device, but " + reason + "; use automatic or tasks");
        return false;
    };
    const bool cancelled = options.cancel != nullptr && options.cancel->load();
    if (options.place == FactorPlace::tasks || cancelled) return false;
    if (!state.session->has_devices()) return refuse("the session has no device");
    const std::optional<gpu::DevicePlace> device = gpu::only_device();
    if (!device) return refuse("the session has several devices");
    if (state.analysis->order == 0) return refuse("the matrix is empty");
    auto workspace = workspace_for(state, *device);
    const std::string reason = why_not(state, *workspace, *device, options);
    if (!reason.empty()) {
        state.session->keep_workspace(std::move(workspace));
        state.session->keep_block({});  // tasks will want the room
        return refuse(reason);
    }
    bool done = false;
    try {
        done = factor(state, *device, *workspace->resident, rule_of, pivots);
    } catch (const DeviceError&) {  // no room, after all
        if (options.place == FactorPlace::device) throw;
    }
    if (!done) {
        state.drop_factors();
        if (std::isfinite(state.largest_entry)) workspace->resident.reset();
    }
    state.session->keep_workspace(std::move(workspace));
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    if (done && options.progress) options.progress({flops_of(state), flops_of(state), elapsed.count()});
    if (done || !std::isfinite(state.largest_entry)) return done;
    return refuse("a pivot was too small or an |l_ij| too large");
}

#define FROND_INSTANTIATE(T)                                                                                \
    template bool factor_on_device<T>(FactorsState<T>&, const std::function<PivotRule()>&,             \
                                      const FactorOptions&, PivotReport&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

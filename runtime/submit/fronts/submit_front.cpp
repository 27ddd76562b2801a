// SPDX-License-Identifier: BSD-3-Clause
#include "submit/fronts/submit_front.hpp"

#include "frond/base/instantiate.hpp"
#include "submit/fronts/exchange/exchange_blocks.hpp"
#include "submit/fronts/exchange/exchange_panels.hpp"
#include "submit/fronts/submit_threshold.hpp"

namespace frond::detail {

namespace {

/// From this order on a front's tiles stay on a device: on a core their tasks would take longer than the card
/// takes for the whole front, and the tiles would travel (docs/decisions/0009).
constexpr index_t smallest_device_front = 512;

/// No column has failed as yet.
template <class T>
void prepare_threshold(FrontRun<T>& run) {
    const Front& front = run.tiled->front();
    run.failed = cpu::FailedColumns<T>(front.npiv, front.ncb(), run.account.get());
    run.failed_handle = DataHandle::object(run.failed);
    run.start_handle = DataHandle::without_data();
    run.tiled->register_second_pass();
    if (front.parent >= 0) run.delayed_handle = DataHandle::object(run.delayed);
}

/// The rank that leads a shared front gathers what the children delay; no other task waits for it.
template <class T>
void begin_pivots(FactorizationContext<T>& context, FrontRun<T>& run) {
    const bool threshold = context.rule.threshold > 0;
    if (!threshold || run.pivots != nullptr) run.tiled->provide();
    if (!threshold || (run.pivots != nullptr && !run.pivots->leads())) return;
    prepare_threshold(run);
    submit_gather_failed(context, run);
    if (run.pivots != nullptr) run.start_handle.release_when_unused();
}

}  // namespace

template <class T>
void submit_front(FactorizationContext<T>& context, FrontRun<T>& run) {
    const Analysis& analysis = *context.state->analysis;
    const index_t g = analysis.mapping.grid_of_front[static_cast<std::size_t>(run.front)];
    auto& owner = context.state->factors.tiled()[static_cast<std::size_t>(g)];
    owner = std::make_unique<TiledFront<T>>(analysis.tree.fronts[static_cast<std::size_t>(run.front)],
                                            analysis.mapping.grids[static_cast<std::size_t>(g)], analysis.factorization,
                                            context.rule.threshold > 0,
                                            context.with_devices ? TileHomes::factors_on_host : TileHomes::all_on_host,
                                            context.tiles_here(run.front));
    run.tiled = owner.get();
    if (context.tiles_here(run.front).table != nullptr) prepare_panels(context, run);
    const bool fixed = context.job->has_fixed_places() || run.tiled->front().nfront >= smallest_device_front;
    if (fixed && context.with_devices) run.place = Place::device;
    for (FrontRun<T>* child : run.children)
        if (child->received != nullptr) receive_block(context, run, *child);
    if (is_sent(context, run.front)) prepare_sent(context, run);
    begin_pivots(context, run);
    if (context.dense != nullptr || context.loading != nullptr) {
        submit_dense_tiles(context, run);
    } else {
        run.entries = context.entries_of(run.front, run.front);
        submit_assembly(context, run);
    }
    submit_elimination(context, run);
    if (is_sent(context, run.front)) send_block(context, run);
}

#define FROND_INSTANTIATE(T) template void submit_front<T>(FactorizationContext<T>&, FrontRun<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

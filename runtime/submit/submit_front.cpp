// SPDX-License-Identifier: BSD-3-Clause
#include "submit/submit_front.hpp"

#include "frond/base/instantiate.hpp"

namespace frond::detail {

namespace {

/// From this order on a front's tiles stay on a device: on a core their tasks would take longer than the card
/// takes for the whole front, and the tiles would travel (docs/gpu.md).
constexpr index_t smallest_device_front = 512;

/// Takes over what the children delayed. Where memory is refused (Postponed), the next call goes on.
template <class T>
void take_over_delayed(FactorizationContext<T>& context, FrontRun<T>& run) {
    const Analysis& analysis = *context.state->analysis;
    const AssemblyTree& tree = analysis.tree;
    const Front& front = tree.fronts[static_cast<std::size_t>(run.front)];
    if (run.pending.account == nullptr) run.pending = cpu::FailedColumns<T>(front.npiv, front.ncb(), run.account.get());
    run.account->set_activating(true);
    for (; run.children_taken < run.children.size(); ++run.children_taken) {
        FrontRun<T>& child = *run.children[run.children_taken];
        const Front& from = tree.fronts[static_cast<std::size_t>(child.front)];
        const count_t bytes = child.delayed->bytes();
        cpu::take_delayed(analysis.factorization, *child.delayed, tree.relative_rows.data() + from.rows_begin,
                          run.pending);
        *child.delayed = {};
        child.account->give(bytes);
    }
    run.account->set_activating(false);
}

/// Every panel may keep all its columns as yet.
template <class T>
void prepare_threshold(FrontRun<T>& run) {
    run.delayed = &run.own_delayed;
    const auto panels = static_cast<std::size_t>(run.tiled->own_tiles());
    run.limits = std::make_unique<PanelLimit[]>(panels);
    for (std::size_t k = 0; k < panels; ++k)
        run.limits[k].columns.store(run.tiled->grid().size(static_cast<index_t>(k)));
}

}  // namespace

template <class T>
void submit_front(FactorizationContext<T>& context, FrontRun<T>& run) {
    const Analysis& analysis = *context.state->analysis;
    if (context.rule.threshold > 0) take_over_delayed(context, run);
    const index_t g = analysis.mapping.grid_of_front[static_cast<std::size_t>(run.front)];
    auto& owner = context.state->tiled[static_cast<std::size_t>(g)];
    owner = std::make_unique<TiledFront<T>>(analysis.tree.fronts[static_cast<std::size_t>(run.front)],
                                            analysis.mapping.grids[static_cast<std::size_t>(g)], analysis.factorization,
                                            context.rule.threshold > 0,
                                            context.with_devices ? TileHomes::factors_on_host : TileHomes::all_on_host);
    run.tiled = owner.get();
    const bool fixed = context.job->has_fixed_places() || run.tiled->front().nfront >= smallest_device_front;
    if (fixed && context.with_devices) run.place = Place::device;
    run.reports.resize(static_cast<std::size_t>(run.tiled->own_tiles()));
    run.inverses_usable.resize(static_cast<std::size_t>(run.tiled->own_tiles()));
    if (context.rule.threshold > 0) prepare_threshold(run);
    submit_assembly(context, run);
    if (is_symmetric(analysis.factorization))
        submit_front_symmetric(context, run);
    else
        submit_front_lu(context, run);
}

#define FROND_INSTANTIATE(T) template void submit_front<T>(FactorizationContext<T>&, FrontRun<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

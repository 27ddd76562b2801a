// SPDX-License-Identifier: BSD-3-Clause
#include "submit/submit_front.hpp"

#include "frond/base/instantiate.hpp"

namespace frond::detail {

template <class T>
void submit_front(FactorizationContext<T>& context, FrontRun<T>& run) {
    const Analysis& analysis = *context.state->analysis;
    const index_t g = analysis.mapping.grid_of_front[static_cast<std::size_t>(run.front)];
    auto& owner = context.state->tiled[static_cast<std::size_t>(g)];
    owner = std::make_unique<TiledFront<T>>(analysis.tree.fronts[static_cast<std::size_t>(run.front)],
                                            analysis.mapping.grids[static_cast<std::size_t>(g)],
                                            analysis.factorization);
    run.tiled = owner.get();
    run.reports.resize(static_cast<std::size_t>(run.tiled->own_tiles()));
    submit_assembly(context, run);
    if (is_symmetric(analysis.factorization))
        submit_front_symmetric(context, run);
    else
        submit_front_lu(context, run);
}

#define FROND_INSTANTIATE(T) template void submit_front<T>(FactorizationContext<T>&, FrontRun<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/instantiate.hpp"
#include "engine/insert_task.hpp"
#include "submit/fronts/plan_assembly.hpp"
#include "submit/fronts/submit_front.hpp"
#include "submit/fronts/task_work.hpp"

namespace frond::detail {
namespace {

/// Buffers of one assembly task in addition to the tile, the entries and the start of the front; more pieces go to
/// further tasks on the same tile.
constexpr std::size_t pieces_per_task = STARPU_NMAXBUFS - 3;

template <class T>
DataRef source_handle(const FrontRun<T>& run, const PieceSource& s) {
    const FrontRun<T>& child = *run.children[static_cast<std::size_t>(s.child)];
    if (child.received != nullptr && child.received->handle(s.row, s.column) != nullptr)
        return child.received->handle(s.row, s.column);
    return child.tiled != nullptr ? child.tiled->handle(s.row, s.column) : child.contribution.handle.get();
}

template <class T>
void submit_tile(FactorizationContext<T>& context, FrontRun<T>& run, index_t i, index_t j,
                 const std::vector<PieceSource>& sources, int priority) {
    const std::size_t tile = static_cast<std::size_t>(i + j * run.tiled->tiles());
    std::size_t first = 0;
    do {
        const std::size_t last = std::min(first + pieces_per_task, sources.size());
        AssembleArguments a;
        a.assembly = &run.assemblies[tile];
        a.map = &context.state->analysis->entry_map;
        a.first_entry = a.map->front_begin[static_cast<std::size_t>(run.front)];
        a.first_piece = static_cast<index_t>(first);
        a.last_piece = static_cast<index_t>(last);
        a.clear = first == 0;
        a.variant =
            run.tiled->is_own(i, j) ? "factors" : "contribution";  // which is mostly memory that was used before
        a.work = work_of_assembly(a, run.tiled->tile(i, j).rows * static_cast<count_t>(run.tiled->tile(i, j).cols) *
                                         static_cast<count_t>(sizeof(T)));
        if (a.clear) a.new_bytes = run.tiled->new_bytes(i, j);
        a.seconds = &run.seconds;
        a.place = run.place;
        a.label = label_of(context, run, i, j);
        std::vector<Access> accesses{{run.tiled->handle(i, j), a.clear ? STARPU_W : STARPU_RW},
                                     {run.entries.get(), STARPU_R}};
        for (std::size_t p = first; p < last; ++p) accesses.push_back({source_handle(run, sources[p]), STARPU_R});
        if (a.clear && run.start_handle) accesses.push_back({run.start_handle.get(), STARPU_R});
        context.make_room();
        run.assembly_left.fetch_add(1, std::memory_order_relaxed);
        insert_task(*context.job, assemble_tile_codelet<T>(), a, accesses, priority, {after_assembly<T>, &run});
        first = last;
    } while (first < sources.size());
}

}  // namespace

template <class T>
void submit_assembly(FactorizationContext<T>& context, FrontRun<T>& run) {
    const Analysis& analysis = *context.state->analysis;
    const auto sources = plan_assembly(analysis, run);
    const double remaining = analysis.mapping.bottom_level_flops[static_cast<std::size_t>(run.front)];
    run.assembly_left.store(1);
    const index_t nt = run.tiled->tiles();
    for (index_t j = 0; j < nt; ++j)
        for (index_t i = 0; i < nt; ++i)
            if (run.tiled->is_here(i, j))
                submit_tile(context, run, i, j, sources[static_cast<std::size_t>(i + j * nt)],
                            context.priority(remaining, run.tiled->is_own(i, j) ? 3 : 1));
    run.start_handle.release_when_unused();
    run.entries.release_when_unused();
    for (FrontRun<T>* child : run.children) child->unregister_contribution();
    after_assembly<T>(&run);
}

#define FROND_INSTANTIATE(T) template void submit_assembly<T>(FactorizationContext<T>&, FrontRun<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

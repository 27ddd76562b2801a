// SPDX-License-Identifier: BSD-3-Clause
// The entries of a dense matrix, which is one front, go to its tiles straight from the caller's memory, or from other
// ranks.
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "engine/insert_task.hpp"
#include "submit/fronts/submit_front.hpp"

namespace frond::detail {
namespace {

template <class T>
void submit_load(FactorizationContext<T>& context, FrontRun<T>& run, index_t i, index_t j, int priority) {
    const TileGrid& grid = run.tiled->grid();
    const FactorsState<T>& state = *context.state;
    const bool symmetric = is_symmetric(run.tiled->kind());
    LoadTileArguments<T> a;
    a.source = context.dense;
    a.first_row = grid.cut[at(i)];
    a.first_column = grid.cut[at(j)];
    a.lower = symmetric && i == j;
    a.both_triangles = !symmetric && state.system.dense()->symmetry != Symmetry::general;
    a.variant = "factors";
    a.work.bytes = static_cast<double>(grid.size(i)) * grid.size(j) * sizeof(T);
    a.seconds = &run.seconds;
    a.label = label_of(context, run, i, j);
    const Access accesses[] = {{run.tiled->handle(i, j), STARPU_W}, {run.start_handle.get(), STARPU_R}};
    context.make_room();
    insert_task(*context.job, load_tile_codelet<T>(), a, std::span(accesses, run.start_handle ? 2 : 1), priority);
}

/// Tiles of this rank that have memory: with threshold pivoting a task takes it, which may fail.
template <class T>
class TilesOfRun final : public OpenTiles<T> {
public:
    TilesOfRun(FactorizationContext<T>& context, FrontRun<T>& run) : context_(context), run_(run) {
        if (!run.start_handle || !acquire(run.start_handle.get(), STARPU_R)) return;
        starpu_data_release_on_node(run.start_handle.get(), STARPU_MAIN_RAM);
    }

    DenseView<T> open(index_t i, index_t j) noexcept override {
        is_open_ = run_.tiled->tile(i, j).data != nullptr && acquire(run_.tiled->handle(i, j), STARPU_W);
        return is_open_ ? run_.tiled->tile(i, j) : DenseView<T>{};
    }
    void close(index_t i, index_t j) noexcept override {
        if (is_open_) starpu_data_release_on_node(run_.tiled->handle(i, j), STARPU_MAIN_RAM);
        is_open_ = false;
    }

private:
    bool acquire(starpu_data_handle_t handle, starpu_data_access_mode mode) noexcept {
        if (starpu_data_acquire_on_node(handle, STARPU_MAIN_RAM, mode) == 0) return true;
        context_.job->fail(std::make_exception_ptr(RuntimeError("StarPU cannot give the memory of a dense tile")));
        return false;
    }

    FactorizationContext<T>& context_;
    FrontRun<T>& run_;
    bool is_open_ = false;
};

}  // namespace

template <class T>
void submit_dense_tiles(FactorizationContext<T>& context, FrontRun<T>& run) {
    if (context.loading != nullptr) {
        TilesOfRun<T> tiles(context, run);
        context.loading->load(&tiles);
        return run.start_handle.release_when_unused();
    }
    const double remaining = context.state->analysis->mapping.bottom_level_flops[at(run.front)];
    const index_t tiles = run.tiled->tiles();
    for (index_t j = 0; j < tiles; ++j)
        for (index_t i = 0; i < tiles; ++i)
            if (run.tiled->stored(i, j)) submit_load(context, run, i, j, context.priority(remaining, 3));
    run.start_handle.release_when_unused();
}

#define FROND_INSTANTIATE(T) template void submit_dense_tiles<T>(FactorizationContext<T>&, FrontRun<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

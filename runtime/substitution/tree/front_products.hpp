// SPDX-License-Identifier: BSD-3-Clause
// Products with tiles of a front that several ranks share. Each segment of the vector has an owner, which changes it; a
// rank whose tile changes a segment of another owner sends the product there, which adds it. Products of one source
// that go from one rank to one owner are sent together.
#pragma once

#include <functional>
#include <vector>

#include "frond/analysis/assembly_tree.hpp"
#include "frond/codelets/job.hpp"
#include "frond/codelets/solve_stage.hpp"
#include "engine/data_handle.hpp"
#include "engine/insert_task.hpp"

namespace frond::detail {

/// The products of one segment, the source, with tiles of one rank, which change segments of one owner, `home`.
struct ProductBatch {
    index_t rank = 0, home = 0, source = 0;
    std::vector<index_t> targets;
    count_t tile_scalars = 0, rows = 0;  // of all targets
    bool is_closed = false;
};

/// visit(source, whether it is final once its diagonal tile has been solved with, targets) in an order in which each
/// target is changed by the same sources, one after the other, as on one rank. The first target is the next source.
void for_each_source(
    const TileGrid& grid, SolveStage stage,
    const std::function<void(index_t source, bool diagonal, const std::vector<index_t>& targets)>& visit);

/// rank_of(target): that has the tile. home_of(target). The first target goes alone, since others wait for it.
std::vector<ProductBatch> batches_of(const TileGrid& grid, index_t source, const std::vector<index_t>& targets,
                                     const std::function<index_t(index_t target)>& rank_of,
                                     const std::function<index_t(index_t target)>& home_of);

/// A batch whose products go from its rank to another owner: there and here a vector [rows, cols], target by target.
template <class T>
struct TravellingProducts {
    ProductBatch batch;
    DataHandle vector;
};

struct ProductTask {
    Place place = Place::any;
    TaskLabel label;
};

/// tiles: of the targets. Writes the vector: -op(tile) source.
template <class T>
void multiply(const TravellingProducts<T>& products, Operation op, DataRef source, const std::vector<DataRef>& tiles,
              const ProductTask& task, Job& job);
/// target := target + what has come for it.
template <class T>
void add(const TravellingProducts<T>& products, const std::vector<DataRef>& targets, const ProductTask& task, Job& job);

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#include "substitution/tree/front_products.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "tasks/solve/segments.hpp"

namespace frond::detail {
namespace {

/// A task reads about this much of the factors, so that its cost hides StarPU's.
constexpr count_t batch_scalars = count_t{1} << 17;
/// So that a message of many right-hand sides stays below its limit.
constexpr count_t most_batch_rows = 1 << 14;
/// Others wait for what travels.
constexpr int product_priority = 3;

std::vector<index_t> ascending(index_t begin, index_t end) {
    std::vector<index_t> numbers(at(std::max(0, end - begin)));
    std::iota(numbers.begin(), numbers.end(), begin);
    return numbers;
}

std::vector<index_t> descending(index_t end) {
    std::vector<index_t> numbers = ascending(0, end);
    std::reverse(numbers.begin(), numbers.end());
    return numbers;
}

}  // namespace

void for_each_source(
    const TileGrid& grid, SolveStage stage,
    const std::function<void(index_t source, bool diagonal, const std::vector<index_t>& targets)>& visit) {
    const index_t own = grid.own_tiles;
    if (stage == SolveStage::diagonal)
        for (index_t k = 0; k < own; ++k) visit(k, true, {});
    if (stage == SolveStage::forward)
        for (index_t k = 0; k < own; ++k) visit(k, true, ascending(k + 1, grid.tiles()));
    if (stage != SolveStage::backward) return;
    for (index_t j = own; j < grid.tiles(); ++j) visit(j, false, descending(own));
    for (index_t k = own - 1; k >= 0; --k) visit(k, true, descending(k));
}

std::vector<ProductBatch> batches_of(const TileGrid& grid, index_t source, const std::vector<index_t>& targets,
                                     const std::function<index_t(index_t target)>& rank_of,
                                     const std::function<index_t(index_t target)>& home_of) {
    std::vector<ProductBatch> batches;
    for (const index_t target : targets) {
        const index_t rank = rank_of(target), home = home_of(target);
        auto batch = std::find_if(batches.begin(), batches.end(), [&](const ProductBatch& b) {
            return b.rank == rank && b.home == home && !b.is_closed;
        });
        if (batch == batches.end()) {
            batches.push_back({rank, home, source, {}, 0, 0, false});
            batch = batches.end() - 1;
        }
        batch->targets.push_back(target);
        batch->rows += grid.size(target);
        batch->tile_scalars += static_cast<count_t>(grid.size(target)) * grid.size(source);
        batch->is_closed =
            target == targets.front() || batch->tile_scalars >= batch_scalars || batch->rows >= most_batch_rows;
    }
    return batches;
}

template <class T>
void multiply(const TravellingProducts<T>& products, Operation op, DataRef source, const std::vector<DataRef>& tiles,
              const ProductTask& task, Job& job) {
    MultiplyArguments a;
    a.operation = op;
    a.tiles = static_cast<index_t>(tiles.size());
    a.label = task.label;
    std::vector<Access> accesses{{products.vector.get(), STARPU_W}, {source, STARPU_R}};
    for (const DataRef tile : tiles) accesses.push_back({tile, STARPU_R});
    insert_task(job, multiply_segments_codelet<T>(task.place), a, accesses, product_priority);
}

template <class T>
void add(const TravellingProducts<T>& products, const std::vector<DataRef>& targets, const ProductTask& task,
         Job& job) {
    AddProductsArguments a;
    a.segments = static_cast<index_t>(targets.size());
    a.label = task.label;
    std::vector<Access> accesses{{products.vector.get(), STARPU_R}};
    for (const DataRef target : targets) accesses.push_back({target, STARPU_RW});
    insert_task(job, add_products_codelet<T>(task.place), a, accesses, product_priority);
}

#define FROND_INSTANTIATE(T)                                                                                 \
    template void multiply<T>(const TravellingProducts<T>&, Operation, DataRef, const std::vector<DataRef>&, \
                              const ProductTask&, Job&);                                                     \
    template void add<T>(const TravellingProducts<T>&, const std::vector<DataRef>&, const ProductTask&, Job&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

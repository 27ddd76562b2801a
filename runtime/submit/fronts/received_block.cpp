// SPDX-License-Identifier: BSD-3-Clause
#include "submit/fronts/received_block.hpp"

#include "frond/base/instantiate.hpp"

namespace frond::detail {
namespace {

template <class Visit>
void for_each_tile(const TileGrid& grid, bool symmetric, Visit visit) {
    for (index_t j = grid.own_tiles; j < grid.tiles(); ++j)
        for (index_t i = symmetric ? j : grid.own_tiles; i < grid.tiles(); ++i) visit(i, j);
}

}  // namespace

template <class T>
ReceivedBlock<T>::ReceivedBlock(const TileGrid& grid, bool symmetric)
    : grid_(grid), handles_(static_cast<std::size_t>(grid.tiles()) * static_cast<std::size_t>(grid.tiles())) {
    for_each_tile(grid, symmetric, [&](index_t i, index_t j) {
        const index_t rows = grid.size(i), cols = grid.size(j);
        HostBlock& block = blocks_.emplace_back(count_t{rows} * cols * static_cast<count_t>(sizeof(T)));
        handles_[number(i, j)] = DataHandle::matrix(DenseView<T>{static_cast<T*>(block.data()), rows, cols, rows});
    });
}

#define FROND_INSTANTIATE(T) template class ReceivedBlock<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

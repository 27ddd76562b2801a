// SPDX-License-Identifier: BSD-3-Clause
#include "submit/fronts/exchange/received_block.hpp"

#include "frond/base/instantiate.hpp"

namespace frond::detail {

template <class T>
ReceivedBlock<T>::ReceivedBlock(const TileGrid& grid, const std::vector<Message>& messages, HostHeap& heap)
    : grid_(grid), handles_(static_cast<std::size_t>(grid.tiles()) * static_cast<std::size_t>(grid.tiles())) {
    for (const Message& message : messages) {
        const index_t i = message.column % grid.tiles(), j = message.column / grid.tiles();
        const index_t rows = grid.size(i), cols = grid.size(j);
        HostBlock& block = blocks_.emplace_back(count_t{rows} * cols * static_cast<count_t>(sizeof(T)), heap);
        handles_[number(i, j)] = DataHandle::matrix(DenseView<T>{static_cast<T*>(block.data()), rows, cols, rows});
    }
}

#define FROND_INSTANTIATE(T) template class ReceivedBlock<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

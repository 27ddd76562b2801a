// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "frond/base/vector_index.hpp"
#include "handles/insert_task.hpp"
#include "submit/whole_tree/tree_workspace.hpp"

namespace frond::detail {

/// Accesses of one piece to rooms and parts.
template <class T>
class PieceAccesses {
public:
    PieceAccesses(const FactorsState<T>& state, const TreeWorkspace<T>& workspace, std::size_t piece)
        : state_(state), workspace_(workspace), number_(piece), piece_(workspace.resident->pieces()[piece]) {}

    Access operator()(gpu::PartNumber number) const {
        const FactorLayout<T>& layout = *workspace_.layout;
        return number < layout.first_number ? (*this)(gpu::room_of_part(number)) : to_factors(layout.index_of(number));
    }
    Access operator()(gpu::RoomNumber room) const {
        const bool reads = std::binary_search(piece_.reads.begin(), piece_.reads.end(), room),
                   writes = std::binary_search(piece_.writes.begin(), piece_.writes.end(), room);
        return {workspace_.rooms.handles()[static_cast<std::size_t>(room)].get(), reads && writes ? STARPU_RW
                                                                                  : reads         ? STARPU_R
                                                                                                  : STARPU_W};
    }

private:
    Access to_factors(std::size_t part) const {
        const bool is_first = at(workspace_.layout->parts[part].pieces.front()) == number_;
        return {state_.parts.handles()[part].get(), is_first ? STARPU_W : STARPU_RW};
    }

    const FactorsState<T>& state_;
    const TreeWorkspace<T>& workspace_;
    std::size_t number_;
    const gpu::TreePiece& piece_;
};

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "frond/base/vector_index.hpp"
#include "engine/insert_task.hpp"
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
        const DataRef handle = workspace_.rooms.handles()[static_cast<std::size_t>(room)].get();
        if (is_given(gpu::part_of(room))) return {handle, STARPU_W};
        return {handle, reads && writes ? STARPU_RW : reads ? STARPU_R : STARPU_W};
    }

private:
    bool has_task(index_t piece) const {
        return workspace_.kept == nullptr || workspace_.kept->is_kept[at(piece)] == 0;
    }
    /// True: what the round before has left comes into this part first.
    bool is_given(gpu::PartNumber number) const {
        const std::vector<KeptRange>& kept = workspace_.parts_of_piece[number_].kept;
        return std::any_of(kept.begin(), kept.end(), [&](const KeptRange& range) { return range.to == number; });
    }
    Access to_factors(std::size_t part) const {
        const auto& pieces = workspace_.layout->parts[part].pieces;
        const auto first = std::find_if(pieces.begin(), pieces.end(), [this](index_t p) { return has_task(p); });
        const bool is_first = first != pieces.end() && at(*first) == number_;
        return {state_.factors.parts.handles()[part].get(), is_first ? STARPU_W : STARPU_RW};
    }

    const FactorsState<T>& state_;
    const TreeWorkspace<T>& workspace_;
    std::size_t number_;
    const gpu::TreePiece& piece_;
};

}  // namespace frond::detail

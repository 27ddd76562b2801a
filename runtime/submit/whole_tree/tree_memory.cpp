// SPDX-License-Identifier: BSD-3-Clause
#include "submit/whole_tree/tree_memory.hpp"

#include <utility>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/codelets/time_models.hpp"
#include "session/trace_span.hpp"
#include "submit/whole_tree/core_pivots.hpp"

namespace frond::detail {
namespace {

template <class T>
PartPlace place_of_room(const TreeWorkspace<T>& workspace, const gpu::BlockRoom& room) {
    if (room.on_host) return {room.bytes, STARPU_MAIN_RAM, true, {}};
    const bool is_of_core = room.made == gpu::TreePiece::on_cores;
    const unsigned made = is_of_core ? STARPU_MAIN_RAM : workspace.devices[at(room.made)].memory_node;
    PartPlace place{room.bytes, made, false, {}};
    if (room.used != gpu::TreePiece::by_all) {
        place.node = workspace.devices[at(room.used)].memory_node;
        if (place.node != made) place.also_on.push_back(made);
        return place;
    }
    for (std::size_t d = 0; d < workspace.resident->used_devices(); ++d)
        if (workspace.devices[d].memory_node != made) place.also_on.push_back(workspace.devices[d].memory_node);
    return place;
}

template <class T>
void make_rooms(const FactorsState<T>& state, TreeWorkspace<T>& workspace) {
    const HostSpan span("rooms of blocks");
    std::vector<PartPlace> rooms;
    for (const gpu::BlockRoom& room : workspace.resident->rooms().all()) {
        rooms.push_back(place_of_room(workspace, room));
    }
    workspace.rooms = FactorParts(std::move(rooms), state.session->pinned_heap(),
                                  simulates() ? Pinning::at_once : Pinning::beside_tasks);
    make_core_pivots(workspace);
    for (std::size_t d = 0; d < workspace.resident->used_devices(); ++d)
        workspace.order_of_pieces.push_back(DataHandle::without_data());
    workspace.was_used = true;
}

}  // namespace

template <class T>
void take_memory(FactorsState<T>& state, TreeWorkspace<T>& workspace) {
    {
        const HostSpan span("memory of factors");
        if (KeptPieces<T>* const kept = workspace.kept.get(); kept != nullptr)
            state.factors.parts = FactorParts(workspace.places, kept->part_before, std::move(kept->parts),
                                              state.session->pinned_heap(), Pinning::beside_tasks);
        else
            state.factors.parts = state.session->take_parts(workspace.places);
        state.factors.layout = workspace.layout;
    }
    if (!workspace.was_used) make_rooms(state, workspace);
}

template <class T>
std::vector<UnreadyPart> unready_parts(FactorsState<T>& state, TreeWorkspace<T>& workspace) {
    std::vector<UnreadyPart> all;
    std::vector<char> is_listed(workspace.rooms.places().size() + state.factors.parts.places().size());
    const auto list = [&](FactorParts& of, std::size_t part, std::size_t number) {
        if (std::exchange(is_listed[number], 1) != 0) return;
        const UnreadyPart found = of.unready(part);
        if (found.home != nullptr) all.push_back(found);
    };
    const std::size_t rooms = workspace.rooms.places().size();
    for (const PieceParts& piece : workspace.parts_of_piece)
        for (const gpu::PartNumber number : piece.on_host)
            if (number < workspace.layout->first_number) {
                const auto room = static_cast<std::size_t>(gpu::room_of_part(number));
                list(workspace.rooms, room, room);
            } else {
                const std::size_t part = workspace.layout->index_of(number);
                list(state.factors.parts, part, rooms + part);
            }
    return all;
}

#define FROND_INSTANTIATE(T)                                           \
    template void take_memory<T>(FactorsState<T>&, TreeWorkspace<T>&); \
    template std::vector<UnreadyPart> unready_parts<T>(FactorsState<T>&, TreeWorkspace<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#include "submit/whole_tree/place_factors.hpp"

#include <algorithm>
#include <iterator>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "memory/tree_room.hpp"
#include "submit/whole_tree/plan_tree.hpp"

namespace frond::detail {
namespace {

template <class T>
bool is_of_core(const TreeWorkspace<T>& workspace, const FactorPart& part) {
    return workspace.resident->pieces()[at(part.pieces.back())].device == gpu::TreePiece::on_cores;
}

/// The device whose task writes the part last; of what a core writes, that which it is brought to. Fronts that all
/// devices do leave their factors on the first.
template <class T>
std::size_t device_of(const TreeWorkspace<T>& workspace, const FactorPart& part) {
    return at(std::max<index_t>(workspace.resident->pieces()[at(part.pieces.back())].device, 0));
}

}  // namespace

template <class T>
count_t room_on(const TreeWorkspace<T>& workspace, std::size_t device) {
    return device == 0 ? workspace.room_bytes : room_for_tree(workspace.devices[device]);
}

template <class T>
void place_on_devices(TreeWorkspace<T>& workspace, count_t most_part_bytes) {
    const auto rooms = static_cast<index_t>(workspace.resident->rooms().all().size());
    workspace.layout = factor_layout<T>(*workspace.failed.analysis(), workspace.resident->piece_of_fronts(),
                                        gpu::part_of(gpu::RoomNumber{rooms}), most_part_bytes);
    workspace.places.clear();
    for (const FactorPart& part : workspace.layout->parts) {
        PartPlace place{part.bytes, workspace.devices[device_of(workspace, part)].memory_node};
        if (is_of_core(workspace, part) && place.node != STARPU_MAIN_RAM) place.also_on.push_back(STARPU_MAIN_RAM);
        workspace.places.push_back(place);
    }
}

count_t most_part_bytes(count_t room_bytes) {
    constexpr count_t least_part_bytes = count_t{1} << 20, parts_of_room = 16;
    return std::clamp(room_bytes / parts_of_room, least_part_bytes, FactorRoom::most_part_bytes);
}

template <class T>
void place_what_fits(TreeWorkspace<T>& workspace, const std::vector<std::optional<PartPlace>>& wanted) {
    std::vector<count_t> left;
    for (std::size_t d = 0; d < workspace.resident->used_devices(); ++d)
        left.push_back(room_on(workspace, d) - workspace.resident->bytes(d));
    const auto& parts = workspace.layout->parts;
    std::vector<std::size_t> order(parts.size());
    for (std::size_t p = 0; p < order.size(); ++p) {
        order[p] = p;
        if (!wanted[p]) continue;
        workspace.places[p] = *wanted[p];
        if (!wanted[p]->on_host) left[device_of(workspace, parts[p])] -= wanted[p]->bytes;
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return parts[a].pieces.back() > parts[b].pieces.back(); });
    for (const std::size_t p : order) {
        if (wanted[p]) continue;
        count_t& room = left[device_of(workspace, parts[p])];
        if (room >= parts[p].bytes)
            room -= parts[p].bytes;
        else
            workspace.places[p] = {parts[p].bytes, STARPU_MAIN_RAM, true, {}};
    }
}

template <class T>
void list_parts(TreeWorkspace<T>& workspace) {
    const auto& pieces = workspace.resident->pieces();
    workspace.parts_of_piece.assign(pieces.size(), {});
    const auto add = [&](std::size_t piece, gpu::PartNumber number, bool on_host) {
        PieceParts& parts = workspace.parts_of_piece[piece];
        (on_host ? parts.on_host : parts.on_device).push_back(number);
    };
    for (std::size_t p = 0; p < pieces.size(); ++p) {
        std::vector<gpu::RoomNumber> rooms;
        std::set_union(pieces[p].reads.begin(), pieces[p].reads.end(), pieces[p].writes.begin(), pieces[p].writes.end(),
                       std::back_inserter(rooms));
        for (const gpu::RoomNumber room : rooms) add(p, gpu::part_of(room), workspace.resident->rooms()[room].on_host);
    }
    for (std::size_t part = 0; part < workspace.places.size(); ++part)
        for (const index_t piece : workspace.layout->parts[part].pieces)
            add(at(piece), workspace.layout->number_of(part), workspace.places[part].on_host);
}

template <class T>
count_t bytes_on_device(const TreeWorkspace<T>& workspace, std::size_t device) {
    count_t bytes = workspace.resident->bytes(device);
    for (std::size_t p = 0; p < workspace.places.size(); ++p)
        if (!workspace.places[p].on_host && device_of(workspace, workspace.layout->parts[p]) == device)
            bytes += workspace.places[p].bytes;
    return bytes;
}

template <class T>
bool fits(const TreeWorkspace<T>& workspace, count_t room_bytes) {
    if (bytes_on_device(workspace, 0) > room_bytes) return false;
    for (std::size_t d = 1; d < workspace.resident->used_devices(); ++d)
        if (bytes_on_device(workspace, d) > room_for_tree(workspace.devices[d])) return false;
    return true;
}

#define FROND_INSTANTIATE(T)                                                                           \
    template count_t room_on<T>(const TreeWorkspace<T>&, std::size_t);                                 \
    template void place_on_devices<T>(TreeWorkspace<T>&, count_t);                                     \
    template void place_what_fits<T>(TreeWorkspace<T>&, const std::vector<std::optional<PartPlace>>&); \
    template void list_parts<T>(TreeWorkspace<T>&);                                                    \
    template count_t bytes_on_device<T>(const TreeWorkspace<T>&, std::size_t);                         \
    template bool fits<T>(const TreeWorkspace<T>&, count_t);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

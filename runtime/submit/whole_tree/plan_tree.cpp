// SPDX-License-Identifier: BSD-3-Clause
#include "submit/whole_tree/plan_tree.hpp"

#include <algorithm>
#include <limits>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "memory/tree_room.hpp"

namespace frond::detail {
namespace {

constexpr count_t no_limit = std::numeric_limits<count_t>::max() / 4;

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

template <class T>
count_t room_on(const TreeWorkspace<T>& workspace, std::size_t device) {
    return device == 0 ? workspace.room_bytes : room_for_tree(workspace.devices[device]);
}

template <class T>
void plan_pieces(TreeWorkspace<T>& workspace, const std::vector<gpu::Device>& devices, count_t most_bytes,
                 index_t cores = 0, const gpu::CutBefore& before = {}) {
    workspace.forget();
    workspace.devices = devices;
    workspace.resident = gpu::plan_resident_factorization<T>(devices, workspace.failed.analysis(), most_bytes,
                                                             workspace.search, cores, workspace.parallel_for, before);
    workspace.launches = workspace.resident->launches();
}

/// All factors on the devices whose pieces make them.
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

/// Where some go to the host.
count_t most_part_bytes(count_t room_bytes) {
    constexpr count_t least_part_bytes = count_t{1} << 20, parts_of_room = 16;
    return std::clamp(room_bytes / parts_of_room, least_part_bytes, FactorRoom::most_part_bytes);
}

/// The factors that are made first go to the host: what is written last has nothing beside it that would hide that.
/// wanted: [parts] places that are taken already.
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
bool fits_whole(TreeWorkspace<T>& workspace, const std::vector<gpu::Device>& devices, index_t cores = 0) {
    plan_pieces(workspace, devices, no_limit, cores);
    place_on_devices(workspace, FactorRoom::most_part_bytes);
    return fits(workspace, workspace.room_bytes);
}

template <class T>
bool pieces_fit(const TreeWorkspace<T>& workspace) {
    for (std::size_t d = 0; d < workspace.resident->used_devices(); ++d)
        if (workspace.resident->bytes(d) > room_on(workspace, d)) return false;
    return true;
}

/// On all devices together: else no plan of the whole tree fits.
template <class T>
bool factors_fit(const TreeWorkspace<T>& workspace, const std::vector<gpu::Device>& devices) {
    count_t room = workspace.room_bytes;
    for (std::size_t d = 1; d < devices.size(); ++d) room += room_for_tree(devices[d]);
    return factor_bytes_on_device<T>(*workspace.failed.analysis()) <= room;
}

/// With factors where there is room beside the pieces. False: not even these fit.
template <class T>
bool fits_in_pieces(TreeWorkspace<T>& workspace, const std::vector<gpu::Device>& devices) {
    plan_pieces(workspace, devices, workspace.room_bytes);
    place_on_devices(workspace, most_part_bytes(workspace.room_bytes));
    place_what_fits(workspace, std::vector<std::optional<PartPlace>>(workspace.places.size()));
    return pieces_fit(workspace);
}

/// What a task reads and writes, in the order of its buffers.
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

}  // namespace

template <class T>
void plan_as_before(TreeWorkspace<T>& workspace, const gpu::CutBefore& cut, bool restricted) {
    plan_pieces(workspace, std::vector<gpu::Device>(workspace.devices), restricted ? workspace.room_bytes : no_limit, 0,
                cut);
    place_on_devices(workspace, restricted ? most_part_bytes(workspace.room_bytes) : FactorRoom::most_part_bytes);
}

template <class T>
bool place_as_before(TreeWorkspace<T>& workspace, const std::vector<std::optional<PartPlace>>& wanted) {
    place_what_fits(workspace, wanted);
    list_parts(workspace);
    return fits(workspace, workspace.room_bytes);
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

/// A front whose fully summed columns have no room becomes a chain of fronts.
template <class T>
bool fits_in_parts_of_fronts(TreeWorkspace<T>& workspace, const std::vector<gpu::Device>& devices,
                             const Pattern& pattern) {
    if (workspace.is_of_branches) return false;
    const auto columns = workspace.resident->columns_that_fit(workspace.room_bytes);
    return workspace.failed.split(pattern, columns) && fits_in_pieces(workspace, devices);
}

template <class T>
void plan_what_fits(TreeWorkspace<T>& workspace, const std::vector<gpu::Device>& devices, const Pattern& pattern) {
    const std::vector<gpu::Device> first{devices.front()};
    const index_t cores = workspace.without_cores ? 0 : workspace.cores;
    const bool is_whole =
        factors_fit(workspace, devices) && (fits_whole(workspace, devices, cores) ||
                                            (workspace.resident->used_devices() > 1 && fits_whole(workspace, first)));
    if (!is_whole && !fits_in_pieces(workspace, devices) && (devices.size() == 1 || !fits_in_pieces(workspace, first)))
        static_cast<void>(fits_in_parts_of_fronts(workspace, first, pattern));
    list_parts(workspace);
}

#define FROND_INSTANTIATE(T)                                                                             \
    template void plan_what_fits<T>(TreeWorkspace<T>&, const std::vector<gpu::Device>&, const Pattern&); \
    template count_t bytes_on_device<T>(const TreeWorkspace<T>&, std::size_t);                           \
    template void plan_as_before<T>(TreeWorkspace<T>&, const gpu::CutBefore&, bool);                     \
    template bool place_as_before<T>(TreeWorkspace<T>&, const std::vector<std::optional<PartPlace>>&);   \
    template bool fits<T>(const TreeWorkspace<T>&, count_t);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

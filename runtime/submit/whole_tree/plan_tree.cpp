// SPDX-License-Identifier: BSD-3-Clause
#include "submit/whole_tree/plan_tree.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "memory/tree_room.hpp"
#include "submit/whole_tree/place_factors.hpp"

namespace frond::detail {
namespace {

constexpr count_t no_limit = std::numeric_limits<count_t>::max() / 4;

template <class T>
void plan_pieces(TreeWorkspace<T>& workspace, const std::vector<gpu::Device>& devices, gpu::PlanRequest request) {
    workspace.forget();
    workspace.devices = devices;
    request.searched = workspace.failed.searched_fronts();
    workspace.resident =
        gpu::plan_resident_factorization<T>(devices, workspace.failed.analysis(), request, workspace.parallel_for);
    workspace.launches = workspace.resident->launches();
}

template <class T>
bool fits_whole(TreeWorkspace<T>& workspace, const std::vector<gpu::Device>& devices, index_t cores = 0) {
    plan_pieces(workspace, devices, {.most_bytes = no_limit, .cores = cores});
    place_on_devices(workspace, FactorRoom::most_part_bytes);
    return fits(workspace, workspace.room_bytes);
}

template <class T>
bool pieces_fit(const TreeWorkspace<T>& workspace) {
    for (std::size_t d = 0; d < workspace.resident->used_devices(); ++d)
        if (workspace.resident->bytes(d) > room_on(workspace, d)) return false;
    return true;
}

/// That are on a device at one time where it has the whole tree: of a front and its children, but for those in subtrees,
/// which cores may have.
count_t least_square_scalars(const Analysis& analysis) {
    const auto square = [&analysis](index_t f) {
        const count_t order = analysis.tree.fronts[at(f)].nfront;
        return analysis.mapping.grid_of_front[at(f)] < 0 ? 0 : order * order;
    };
    std::vector<count_t> with_children(analysis.tree.fronts.size(), 0);
    for (index_t f = 0; f < analysis.tree.front_count(); ++f) {
        with_children[at(f)] += square(f);
        if (const index_t parent = analysis.tree.fronts[at(f)].parent; parent >= 0)
            with_children[at(parent)] += square(f);
    }
    return with_children.empty() ? 0 : *std::max_element(with_children.begin(), with_children.end());
}

/// On all devices together. False: no plan of the whole tree fits.
template <class T>
bool whole_may_fit(const TreeWorkspace<T>& workspace, const std::vector<gpu::Device>& devices) {
    const Analysis& analysis = *workspace.failed.analysis();
    count_t room = workspace.room_bytes;
    for (std::size_t d = 1; d < devices.size(); ++d) room += room_for_tree(devices[d]);
    const count_t squares = devices.size() > 1 ? 0 : least_square_scalars(analysis) * static_cast<count_t>(sizeof(T));
    return factor_bytes_on_device<T>(analysis) + squares <= room;
}

template <class T>
void place_in_pieces(TreeWorkspace<T>& workspace) {
    place_on_devices(workspace, most_part_bytes(workspace.room_bytes));
    place_what_fits(workspace, std::vector<std::optional<PartPlace>>(workspace.places.size()));
}

/// With factors where there is room next to the pieces. False: not even these fit, and factors have no room.
template <class T>
bool fits_in_pieces(TreeWorkspace<T>& workspace, const std::vector<gpu::Device>& devices) {
    plan_pieces(workspace, devices, {.most_bytes = workspace.room_bytes});
    if (!pieces_fit(workspace)) return false;
    place_in_pieces(workspace);
    return true;
}

}  // namespace

template <class T>
void plan_as_before(TreeWorkspace<T>& workspace, const gpu::CutBefore& cut, bool restricted) {
    plan_pieces(workspace, std::vector<gpu::Device>(workspace.devices),
                {.most_bytes = restricted ? workspace.room_bytes : no_limit, .before = cut});
    place_on_devices(workspace, restricted ? most_part_bytes(workspace.room_bytes) : FactorRoom::most_part_bytes);
}

template <class T>
bool place_as_before(TreeWorkspace<T>& workspace, const std::vector<std::optional<PartPlace>>& wanted) {
    place_what_fits(workspace, wanted);
    list_parts(workspace);
    return fits(workspace, workspace.room_bytes);
}

/// A front whose fully summed columns have no room becomes a chain of fronts.
template <class T>
bool fits_in_parts_of_fronts(TreeWorkspace<T>& workspace, const std::vector<gpu::Device>& devices) {
    if (workspace.is_of_branches) return false;
    const auto columns = workspace.resident->columns_that_fit(workspace.room_bytes);
    return workspace.failed.split(columns, workspace.parallel_for) && fits_in_pieces(workspace, devices);
}

template <class T>
void plan_what_fits(TreeWorkspace<T>& workspace, const std::vector<gpu::Device>& devices) {
    const std::vector<gpu::Device> first{devices.front()};
    const index_t cores = workspace.without_cores ? 0 : workspace.cores;
    const bool is_whole =
        whole_may_fit(workspace, devices) && (fits_whole(workspace, devices, cores) ||
                                              (workspace.resident->used_devices() > 1 && fits_whole(workspace, first)));
    if (!is_whole && !fits_in_pieces(workspace, devices) && (devices.size() == 1 || !fits_in_pieces(workspace, first)))
        if (!fits_in_parts_of_fronts(workspace, first)) place_in_pieces(workspace);
    list_parts(workspace);
}

#define FROND_INSTANTIATE(T)                                                             \
    template void plan_what_fits<T>(TreeWorkspace<T>&, const std::vector<gpu::Device>&); \
    template void plan_as_before<T>(TreeWorkspace<T>&, const gpu::CutBefore&, bool);     \
    template bool place_as_before<T>(TreeWorkspace<T>&, const std::vector<std::optional<PartPlace>>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

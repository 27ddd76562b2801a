// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "frond/codelets/task.hpp"

namespace frond {

/// update_segments: products of tiles with segments; buffers as the list says
///   buffer[target] := buffer[target] + (-op(buffer[tile]) buffer[source])
/// On cores each product is made by itself, as ranks make it that add to a segment of another one.
struct SegmentProduct {
    index_t target = 0, tile = 0, source = 0;
    Operation operation = Operation::none;
};
struct UpdateSegmentsArguments : TaskArguments {
    const std::vector<SegmentProduct>* products = nullptr;
};
/// place: any is that of cores; device that of devices alone, for tiles that lie there.
template <class T>
starpu_codelet& update_segments_codelet(Place place = Place::any);

namespace gpu {
template <class T>
void update_segments(void* buffers[], void* arguments) noexcept;
}  // namespace gpu

}  // namespace frond

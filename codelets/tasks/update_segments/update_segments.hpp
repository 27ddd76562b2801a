// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "frond/codelets/task.hpp"

namespace frond {

/// update_segments: products of tiles with segments; buffers as the list says
///   buffer[target] := buffer[target] + (-op(buffer[tile]) buffer[source])
/// each product made by itself, as ranks make it that add to a segment of another one
struct SegmentProduct {
    index_t target = 0, tile = 0, source = 0;
    Operation operation = Operation::none;
};
struct UpdateSegmentsArguments : TaskArguments {
    const std::vector<SegmentProduct>* products = nullptr;
};
template <class T>
starpu_codelet& update_segments_codelet();

}  // namespace frond

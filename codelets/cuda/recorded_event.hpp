// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

namespace frond::gpu {

/// Whether events in recorded work can be read: they happen in each launch.
inline constexpr bool times_recorded_work = true;
inline cudaError_t record_event_in_graph(cudaEvent_t event, cudaStream_t stream) {
    return cudaEventRecordWithFlags(event, stream, cudaEventRecordExternal);
}

}  // namespace frond::gpu

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <starpu.h>

namespace frond {

/// What carries out a kind of task on the devices of this build; no function in a build without, or where there is none.
struct DeviceBody {
    void (*function)(void* buffers[], void* arguments) = nullptr;
    bool asynchronous = false;  // returns when its work is on the worker's stream; StarPU waits for that
};

// Defined by the device part of the build: codelets/gpu and the sources *_gpu.cpp of codelets/tasks, or codelets/no_gpu.
namespace gpu {

/// Without a body for cores the codelet is one of devices alone.
void add_device_body(starpu_codelet& codelet, const DeviceBody& body);

}  // namespace gpu

}  // namespace frond

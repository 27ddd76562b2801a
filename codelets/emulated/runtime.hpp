// SPDX-License-Identifier: BSD-3-Clause
// What codelets/gpu calls of a vendor's runtime, on one device whose memory is the host's: everything is done at once,
// or recorded, when it is put on a stream.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace frond::gpu {

struct EmulatedStream {};
struct EmulatedRecord {
    std::vector<std::function<void()>> work;
};
struct EmulatedEvent {};

using emulatedError_t = int;
using emulatedStream_t = EmulatedStream*;
using emulatedEvent_t = EmulatedEvent*;
using emulatedGraph_t = EmulatedRecord*;
using emulatedGraphExec_t = EmulatedRecord*;
enum emulatedMemcpyKind { emulatedMemcpyHostToDevice, emulatedMemcpyDeviceToHost, emulatedMemcpyDeviceToDevice };

inline constexpr int emulatedSuccess = 0, emulatedErrorUnknownMemory = 1, emulatedErrorNotReady = 2,
                     emulatedErrorStreamCaptureUnsupported = 3, emulatedErrorMemoryAllocation = 4;
inline constexpr unsigned emulatedStreamNonBlocking = 0, emulatedEventDisableTiming = 0,
                          emulatedHostRegisterPortable = 0, emulatedHostRegisterMapped = 0;
inline constexpr int emulatedStreamCaptureModeThreadLocal = 0, emulatedFuncAttributeMaxDynamicSharedMemorySize = 0;
inline constexpr emulatedStream_t emulatedStreamPerThread = nullptr;

/// Runs work, or adds it to what the calling thread records.
void queue_emulated(std::function<void()> work);

inline int emulatedGetLastError() { return emulatedSuccess; }
const char* emulatedGetErrorString(int status);
int emulatedGetDeviceCount(int* count);
int emulatedDeviceGetPCIBusId(char* place, int length, int device);
int emulatedGetDevice(int* device);
int emulatedSetDevice(int device);
int emulatedMemGetInfo(std::size_t* free, std::size_t* total);

int emulatedMalloc(void** memory, std::size_t bytes);
int emulatedFree(void* memory);
inline int emulatedHostRegister(void*, std::size_t, unsigned) { return emulatedSuccess; }
inline int emulatedHostUnregister(void*) { return emulatedSuccess; }
int emulatedHostGetDevicePointer(void** there, void* memory, unsigned);

int emulatedMemcpyAsync(void* to, const void* from, std::size_t bytes, emulatedMemcpyKind, emulatedStream_t);
int emulatedMemcpy2DAsync(void* to, std::size_t to_ld, const void* from, std::size_t from_ld, std::size_t width,
                          std::size_t height, emulatedMemcpyKind, emulatedStream_t);
int emulatedMemsetAsync(void* memory, int value, std::size_t bytes, emulatedStream_t);
int emulatedMemset2DAsync(void* memory, std::size_t ld, int value, std::size_t width, std::size_t height,
                          emulatedStream_t);

inline int emulatedDeviceGetStreamPriorityRange(int* least, int* most) { return *least = *most = 0; }
int emulatedStreamCreateWithPriority(emulatedStream_t* stream, unsigned, int);
int emulatedStreamCreateWithFlags(emulatedStream_t* stream, unsigned);
int emulatedStreamDestroy(emulatedStream_t stream);
inline int emulatedStreamSynchronize(emulatedStream_t) { return emulatedSuccess; }
inline int emulatedStreamQuery(emulatedStream_t) { return emulatedSuccess; }
inline int emulatedStreamWaitEvent(emulatedStream_t, emulatedEvent_t, unsigned) { return emulatedSuccess; }
int emulatedStreamBeginCapture(emulatedStream_t, int);
int emulatedStreamEndCapture(emulatedStream_t, emulatedGraph_t* graph);
int emulatedGraphDestroy(emulatedGraph_t graph);
int emulatedGraphLaunch(emulatedGraphExec_t graph, emulatedStream_t);
int emulatedGraphExecDestroy(emulatedGraphExec_t graph);
int instantiate_graph(emulatedGraphExec_t* executable, emulatedGraph_t graph);

int emulatedEventCreate(emulatedEvent_t* event);
int emulatedEventCreateWithFlags(emulatedEvent_t* event, unsigned);
int emulatedEventDestroy(emulatedEvent_t event);
inline int emulatedEventRecord(emulatedEvent_t, emulatedStream_t) { return emulatedSuccess; }
inline int emulatedEventQuery(emulatedEvent_t) { return emulatedSuccess; }
inline int emulatedEventSynchronize(emulatedEvent_t) { return emulatedSuccess; }
int emulatedEventElapsedTime(float* milliseconds, emulatedEvent_t, emulatedEvent_t);
inline int emulatedFuncSetAttribute(const void*, int, int) { return emulatedSuccess; }
struct emulatedFuncAttributes {};
inline int emulatedFuncGetAttributes(emulatedFuncAttributes*, const void*) { return emulatedSuccess; }

struct EmulatedPointerFacts {
    int device = 0;
};
/// No memory is known as the device's: it is the host's as well.
inline int emulatedPointerGetAttributes(EmulatedPointerFacts*, const void*) { return emulatedErrorUnknownMemory; }

}  // namespace frond::gpu

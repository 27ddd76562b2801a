// SPDX-License-Identifier: BSD-3-Clause
#include "runtime.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <random>

#include "recorded_event.hpp"

namespace frond::gpu {
namespace {

thread_local EmulatedRecord* recording = nullptr;

template <class Object>
int make(Object** object) {
    *object = new Object();
    return emulatedSuccess;
}

template <class Object>
int destroy(Object* object) {
    delete object;
    return emulatedSuccess;
}

/// When events of recorded work last happened, counted in these.
struct RecordedEvents {
    std::mutex mutex;
    std::map<emulatedEvent_t, int> last;
    int count = 0;
};

RecordedEvents& recorded_events() {
    static RecordedEvents& all = *new RecordedEvents;
    return all;
}

}  // namespace

void queue_emulated(std::function<void()> work) {
    if (recording != nullptr)
        recording->work.push_back(std::move(work));
    else
        work();
}

const char* emulatedGetErrorString(int status) {
    return status == emulatedErrorMemoryAllocation ? "out of memory" : "an error of the emulated device";
}

int emulatedGetDeviceCount(int* count) {
    *count = 1;
    return emulatedSuccess;
}
/// Each process has one of its own.
int emulatedDeviceGetPCIBusId(char* place, int length, int) {
    static const unsigned own = std::random_device()();
    std::snprintf(place, static_cast<std::size_t>(length), "%u", own);
    return emulatedSuccess;
}
int emulatedGetDevice(int* device) {
    *device = 0;
    return emulatedSuccess;
}
int emulatedSetDevice(int) { return emulatedSuccess; }
int emulatedMemGetInfo(std::size_t* free, std::size_t* total) {
    *free = *total = std::size_t{4} << 30;
    return emulatedSuccess;
}

int emulatedMalloc(void** memory, std::size_t bytes) {
    constexpr std::size_t alignment = 256;
    *memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    return *memory == nullptr && bytes > 0 ? emulatedErrorMemoryAllocation : emulatedSuccess;
}
int emulatedFree(void* memory) {
    std::free(memory);
    return emulatedSuccess;
}
int emulatedHostGetDevicePointer(void** there, void* memory, unsigned) {
    *there = memory;
    return emulatedSuccess;
}

int emulatedMemcpyAsync(void* to, const void* from, std::size_t bytes, emulatedMemcpyKind, emulatedStream_t) {
    queue_emulated([=] { std::memmove(to, from, bytes); });
    return emulatedSuccess;
}
int emulatedMemcpy2DAsync(void* to, std::size_t to_ld, const void* from, std::size_t from_ld, std::size_t width,
                          std::size_t height, emulatedMemcpyKind, emulatedStream_t) {
    queue_emulated([=] {
        for (std::size_t j = 0; j < height; ++j)
            std::memmove(static_cast<char*>(to) + j * to_ld, static_cast<const char*>(from) + j * from_ld, width);
    });
    return emulatedSuccess;
}
int emulatedMemsetAsync(void* memory, int value, std::size_t bytes, emulatedStream_t) {
    queue_emulated([=] { std::memset(memory, value, bytes); });
    return emulatedSuccess;
}
int emulatedMemset2DAsync(void* memory, std::size_t ld, int value, std::size_t width, std::size_t height,
                          emulatedStream_t) {
    queue_emulated([=] {
        for (std::size_t j = 0; j < height; ++j) std::memset(static_cast<char*>(memory) + j * ld, value, width);
    });
    return emulatedSuccess;
}

int emulatedStreamCreateWithPriority(emulatedStream_t* stream, unsigned, int) { return make(stream); }
int emulatedStreamCreateWithFlags(emulatedStream_t* stream, unsigned) { return make(stream); }
int emulatedStreamDestroy(emulatedStream_t stream) { return destroy(stream); }

int emulatedStreamBeginCapture(emulatedStream_t, int) { return make(&recording); }
int emulatedStreamEndCapture(emulatedStream_t, emulatedGraph_t* graph) {
    *graph = recording;
    recording = nullptr;
    return emulatedSuccess;
}
int emulatedGraphDestroy(emulatedGraph_t graph) { return destroy(graph); }
int emulatedGraphLaunch(emulatedGraphExec_t graph, emulatedStream_t) {
    for (const auto& work : graph->work) queue_emulated(work);
    return emulatedSuccess;
}
int emulatedGraphExecDestroy(emulatedGraphExec_t graph) { return destroy(graph); }
int instantiate_graph(emulatedGraphExec_t* executable, emulatedGraph_t graph) {
    *executable = new EmulatedRecord(*graph);
    return emulatedSuccess;
}

int emulatedEventCreate(emulatedEvent_t* event) { return make(event); }
int emulatedEventCreateWithFlags(emulatedEvent_t* event, unsigned) { return make(event); }
int emulatedEventDestroy(emulatedEvent_t event) {
    RecordedEvents& all = recorded_events();
    const std::lock_guard lock(all.mutex);
    all.last.erase(event);
    return destroy(event);
}
int emulatedEventElapsedTime(float* milliseconds, emulatedEvent_t start, emulatedEvent_t end) {
    RecordedEvents& all = recorded_events();
    const std::lock_guard lock(all.mutex);
    const auto first = all.last.find(start), second = all.last.find(end);
    const bool both = first != all.last.end() && second != all.last.end();
    *milliseconds = both ? static_cast<float>(second->second - first->second) : 1;
    return emulatedSuccess;
}
int record_event_in_graph(emulatedEvent_t event, emulatedStream_t) {
    queue_emulated([event] {
        RecordedEvents& all = recorded_events();
        const std::lock_guard lock(all.mutex);
        all.last[event] = ++all.count;
    });
    return emulatedSuccess;
}

}  // namespace frond::gpu

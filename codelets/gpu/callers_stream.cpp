// SPDX-License-Identifier: BSD-3-Clause
#include "frond/gpu/callers_stream.hpp"

#include "check.hpp"
#include "device_memory.hpp"

namespace frond::gpu {
namespace {

/// A stream that does not wait for the legacy default stream.
class MarkStream {
public:
    MarkStream() { check(FROND_GPU(StreamCreateWithFlags)(&stream_, FROND_GPU(StreamNonBlocking)), "making a stream"); }
    MarkStream(const MarkStream&) = delete;
    MarkStream& operator=(const MarkStream&) = delete;
    ~MarkStream() { ignore(FROND_GPU(StreamDestroy)(stream_)); }
    Stream get() const noexcept { return stream_; }

private:
    Stream stream_ = nullptr;
};

MemcpyKind kind_of(CallersStream::Copy kind) {
    if (kind == CallersStream::Copy::to_host) return FROND_GPU(MemcpyDeviceToHost);
    return kind == CallersStream::Copy::to_device ? FROND_GPU(MemcpyHostToDevice) : FROND_GPU(MemcpyDeviceToDevice);
}

FROND_GPU(Event_t) event_of(void* event) { return static_cast<FROND_GPU(Event_t)>(event); }

}  // namespace

MemoryPlace place_of(const void* memory, int device) {
    if (memory == nullptr) return MemoryPlace::host;
    const CurrentDevice now(device);
    PointerFacts facts{};
    if (FROND_GPU(PointerGetAttributes)(&facts, memory) != FROND_GPU(Success)) {
        static_cast<void>(FROND_GPU(GetLastError)());  // memory that the runtime does not know is the host's
        return MemoryPlace::host;
    }
    if (is_managed(facts)) return MemoryPlace::device;
    if (!is_on_device(facts)) return MemoryPlace::host;
    return facts.device == device ? MemoryPlace::device : MemoryPlace::other_device;
}

CallersStream::CallersStream(int device, void* stream) : device_(device) {
    const CurrentDevice now(device);
    FROND_GPU(Event_t) event = nullptr;
    check(FROND_GPU(EventCreateWithFlags)(&event, FROND_GPU(EventDisableTiming)), "making an event");
    const auto status = FROND_GPU(EventRecord)(event, static_cast<Stream>(stream));
    if (status != FROND_GPU(Success)) ignore(FROND_GPU(EventDestroy)(event));
    check(status, "waiting for the stream of the solve's options");
    event_ = event;
}

CallersStream::~CallersStream() { ignore(FROND_GPU(EventDestroy)(event_of(event_))); }

void CallersStream::wait() const {
    check(FROND_GPU(EventSynchronize)(event_of(event_)), "waiting for the stream of the solve's options");
}

void CallersStream::copy_columns(Copy kind, const Source& from, const Target& to, std::size_t column_bytes,
                                 std::size_t columns) const {
    const CurrentDevice now(device_);
    const MarkStream own;
    check(FROND_GPU(StreamWaitEvent)(own.get(), event_of(event_), 0), "waiting for the stream of the solve's options");
    check(FROND_GPU(Memcpy2DAsync)(to.data, to.ld_bytes, from.data, from.ld_bytes, column_bytes, columns, kind_of(kind),
                                   own.get()),
          "copying right-hand sides or solutions");
    check(FROND_GPU(StreamSynchronize)(own.get()), "copying right-hand sides or solutions");
}

}  // namespace frond::gpu

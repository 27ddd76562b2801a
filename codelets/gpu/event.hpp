// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "check.hpp"
#include "frond/gpu/devices.hpp"

namespace frond::gpu {

/// A point in a stream of the device that is current when it is made; streams of any device wait for it.
class Event {
public:
    Event() { check(FROND_GPU(EventCreateWithFlags)(&event_, FROND_GPU(EventDisableTiming)), "making an event"); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    ~Event() {
        if (!has_lost_device()) ignore(FROND_GPU(EventDestroy)(event_));
    }

    void record(Stream stream) { check(FROND_GPU(EventRecord)(event_, stream), "recording an event"); }
    /// What is put on the stream from now on runs after the record.
    void let_wait(Stream stream) const { check(FROND_GPU(StreamWaitEvent)(stream, event_, 0), "waiting for an event"); }

private:
    FROND_GPU(Event_t) event_ = nullptr;
};

}  // namespace frond::gpu

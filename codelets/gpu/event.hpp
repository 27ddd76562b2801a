// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "check.hpp"
#include "frond/gpu/devices.hpp"
#include "recorded_event.hpp"

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
    void wait() const { check(FROND_GPU(EventSynchronize)(event_), "waiting for an event"); }
    /// Does not wait.
    bool has_happened() const {
        const auto status = FROND_GPU(EventQuery)(event_);
        if (status == FROND_GPU(ErrorNotReady)) return false;
        check(status, "asking for an event");
        return true;
    }
    /// What is put on the stream from now on runs after the record.
    void let_wait(Stream stream) const { check(FROND_GPU(StreamWaitEvent)(stream, event_, 0), "waiting for an event"); }

private:
    FROND_GPU(Event_t) event_ = nullptr;
};

/// One whose time can be read.
class TimedEvent {
public:
    TimedEvent() { check(FROND_GPU(EventCreate)(&event_), "making an event"); }
    TimedEvent(const TimedEvent&) = delete;
    TimedEvent& operator=(const TimedEvent&) = delete;
    ~TimedEvent() {
        if (!has_lost_device()) ignore(FROND_GPU(EventDestroy)(event_));
    }

    void record(Stream stream) { check(FROND_GPU(EventRecord)(event_, stream), "recording an event"); }
    /// Records the event on a stream whose work is being recorded: it happens in each launch. @pre times_recorded_work
    void record_in_graph(Stream stream) {
        check(record_event_in_graph(event_, stream), "recording an event in a graph");
    }
    /// The time between two recorded events. Waits for this one.
    double seconds_after(const TimedEvent& start) const {
        float milliseconds = 0;
        check(FROND_GPU(EventSynchronize)(event_), "waiting for an event");
        check(FROND_GPU(EventElapsedTime)(&milliseconds, start.event_, event_), "reading an event");
        return static_cast<double>(milliseconds) * 1e-3;
    }

private:
    FROND_GPU(Event_t) event_ = nullptr;
};

}  // namespace frond::gpu

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "device_memory.hpp"
#include "event.hpp"
#include "queue.hpp"

namespace frond::gpu {

struct CopyUnderWay {
    void* name = nullptr;
    std::unique_ptr<Event> end;
};

/// The copies that one device makes, in their order.
struct CopyLane {
    explicit CopyLane(const Device& of) : device(of) {
        const CurrentDevice now(device.device);
        stream = std::make_unique<OwnStream>(OwnStream::Urgency::urgent);
    }

    Device device;
    std::unique_ptr<OwnStream> stream;
    std::deque<CopyUnderWay> under_way;
    std::vector<std::unique_ptr<Event>> events;  // that no copy has
};

/// The device of a lane is the current one while this lives. Workers of StarPU keep it: to choose the one before would make
/// a context there, with memory of its own, where this process uses other devices.
class LaneDevice {
public:
    explicit LaneDevice(const CopyLane& lane) {
        if (starpu_worker_get_id() < 0)
            before_.emplace(lane.device.device);
        else
            check(FROND_GPU(SetDevice)(lane.device.device), "choosing the device");
    }

private:
    std::optional<CurrentDevice> before_;
};

/// Marks the end of what was put on its stream, whose device is the current one.
inline void begin_copy(CopyLane& lane, void* name) {
    if (lane.events.empty()) lane.events.push_back(std::make_unique<Event>());
    lane.events.back()->record(lane.stream->stream());
    lane.under_way.push_back({name, std::move(lane.events.back())});
    lane.events.pop_back();
}

}  // namespace frond::gpu

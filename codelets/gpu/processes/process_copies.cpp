// SPDX-License-Identifier: BSD-3-Clause
#include "frond/gpu/process_copies.hpp"

#include "device_memory.hpp"
#include "event.hpp"
#include "other_memory.hpp"
#include "queue.hpp"

#include <algorithm>
#include <cstring>
#include <deque>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <tuple>
#include <utility>
#include <vector>

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

namespace {

static_assert(sizeof(ExportedMemory) <= sizeof(OfferedColumns::exported));

/// A hash of the running system and of the name space in which this process has its number; 0: unknown.
std::uint64_t this_machine() {
    std::string boot;
    struct stat processes {};
    if (!(std::ifstream("/proc/sys/kernel/random/boot_id") >> boot) || stat("/proc/self/ns/pid", &processes) != 0)
        return 0;
    return std::hash<std::string>{}(boot + ' ' + std::to_string(processes.st_ino));
}

std::size_t size_of(count_t bytes) { return static_cast<std::size_t>(bytes); }

/// One piece may stand for columns of any shape.
ByteColumns shaped(const ByteColumns& place, count_t bytes, count_t columns) {
    return place.is_one_piece() ? ByteColumns{place.first, bytes, columns, bytes} : place;
}

}  // namespace

struct ProcessCopies::Parts {
    /// An allocation of a process: the rank, the number of the allocation, and the device for which it is open.
    using Allocation = std::tuple<index_t, std::uint64_t, int>;
    /// More are closed, and opened again where they are still used.
    static constexpr std::size_t most_open = 64;

    std::uint64_t machine = this_machine();
    std::vector<CopyLane> lanes;
    std::map<std::uint64_t, ExportedMemory> exported;
    std::map<Allocation, OtherMemory> opened;

    /// Copies to the host are the first device's.
    CopyLane* lane_of(unsigned memory_node) {
        for (CopyLane& lane : lanes)
            if (lane.device.memory_node == memory_node) return &lane;
        return lanes.empty() ? nullptr : &lanes.front();
    }
    /// begun: `memory` is open.
    Read open(const Allocation& allocation, const OfferedColumns& offered, const OtherMemory*& memory);
    /// Waits for copies.
    void close_others() noexcept;
};

void ProcessCopies::begin_thread() noexcept {
    if (!parts_->lanes.empty() && !has_lost_device()) ignore(FROND_GPU(SetDevice)(parts_->lanes.front().device.device));
}

ProcessCopies::ProcessCopies() : parts_(std::make_unique<Parts>()) {
    const KeptDevice kept;
    for (const Device& device : devices()) parts_->lanes.emplace_back(device);
}

ProcessCopies::~ProcessCopies() {
    close();
    if (has_lost_device()) return;
    const KeptDevice kept;
    for (CopyLane& lane : parts_->lanes) {
        ignore(FROND_GPU(SetDevice)(lane.device.device));
        lane.stream.reset();
        lane.events.clear();
    }
}

bool ProcessCopies::offer(const ByteColumns& columns, unsigned memory_node, OfferedColumns& offered) noexcept try {
    CopyLane* const lane = parts_->lane_of(memory_node);
    if (lane == nullptr || lane->device.memory_node != memory_node || parts_->machine == 0) return false;
    const LaneDevice now(*lane);
    void* begin = nullptr;
    if (!find_allocation(columns.first, &begin, &offered.allocation)) return false;
    const auto [known, is_new] = parts_->exported.try_emplace(offered.allocation);
    if (is_new && export_memory(&known->second, begin) != FROND_GPU(Success)) {
        static_cast<void>(FROND_GPU(GetLastError)());
        parts_->exported.erase(known);
        return false;
    }
    std::memcpy(offered.exported.data(), &known->second, sizeof known->second);
    offered.machine = parts_->machine;
    offered.offset = reinterpret_cast<std::intptr_t>(columns.first) - reinterpret_cast<std::intptr_t>(begin);
    offered.bytes = columns.bytes;
    offered.columns = columns.columns;
    offered.stride = columns.is_one_piece() ? columns.bytes : columns.stride;
    return true;
} catch (const std::exception&) {
    return false;
}

ProcessCopies::Read ProcessCopies::Parts::open(const Allocation& allocation, const OfferedColumns& offered,
                                               const OtherMemory*& memory) {
    if (const auto found = opened.find(allocation); found != opened.end()) {
        memory = &found->second;
        return Read::begun;
    }
    if (opened.size() == most_open) close_others();
    ExportedMemory from;
    std::memcpy(&from, offered.exported.data(), sizeof from);
    const auto place = opened.try_emplace(allocation).first;
    const FROND_GPU(Error_t) status = place->second.open(from);
    if (status == FROND_GPU(Success)) {
        memory = &place->second;
        return Read::begun;
    }
    static_cast<void>(FROND_GPU(GetLastError)());
    opened.erase(place);
    return status == FROND_GPU(ErrorMemoryAllocation) ? Read::not_now : Read::never;
}

ProcessCopies::Read ProcessCopies::read(index_t process, const OfferedColumns& from, const ByteColumns& to,
                                        unsigned memory_node, void* name) {
    CopyLane* const lane = parts_->lane_of(memory_node);
    if (lane == nullptr || parts_->machine == 0 || from.machine != parts_->machine) return Read::never;
    try {
        const LaneDevice now(*lane);
        const OtherMemory* memory = nullptr;
        const Read outcome = parts_->open({process, from.allocation, lane->device.device}, from, memory);
        if (outcome != Read::begun) return outcome;
        const ByteColumns place = shaped(to, from.bytes, from.columns);
        check(memory->copy(place.first, size_of(place.stride), size_of(from.offset), size_of(from.stride),
                           size_of(from.bytes), size_of(from.columns), lane->stream->stream()),
              "copying from another process");
        begin_copy(*lane, name);
        return Read::begun;
    } catch (const DeviceError&) {
        ignore(FROND_GPU(StreamSynchronize)(lane->stream->stream()));
        return Read::never;
    }
}

void ProcessCopies::upload(const ByteColumns& from, const ByteColumns& to, unsigned memory_node, void* name) {
    CopyLane* const lane = parts_->lane_of(memory_node);
    if (lane == nullptr) throw DeviceError("no device has the place of a message");
    const LaneDevice now(*lane);
    const ByteColumns source = shaped(from, to.bytes, to.columns);
    if (source.first != to.first)
        check(FROND_GPU(Memcpy2DAsync)(to.first, size_of(to.is_one_piece() ? to.bytes : to.stride), source.first,
                                       size_of(source.stride), size_of(to.bytes), size_of(to.columns),
                                       FROND_GPU(MemcpyHostToDevice), lane->stream->stream()),
              "copying a message to the device");
    begin_copy(*lane, name);
}

void ProcessCopies::take_ended(std::vector<void*>& names) {
    for (CopyLane& lane : parts_->lanes)
        while (!lane.under_way.empty() && lane.under_way.front().end->has_happened()) {
            names.push_back(lane.under_way.front().name);
            lane.events.push_back(std::move(lane.under_way.front().end));
            lane.under_way.pop_front();
        }
}

void ProcessCopies::Parts::close_others() noexcept {
    for (const CopyLane& lane : lanes) ignore(FROND_GPU(StreamSynchronize)(lane.stream->stream()));
    for (auto& [allocation, memory] : opened) {
        ignore(FROND_GPU(SetDevice)(std::get<2>(allocation)));
        ignore(memory.close());
    }
    opened.clear();
}

void ProcessCopies::close() noexcept {
    parts_->exported.clear();
    const auto is_idle = [](const CopyLane& lane) { return lane.under_way.empty(); };
    const bool are_idle = std::all_of(parts_->lanes.begin(), parts_->lanes.end(), is_idle);
    if (has_lost_device() || (parts_->opened.empty() && are_idle)) return;
    const KeptDevice kept;
    parts_->close_others();
}

}  // namespace frond::gpu

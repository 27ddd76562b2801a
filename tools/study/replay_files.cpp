// SPDX-License-Identifier: BSD-3-Clause
#include "replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

namespace frond::cli {
namespace {

/// Microseconds, to three digits, and no less than StarPU can tell from no time. 0: none.
double rounded(const std::optional<double>& seconds, double speed) {
    if (!seconds) return 0;
    const double microseconds = std::max(1e6 * *seconds / speed, 1e-3);
    const double unit = std::pow(10.0, std::floor(std::log10(microseconds))) / 100;
    return std::round(microseconds / unit) * unit;
}

using TimeClass = std::pair<double, double>;  // microseconds on a core and on a card; 0: it cannot run there

TimeClass class_of(const GraphTask& task, const SimulatedMachine& machine) {
    return {rounded(task.core_seconds, machine.core_speed),
            machine.card_count() > 0 ? rounded(task.card_seconds, 1) : 0};
}

/// The numbers of the classes, from 1 on: 0 would be a task without a footprint.
std::map<TimeClass, std::size_t> classes_of(const RecordedGraph& graph, const SimulatedMachine& machine) {
    std::map<TimeClass, std::size_t> classes;
    for (const GraphTask& task : graph.tasks) classes.try_emplace(class_of(task, machine), 0);
    std::size_t number = 0;
    for (auto& [times, place] : classes) place = ++number;
    return classes;
}

/// The data of a task that have a size, as copies between memories follow them. Memory that was used again, with another
/// size, is other data.
class DataLines {
public:
    std::string of(const GraphTask& task) {
        std::string parameters, handles, modes, sizes;
        for (const RecordedAccess& access : task.accesses) {
            if (!(access.bytes > 0) || !(access.reads || access.writes)) continue;
            const auto bytes = static_cast<count_t>(access.bytes);
            const auto [known, is_new] = numbers_.try_emplace({access.handle, bytes}, numbers_.size() + 1);
            parameters += " data";
            handles += fmt::format(" {:x}", known->second);
            modes += access.reads ? access.writes ? " RW" : " R" : " W";
            sizes += fmt::format(" {}", bytes);
        }
        if (handles.empty()) return {};
        return "Parameters:" + parameters + "\nHandles:" + handles + "\nModes:" + modes + "\nSizes:" + sizes + "\n";
    }

private:
    std::map<std::pair<std::uint64_t, count_t>, std::size_t> numbers_;
};

constexpr int cpu_of_starpu = 0, cuda_of_starpu = 1;  // in files of models

/// A combination of one device: no regression, and as many samples of each class as StarPU asks for before it believes
/// them. `time` picks a class' microseconds.
template <class Time>
std::string model_of_device(const std::map<TimeClass, std::size_t>& classes, int kind, index_t number, Time time) {
    constexpr int samples = 10;
    const auto runs_here = [&](const auto& entry) { return time(entry.first) > 0; };
    std::string text = fmt::format("1\n{}\n{}\n1\n1\n{}\n0 0 0 0 nan nan 0 0 0\nnan nan nan\n0\n", kind, number,
                                   std::count_if(classes.begin(), classes.end(), runs_here));
    for (const auto& entry : classes) {
        const double microseconds = time(entry.first);
        if (runs_here(entry))
            text += fmt::format("{:08x}\t0\t0\t{:e}\t0\t{:e}\t{:e}\t{}\n", entry.second, microseconds,
                                samples * microseconds, samples * microseconds * microseconds, samples);
    }
    return text;
}

}  // namespace

std::string replay_records(const RecordedGraph& graph, const SimulatedMachine& machine) {
    const std::map<TimeClass, std::size_t> classes = classes_of(graph, machine);
    DataLines data;
    std::string text;
    for (std::size_t k = 0; k < graph.tasks.size(); ++k) {
        const GraphTask& task = graph.tasks[k];
        text += fmt::format("Name: {}\nModel: frond_replay\nJobId: {}\nSubmitOrder: {}\nPriority: {}\n", task.name,
                            k + 1, k + 1, task.priority);
        if (!task.waits_for.empty()) text += "DependsOn:";
        for (const std::size_t before : task.waits_for) text += fmt::format(" {}", before + 1);
        if (!task.waits_for.empty()) text += "\n";
        text += fmt::format("Tag: {:x}\nWorkerId: 0\nFootprint: {:x}\nGFlop: {:.6f}\n", k + 1,
                            classes.at(class_of(task, machine)), 1e-9 * task.flops);
        if (machine.card_count() > 0) text += data.of(task);
        text += "\n";
    }
    return text;
}

std::string replay_model(const RecordedGraph& graph, const SimulatedMachine& machine) {
    const std::map<TimeClass, std::size_t> classes = classes_of(graph, machine);
    // StarPU's file of version 45: how many combinations of devices, then each of them.
    std::string text = fmt::format("45\n{}\n", 1 + machine.card_count());
    text += model_of_device(classes, cpu_of_starpu, 0, [](const TimeClass& times) { return times.first; });
    for (index_t card = 0; card < machine.card_count(); ++card)
        text += model_of_device(classes, cuda_of_starpu, card, [](const TimeClass& times) { return times.second; });
    return text;
}

}  // namespace frond::cli

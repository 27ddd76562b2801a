// SPDX-License-Identifier: BSD-3-Clause
#include "platform.hpp"

#include "frond/base/error.hpp"
#include "frond/base/output_file.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace frond::cli {
namespace {

namespace fs = std::filesystem;

// Tasks take as long as their models say: the speed of hosts only converts their seconds.
std::string host_of(const std::string& id) { return fmt::format("    <host id=\"{}\" speed=\"1Gf\"/>\n", id); }

std::string card_of(index_t number, const SimulatedCards& cards, index_t memories) {
    return fmt::format(
        "    <host id=\"CUDA{}\" speed=\"1Gf\">\n      <prop id=\"memsize\" value=\"{}\"/>\n"
        "      <prop id=\"memcpy_peer\" value=\"{}\"/>\n    </host>\n",
        number, cards.memory_bytes * memories, cards.peer_bytes_per_second > 0 ? 1 : 0);
}

std::string link_of(const std::string& id, double bytes_per_second, double seconds) {
    return fmt::format("    <link id=\"{}\" bandwidth=\"{}Bps\" latency=\"{}s\"/>\n", id, bytes_per_second, seconds);
}

std::string route_of(const std::string& from, const std::string& to, const std::vector<std::string>& links) {
    std::string text = fmt::format("    <route src=\"{}\" dst=\"{}\" symmetrical=\"NO\">\n", from, to);
    for (const std::string& link : links) text += fmt::format("      <link_ctn id=\"{}\"/>\n", link);
    return text + "    </route>\n";
}

/// What StarPU copies from card to card passes a link of each.
std::string routes_between(const SimulatedCards& cards, index_t first, index_t last) {
    std::string text;
    for (index_t i = first; i < last && cards.peer_bytes_per_second > 0; ++i)
        for (index_t j = first; j < last; ++j)
            if (i != j)
                text += route_of(fmt::format("CUDA{}", i), fmt::format("CUDA{}", j),
                                 {fmt::format("CUDA{}-out", i), fmt::format("CUDA{}-in", j)});
    return text;
}

std::string cards_of(const SimulatedMachine& machine, index_t memories) {
    std::string hosts, links, routes;
    index_t number = 0;
    for (const SimulatedCards& some : machine.cards) {
        const index_t first = number;
        for (index_t k = 0; k < some.count; ++k, ++number) {
            const std::string card = fmt::format("CUDA{}", number), there = "RAM-" + card, back = card + "-RAM";
            hosts += card_of(number, some, memories);
            for (const std::string& id : {there, back})
                links += link_of(id, some.link_bytes_per_second, some.link_seconds);
            routes += route_of("RAM", card, {there}) + route_of(card, "RAM", {back});
            if (some.peer_bytes_per_second > 0)
                for (const char* end : {"-in", "-out"})
                    links += link_of(card + end, some.peer_bytes_per_second, some.link_seconds);
        }
        routes += routes_between(some, first, number);
    }
    return hosts + links + routes;
}

/// A line for each memory from which StarPU copies: what it is told of the way to each other one.
template <class Value>
std::string matrix_of(const SimulatedMachine& machine, Value value_of) {
    std::vector<const SimulatedCards*> cards{nullptr};  // memory of the host
    for (const SimulatedCards& some : machine.cards)
        cards.insert(cards.end(), static_cast<std::size_t>(some.count), &some);
    std::string text;
    for (std::size_t i = 0; i < cards.size(); ++i) {
        for (std::size_t j = 0; j < cards.size(); ++j)
            text += fmt::format("{}\t",
                                i == j ? 0.0 : value_of(cards[i] == nullptr ? *cards[j] : *cards[i], i > 0 && j > 0));
        text += "\n";
    }
    return text;
}

/// Microseconds and MB/s, in StarPU's files.
std::string latencies_of(const SimulatedMachine& machine) {
    return matrix_of(machine, [](const SimulatedCards& cards, bool) { return 1e6 * cards.link_seconds; });
}

std::string bandwidths_of(const SimulatedMachine& machine) {
    return matrix_of(machine, [](const SimulatedCards& cards, bool between) {
        return 1e-6 *
               (between && cards.peer_bytes_per_second > 0 ? cards.peer_bytes_per_second : cards.link_bytes_per_second);
    });
}

void write_file(const std::string& path, const std::string& text) {
    OutputFile out(path);
    out.write(text.data(), text.size());
    out.finish();
}

}  // namespace

std::string platform_of(const SimulatedMachine& machine, index_t memories) {
    std::string hosts = host_of("MAIN") + host_of("RAM");
    for (index_t core = 0; core < machine.cores; ++core) hosts += host_of(fmt::format("CPU{}", core));
    // SimGrid reads files of this document type alone, and fetches nothing.
    return "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
           "<platform version=\"4.1\">\n  <config>\n    <prop id=\"network/TCP-gamma\" value=\"-1\"/>\n"
           "    <prop id=\"network/latency-factor\" value=\"1\"/>\n"
           "    <prop id=\"network/bandwidth-factor\" value=\"1\"/>\n"
           "    <prop id=\"network/crosstraffic\" value=\"0\"/>\n    <prop id=\"network/weight-S\" value=\"0.0\"/>\n"
           "  </config>\n  <zone id=\"node\" routing=\"Full\">\n" +
           hosts + cards_of(machine, memories) + "  </zone>\n</platform>\n";
}

std::vector<std::string> variables_of(const PlatformFolder& folder) {
    return {"STARPU_PERF_MODEL_DIR=" + folder.path(),
            std::string("STARPU_HOSTNAME=") + PlatformFolder::host,
            std::string(machine_variable) + "=" + folder.machine_file(),
            "STARPU_SIMGRID_TASK_SUBMIT_COST=0",
            "STARPU_SIMGRID_TASK_PUSH_COST=0",
            "STARPU_SIMGRID_FETCHING_INPUT_COST=0",
            "STARPU_SIMGRID_CUDA_MALLOC_COST=0",
            "STARPU_SIMGRID_CUDA_QUEUE_COST=0",
            "STARPU_SILENT=1"};
}

PlatformFolder::PlatformFolder(const SimulatedMachine& machine, index_t memories)
    : folder_("frond-machine-", "the files of the simulated machine") {
    const std::string bus = path() + "/bus";
    std::error_code failure;
    if (!fs::create_directory(bus, failure))
        throw RuntimeError(bus + ": " + failure.message() + "; set TMPDIR to a folder that takes files");
    const std::string begin = bus + "/" + host;
    write_file(machine_file(), text_of_machine(machine));
    write_file(begin + ".platform.v4.xml", platform_of(machine, memories));
    write_file(begin + ".config", "0\n");  // which StarPU looks for to find the others
    write_file(begin + ".latency", latencies_of(machine));
    write_file(begin + ".bandwidth", bandwidths_of(machine));
}

}  // namespace frond::cli

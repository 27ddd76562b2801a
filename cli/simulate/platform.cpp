// SPDX-License-Identifier: BSD-3-Clause
#include "platform.hpp"

#include "frond/base/error.hpp"
#include "frond/base/output_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace frond::cli {
namespace {

namespace fs = std::filesystem;

// Tasks take as long as their models say: the speed of hosts only converts their seconds.
std::string host_of(const std::string& id) { return fmt::format("    <host id=\"{}\" speed=\"1Gf\"/>\n", id); }

std::string card_of(index_t number, const SimulatedCards& cards) {
    return fmt::format(
        "    <host id=\"CUDA{}\" speed=\"1Gf\">\n      <prop id=\"memsize\" value=\"{}\"/>\n    </host>\n", number,
        cards.memory_bytes);
}

std::string link_of(const std::string& from, const std::string& to, const SimulatedCards& cards) {
    return fmt::format("    <link id=\"{}-{}\" bandwidth=\"{}Bps\" latency=\"{}s\"/>\n", from, to,
                       cards.link_bytes_per_second, cards.link_seconds);
}

std::string route_of(const std::string& from, const std::string& to) {
    return fmt::format(
        "    <route src=\"{0}\" dst=\"{1}\" symmetrical=\"NO\">\n      <link_ctn id=\"{0}-{1}\"/>\n    </route>\n",
        from, to);
}

std::string cards_of(const SimulatedMachine& machine) {
    std::string hosts, links, routes;
    index_t number = 0;
    for (const SimulatedCards& some : machine.cards)
        for (index_t k = 0; k < some.count; ++k, ++number) {
            const std::string card = fmt::format("CUDA{}", number);
            hosts += card_of(number, some);
            links += link_of("RAM", card, some) + link_of(card, "RAM", some);
            routes += route_of("RAM", card) + route_of(card, "RAM");
        }
    return hosts + links + routes;
}

void write_file(const std::string& path, const std::string& text) {
    OutputFile out(path);
    out.write(text.data(), text.size());
    out.finish();
}

std::string new_folder() {
    std::error_code failure;
    std::string name = (fs::temp_directory_path(failure) / "frond-machine-XXXXXX").string();
    if (failure || mkdtemp(name.data()) == nullptr)
        throw RuntimeError("no folder for the files of the simulated machine: " + std::string(std::strerror(errno)) +
                           "; set TMPDIR to a folder that takes files");
    return name;
}

}  // namespace

std::string platform_of(const SimulatedMachine& machine) {
    std::string hosts = host_of("MAIN") + host_of("RAM");
    for (index_t core = 0; core < machine.cores; ++core) hosts += host_of(fmt::format("CPU{}", core));
    // SimGrid reads files of this document type alone, and fetches nothing.
    return "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
           "<platform version=\"4.1\">\n  <config>\n    <prop id=\"network/TCP-gamma\" value=\"-1\"/>\n"
           "    <prop id=\"network/latency-factor\" value=\"1\"/>\n"
           "    <prop id=\"network/bandwidth-factor\" value=\"1\"/>\n"
           "    <prop id=\"network/crosstraffic\" value=\"0\"/>\n    <prop id=\"network/weight-S\" value=\"0.0\"/>\n"
           "  </config>\n  <zone id=\"node\" routing=\"Full\">\n" +
           hosts + cards_of(machine) + "  </zone>\n</platform>\n";
}

std::vector<std::string> variables_of(const PlatformFolder& folder) {
    return {"STARPU_PERF_MODEL_DIR=" + folder.path(), std::string("STARPU_HOSTNAME=") + PlatformFolder::host,
            "STARPU_SIMGRID_TASK_SUBMIT_COST=0",      "STARPU_SIMGRID_TASK_PUSH_COST=0",
            "STARPU_SIMGRID_FETCHING_INPUT_COST=0",   "STARPU_SILENT=1"};
}

PlatformFolder::PlatformFolder(const SimulatedMachine& machine) : path_(new_folder()) {
    const std::string bus = path_ + "/bus";
    std::error_code failure;
    if (!fs::create_directory(bus, failure)) throw RuntimeError(bus + ": " + failure.message());
    const std::string begin = bus + "/" + host;
    write_file(begin + ".platform.v4.xml", platform_of(machine));
    // One memory, which StarPU measures nothing of; it looks for the first file to find the others.
    for (const char* ending : {".config", ".latency", ".bandwidth"}) write_file(begin + ending, "0\n");
}

PlatformFolder::~PlatformFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

}  // namespace frond::cli

// SPDX-License-Identifier: BSD-3-Clause
#include "child_process.hpp"
#include "frond/base/temporary_folder.hpp"
#include "measurement.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace frond::bench {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

struct Traffic {
    double bytes = 0;
    double messages = 0;
};

json run_ranks(const RunRequest& r, const std::vector<std::string>& first, std::vector<std::string> environment) {
    std::vector<std::string> command{FROND_BENCH_MPIRUN, std::to_string(r.ranks), FROND_BENCH_RANKS};
    command.insert(command.end(), first.begin(), first.end());
    for (const std::string& argument : arguments_of(r)) command.push_back(argument);
    environment.push_back("OMP_NUM_THREADS=" + std::to_string(r.threads));
    environment.push_back("MPIEXEC_TIMEOUT=" + std::to_string(static_cast<int>(r.timeout_seconds)));
    return run_program(command, environment);
}

/// Lines "E FROM TO BYTES bytes MESSAGES msgs sent ..." of the files that Open MPI writes, one a rank.
Traffic traffic_in(const fs::path& folder) {
    Traffic sum;
    for (const fs::directory_entry& file : fs::directory_iterator(folder)) {
        std::ifstream in(file.path());
        for (std::string line; std::getline(in, line);) {
            std::istringstream words(line);
            std::string kind, from, to, unit;
            double bytes = 0, messages = 0;
            if (words >> kind >> from >> to >> bytes >> unit >> messages && (kind == "E" || kind == "I")) {
                sum.bytes += bytes;
                sum.messages += messages;
            }
        }
    }
    return sum;
}

/// The traffic of all steps up to this one.
Traffic traffic_until(const RunRequest& r, const std::string& step) {
    const frond::TemporaryFolder folder("frond-bench-", "counts of messages");
    const json result = run_ranks(r, {"--until", step},
                                  {"OMPI_MCA_pml_monitoring_enable=1", "OMPI_MCA_pml_monitoring_enable_output=3",
                                   "OMPI_MCA_pml_monitoring_filename=" + folder.path() + "/rank"});
    if (result.contains("error")) throw std::runtime_error(result["error"].get<std::string>());
    if (fs::is_empty(folder.path()))
        throw std::runtime_error("this MPI counts no messages (pml_monitoring of Open MPI)");
    return traffic_in(folder.path());
}

void add_traffic(const RunRequest& r, json& result) {
    const Traffic start = traffic_until(r, "start"), analysis = traffic_until(r, "analysis"),
                  factor = traffic_until(r, "factorization");
    result["analysis_bytes_sent"] = analysis.bytes - start.bytes;
    result["analysis_messages"] = analysis.messages - start.messages;
    result["factor_bytes_sent"] = factor.bytes - analysis.bytes;
    result["factor_messages"] = factor.messages - analysis.messages;
    result["remark"] =
        result.value("remark", "") +
        fmt::format(
            "; sent {:.1f} MB in {:.0f} messages by the analysis, {:.1f} MB in {:.0f} by the "
            "factorization",
            result["analysis_bytes_sent"].get<double>() * 1e-6, result["analysis_messages"].get<double>(),
            result["factor_bytes_sent"].get<double>() * 1e-6, result["factor_messages"].get<double>());
}

}  // namespace

std::vector<std::string> solvers_on_ranks() {
    std::istringstream names(FROND_BENCH_RANK_PEERS);
    std::vector<std::string> all;
    for (std::string name; names >> name;) all.push_back(name);
    return all;
}

json measure_on_ranks(const RunRequest& r) {
    json result = run_ranks(r, {}, {});
    if (result.contains("error")) return result;
    try {
        if (r.count_messages) add_traffic(r, result);
    } catch (const std::exception& e) {
        result["error"] = e.what();
    }
    return result;
}

}  // namespace frond::bench

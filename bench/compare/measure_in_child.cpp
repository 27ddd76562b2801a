// SPDX-License-Identifier: BSD-3-Clause
#include "child_process.hpp"
#include "measurement.hpp"

namespace frond::bench {
namespace {

std::string preload_of(const std::string& solver) {
    for (const PeerEntry& p : peers())
        if (solver_name(solver) == p.name) return p.preload;
    return "";
}

nlohmann::json measure_alone(const RunRequest& r) {
    std::vector<std::string> arguments = arguments_of(r);
    arguments.insert(arguments.begin(), "--here");
    return run_in_child(arguments, r.timeout_seconds, preload_of(r.solver));
}

}  // namespace

nlohmann::json measure_in_child(const RunRequest& r) {
    nlohmann::json result = r.ranks > 0 ? measure_on_ranks(r) : measure_alone(r);
    result["solver"] = r.solver;
    result["matrix"] = r.matrix;
    result["mode"] = to_string(r.mode);
    result["values"] = r.values;
    result["rhs"] = r.rhs;
    result["precision"] = r.single ? "single" : "double";
    if (!r.order_of.empty()) result["order_of"] = r.order_of;
    return result;
}

}  // namespace frond::bench

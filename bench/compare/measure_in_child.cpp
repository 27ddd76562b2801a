// SPDX-License-Identifier: BSD-3-Clause
#include "child_process.hpp"
#include "measurement.hpp"

namespace frond::bench {

nlohmann::json measure_in_child(const RunRequest& r) {
    nlohmann::json result =
        run_in_child({"--here", r.solver, r.matrix, to_string(r.mode), std::to_string(r.threads),
                      std::to_string(r.factorizations)},
                     r.timeout_seconds);
    result["solver"] = r.solver;
    result["matrix"] = r.matrix;
    result["mode"] = to_string(r.mode);
    return result;
}

} // namespace frond::bench

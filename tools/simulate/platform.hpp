// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "machine_file.hpp"
#include "frond/base/temporary_folder.hpp"

#include <string>
#include <vector>

namespace frond::cli {

/// What SimGrid reads of a machine: hosts of StarPU's workers and memories, links and routes between them. memories: so
/// many times its memory each card has.
std::string platform_of(const SimulatedMachine& machine, index_t memories = 1);

class PlatformFolder;

/// Names the machine's file to the program that simulates on it, which cannot see what `this` stands for.
inline constexpr const char* machine_variable = "FROND_SIMULATION_MACHINE";

/// "NAME=value" for the environment of that program. Frond's models have what StarPU would add to each task.
std::vector<std::string> variables_of(const PlatformFolder& folder);

/// A new folder, gone with this object, with the files that StarPU-SimGrid starts from: for STARPU_PERF_MODEL_DIR.
class PlatformFolder {
public:
    /// @throws RuntimeError  it cannot be written
    explicit PlatformFolder(const SimulatedMachine& machine, index_t memories = 1);
    PlatformFolder(const PlatformFolder&) = delete;
    PlatformFolder& operator=(const PlatformFolder&) = delete;

    const std::string& path() const noexcept { return folder_.path(); }
    /// The machine itself.
    std::string machine_file() const { return path() + "/machine.json"; }
    /// For STARPU_HOSTNAME.
    static constexpr const char* host = "simulated";

private:
    TemporaryFolder folder_;
};

}  // namespace frond::cli

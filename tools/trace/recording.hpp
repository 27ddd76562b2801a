// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/mpi_process.hpp"

#include <array>
#include <string>
#include <vector>

namespace frond::cli {

/// What a trace leaves in its folder.
constexpr std::array<const char*, 5> trace_names{"trace.html", "paje.trace", "tasks.rec", "dag.dot", "tasks.csv"};

/// starpu_fxt_tool in the folder of StarPU's programs, else on PATH.
/// @throws RuntimeError  StarPU records no traces, or the tool is missing
std::string trace_tool(bool records_traces, const std::string& folder);
/// The trace tool of the StarPU of this build. @throws as trace_tool()
std::string expect_trace_tool();

/// What a process that was killed has left of its recording.
void remove_recording(const std::string& folder, int process);

/// From its construction on StarPU records what it does, into a folder of its own next to the results. Made before the
/// first session; the recording is complete when the last session has ended. If there are several processes, each
/// records its own, in the same folder, which all of them see; rank 0 does all that follows.
class Recording {
public:
    /// folder: of the results; it is made where it is missing. processes: null where this one is alone; else collective.
    /// @throws InvalidArgument  the folder cannot be made or written
    Recording(const std::string& folder, const MpiProcess* processes);
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;
    /// Removes the recording, but for one that could not be converted, and the folder where it was made and nothing came
    /// into it.
    ~Recording();

    /// Collective: every process has ended its last session.
    void wait_for_all() const;
    /// Whether StarPU has written one, on each rank.
    bool is_there() const;
    /// Converts it by `tool` into paje.trace, tasks.rec and dag.dot in place().
    /// @throws RuntimeError  the tool failed, with its last line; the recording then stays
    void convert(const std::string& tool);
    /// Moves these into the folder of the results. @throws RuntimeError  there is no room; the recording then stays
    void publish();

    const std::string& place() const { return place_; }
    /// The folder of the results.
    const std::string& folder() const { return folder_; }

private:
    void make_place();
    bool is_writer() const { return processes_ == nullptr || processes_->rank() == 0; }
    /// One for each rank that has recorded something.
    std::vector<std::string> recorded_files() const;
    [[noreturn]] void refuse(const std::string& reason);

    const MpiProcess* processes_;
    std::string folder_, place_;
    std::string how_to_convert_;
    bool kept_ = false, made_folder_ = false;
};

/// Runs a program with these arguments, its path first; what it prints goes into the file. Empty when it ended well,
/// else how it ended: "exit code 1", "signal 6".
/// @throws RuntimeError  it cannot be started
std::string run_tool(std::vector<std::string> arguments, const std::string& output_file);

}  // namespace frond::cli

// SPDX-License-Identifier: BSD-3-Clause
#include "keep_tuning.hpp"

#include "arguments/output_paths.hpp"
#include "frond/base/error.hpp"
#include "terminal/today.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

namespace frond::cli {
namespace {

/// Whatever else has the name is left alone.
bool removed_earlier(const std::string& file) {
    std::error_code error;
    if (!std::filesystem::exists(file, error)) return false;
    try {
        static_cast<void>(read_tuning(file));
    } catch (const InvalidArgument&) {
        return false;
    }
    return std::filesystem::remove(file, error);
}

}  // namespace

SessionOptions session_to_tune(const CommandLine& line) {
    SessionOptions options;
    options.gpus = line.options.session.gpus;
    options.gpu_memory_bytes = line.options.session.gpu_memory_bytes;
    return options;
}

void expect_no_starpu_choices() {
    for (const char* name :
         {"STARPU_SCHED", "STARPU_NCPU", "STARPU_NCPUS", "STARPU_RESERVE_NCPU", "STARPU_NTHREADS_PER_CORE",
          "STARPU_WORKERS_NOBIND", "STARPU_WORKERS_CPUID", "STARPU_WORKERS_COREID", "STARPU_NWORKER_PER_CUDA"})
        if (const char* value = std::getenv(name); value != nullptr)
            throw InvalidArgument(
                fmt::format("the variable {}={} comes before what frond tune chooses; unset it", name, value));
}

std::string place_of_tuning(const CommandLine& line, const MachineKind& machine) {
    if (!line.tune.file.empty()) return line.tune.file;
    const std::string folder = tuning_folder();
    if (folder.empty())
        throw InvalidArgument(
            "neither XDG_CONFIG_HOME nor HOME is an absolute path, below which a tuning could be kept; set one, or "
            "give "
            "-o FILE");
    return folder + "/" + tuning_file_name(machine);
}

void make_folder_of_tunings(const CommandLine& line) {
    if (line.tune.file.empty()) make_folder(tuning_folder());
}

void keep_or_leave(const std::string& why_not, TuneFacts& facts) {
    facts.kept = why_not.empty();
    if (facts.kept) {
        Tuning& tuning = facts.search.best;
        tuning.date = today();
        tuning.mean_ratio = facts.verification->tuned.mean_ratio;
        tuning.largest_ratio = facts.verification->tuned.largest_ratio;
        write_tuning(tuning, facts.file);
        facts.outcome = fmt::format("kept: {}, in {}", differences(tuning), facts.file);
        return;
    }
    facts.outcome = "the defaults stay: " + why_not;
    if (removed_earlier(facts.file)) facts.outcome += "; the tuning that was kept earlier is removed: " + facts.file;
}

}  // namespace frond::cli

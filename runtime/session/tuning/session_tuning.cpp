// SPDX-License-Identifier: BSD-3-Clause
#include "session/tuning/session_tuning.hpp"

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "frond/base/error.hpp"

namespace frond::detail {
namespace {

std::string words_of(const MachineKind& kind) {
    std::string text = kind.processor + " with " + std::to_string(kind.cores) + " cores";
    if (kind.cards > 0) text += " and " + std::to_string(kind.cards) + " " + kind.card;
    return text;
}

Tuning tuning_for(const MachineKind& machine, const std::string& file) {
    Tuning tuning = read_tuning(file);
    if (tuning.machine != machine)
        throw InvalidArgument(file + ": it is for " + words_of(tuning.machine) + ", and this session has " +
                              words_of(machine) + "; run frond tune here, or remove the file");
    return tuning;
}

bool is_set(std::initializer_list<const char*> variables) {
    for (const char* name : variables)
        if (std::getenv(name) != nullptr) return true;
    return false;
}

SessionTuning users_tuning(index_t cards) {
    SessionTuning result;
    const std::string folder = tuning_folder();
    std::error_code error;
    if (folder.empty() || !std::filesystem::is_directory(folder, error)) return result;
    const MachineKind machine = machine_kind(cards);
    const std::string file = folder + "/" + tuning_file_name(machine);
    if (!std::filesystem::exists(file, error)) return result;
    try {
        result.taken = tuning_for(machine, file);
        result.file = file;
    } catch (const InvalidArgument& refusal) {
        result.advice = refusal.what();
    }
    return result;
}

}  // namespace

SessionTuning find_tuning(const SessionOptions& options, index_t cards) {
    if (options.tuning.empty()) throw InvalidArgument("tuning is empty; give automatic, off or the name of a file");
    if (options.tuning == "off") return {};
    if (options.tuning != "automatic") return {tuning_for(machine_kind(cards), options.tuning), options.tuning, ""};
    if (options.communicator != nullptr) return {};
    return users_tuning(cards);
}

SessionOptions with_tuning(SessionOptions options, const Tuning& tuning) {
    const bool workers_asked = options.cpu_workers > 0 || is_set({"STARPU_NCPU", "STARPU_NCPUS", "STARPU_RESERVE_NCPU",
                                                                  "STARPU_NTHREADS_PER_CORE"});
    if (!workers_asked) options.cpu_workers = tuning.cpu_workers;
    if (options.scheduler.empty() && !is_set({"STARPU_SCHED"})) options.scheduler = tuning.scheduler;
    return options;
}

}  // namespace frond::detail

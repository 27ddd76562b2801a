// SPDX-License-Identifier: BSD-3-Clause
#include "trace/recording.hpp"

#include "arguments/output_paths.hpp"
#include "arguments/input_paths.hpp"
#include "terminal/table.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <unistd.h>

namespace frond::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* fxt_tool_name = "starpu_fxt_tool";

bool is_program(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

std::string program_on_path(const std::string& name) {
    const char* const path = std::getenv("PATH");
    std::string folders = path == nullptr ? "" : path;
    for (std::size_t begin = 0; begin <= folders.size();) {
        const std::size_t end = std::min(folders.find(':', begin), folders.size());
        const fs::path program = fs::path(folders.substr(begin, end - begin)) / name;
        if (is_program(program)) return program;
        begin = end + 1;
    }
    return {};
}

void set_variable(const char* name, const std::string& value, bool replace = true) {
    if (setenv(name, value.c_str(), replace ? 1 : 0) != 0)
        throw RuntimeError(std::string("the variable ") + name + " cannot be set: " + std::strerror(errno) +
                           "; check the free memory");
}

std::string place_of(const std::string& folder, int process) {
    return folder + "/recording-" + std::to_string(process);
}

std::string last_line_of(const std::string& file) {
    std::ifstream stream(file);
    std::string last, line;
    while (std::getline(stream, line))
        if (!line.empty()) last = line;
    return last;
}

std::string free_space_at(const std::string& folder) {
    std::error_code error;
    const fs::space_info space = fs::space(folder, error);
    return error ? "" : " (" + text_of_bytes(static_cast<double>(space.available)) + " are free there)";
}

/// Whether a file could grow. StarPU and its tool do not look whether what they write arrives, so a file on a full disk, or
/// at a limit of the system, is cut off without a word.
bool can_grow(const std::string& file) {
    std::error_code error;
    const std::uintmax_t bytes = fs::file_size(file, error);
    if (error) return false;
    std::ofstream stream(file, std::ios::binary | std::ios::app);
    const bool grew = stream.write(std::string(1 << 16, '\n').data(), 1 << 16) && stream.flush();
    stream.close();
    fs::resize_file(file, bytes, error);
    return grew && !error;
}

}  // namespace

std::string trace_tool(bool records_traces, const std::string& folder) {
    if (!records_traces)
        throw RuntimeError(
            "the StarPU of this build records no traces, since it was built without FxT; install libfxt-dev, remove "
            "~/.cache/frond/starpu*, and build again by scripts/frond");
    if (const std::string tool = folder + "/" + fxt_tool_name; is_program(tool)) return tool;
    const std::string tool = program_on_path(fxt_tool_name);
    if (tool.empty())
        throw RuntimeError("starpu_fxt_tool, which converts traces, is neither in " + folder +
                           " nor on PATH; put the folder bin of a StarPU with FxT on PATH");
    return tool;
}

std::string expect_trace_tool() { return trace_tool(FROND_STARPU_HAS_FXT != 0, FROND_STARPU_PREFIX_BIN); }

void remove_recording(const std::string& folder, int process) {
    std::error_code ignored;
    fs::remove_all(place_of(folder, process), ignored);
}

Recording::Recording(const std::string& folder, const MpiProcess* processes)
    : processes_(processes), folder_(folder), place_(place_of(folder, getpid())) {
    if (processes_ == nullptr) {
        make_place();
    } else {
        place_ = processes_->text_of_rank_0(place_);
        std::exception_ptr error;
        try {
            if (is_writer()) make_place();
        } catch (...) {
            error = std::current_exception();
        }
        processes_->throw_on_all_ranks(error);
    }
    set_variable("STARPU_FXT_TRACE", "1");
    set_variable("STARPU_FXT_PREFIX", place_);
    set_variable("STARPU_FXT_SUFFIX", "recorded");
    set_variable("STARPU_GENERATE_TRACE", "0");
    set_variable("STARPU_TRACE_BUFFER_SIZE", "256", false);  // MiB; a full buffer is written while tasks wait
}

void Recording::make_place() {
    std::error_code error;
    made_folder_ = !fs::exists(folder_, error);
    make_folder(folder_);
    fs::create_directory(place_, error);
    if (error)
        throw path_error(folder_, "cannot be written: " + error.message(), "give a folder that you may write to");
}

Recording::~Recording() {
    if (!is_writer()) return;
    std::error_code ignored;
    if (!kept_) fs::remove_all(place_, ignored);
    if (made_folder_) fs::remove(folder_, ignored);  // where it is empty
}

void Recording::wait_for_all() const {
    if (processes_ != nullptr) processes_->throw_on_all_ranks(nullptr);
}

std::vector<std::string> Recording::recorded_files() const {
    std::vector<std::string> files;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(place_, error))
        if (entry.path().filename().string().starts_with("recorded") && fs::file_size(entry.path(), error) > 0 &&
            !error)
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

bool Recording::is_there() const {
    const auto ranks = static_cast<std::size_t>(processes_ == nullptr ? 1 : processes_->ranks());
    return recorded_files().size() >= ranks;
}

void Recording::refuse(const std::string& reason) {
    kept_ = true;
    throw RuntimeError("the trace cannot be converted: " + reason + "; make room on the disk of " + folder_ +
                       free_space_at(folder_) + how_to_convert_);
}

void Recording::convert(const std::string& tool) {
    how_to_convert_ = ", or convert what was recorded in " + place_ + " by " + tool;
    const std::string log = place_ + "/starpu_fxt_tool.log";
    for (const std::string& file : recorded_files())
        if (!can_grow(file)) refuse(file + " is cut off, since it cannot grow");
    std::vector<std::string> command{tool, "-use-task-color", "-d", place_};
    for (const std::string& file : recorded_files()) command.insert(command.end(), {"-i", file});
    const std::string how = run_tool(command, log);
    if (!how.empty()) refuse("starpu_fxt_tool ended with " + how + ", and said: " + last_line_of(log));
    for (const char* name : {"paje.trace", "tasks.rec", "dag.dot"}) {
        const std::string file = place_ + "/" + name;
        if (std::error_code error; !fs::exists(file, error)) refuse("it made no " + std::string(name));
        if (!can_grow(file)) refuse(file + " is cut off, since it cannot grow");
    }
}

void Recording::publish() {
    for (const char* name : {"paje.trace", "tasks.rec", "dag.dot"}) {
        std::error_code error;
        fs::rename(place_ + "/" + name, folder_ + "/" + name, error);
        if (error) refuse(std::string(name) + ": " + error.message());
    }
}

}  // namespace frond::cli

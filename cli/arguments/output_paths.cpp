// SPDX-License-Identifier: BSD-3-Clause
#include "output_paths.hpp"

#include "frond/base/output_file.hpp"
#include "input_paths.hpp"
#include "plot/plots.hpp"
#include "trace/recording.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <unistd.h>
#include <vector>

namespace frond::cli {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& reason) {
    throw path_error(path, "cannot be written: " + reason,
                     "give a file in a folder that is there and that you may write to");
}

struct UsedFile {
    std::string flag;  // empty: the matrix
    std::string file;
    bool written;

    std::string name() const { return (flag.empty() ? "" : flag + " ") + file; }
};

std::vector<std::string> plot_files(const CommandLine& line) {
    if (line.plot_folder.empty()) return {};
    std::vector<std::string> files;
    for (const char* name : plot_names) files.push_back(line.plot_folder + "/" + name);
    return files;
}

std::vector<std::string> trace_files(const CommandLine& line) {
    if (line.trace_folder.empty()) return {};
    std::vector<std::string> files;
    for (const char* name : trace_names) files.push_back(line.trace_folder + "/" + name);
    return files;
}

std::vector<UsedFile> used_files(const CommandLine& line) {
    std::vector<UsedFile> files{{"", line.matrix, false},
                                {"--rhs", line.rhs_file, false},
                                {"--user-order", line.user_order_file, false},
                                {"--analysis", line.analysis_file, false},
                                {"--pivots", line.pivots_file, false},
                                {"--out", line.solution_file, true},
                                {"--null-space", line.null_space_file, true},
                                {"--save", line.save_file, true},
                                {"--record-pivots", line.recorded_pivots_file, true},
                                {"--json", line.json_file, true},
                                {"--replay", line.study.replay_file, false},
                                {"--csv", line.study.csv_file, true},
                                {"--plot", line.study.plot_file, true}};
    files.push_back({"-o", line.tune.file, line.matrices.empty() && !line.tune.job_only});
    for (const std::string& matrix : line.matrices) files.push_back({"", matrix, false});
    for (const std::string& plot : plot_files(line)) files.push_back({"--plot", plot, true});
    for (const std::string& file : trace_files(line)) files.push_back({"--out-folder", file, true});
    std::erase_if(files, [](const UsedFile& used) { return used.file.empty(); });
    return files;
}

// Two names of one regular file, whether it is there or not; devices and pipes may be shared.
bool is_same_file(const std::string& a, const std::string& b) {
    namespace fs = std::filesystem;
    if (descriptor_of_output(a) >= 0 || descriptor_of_output(b) >= 0) return false;
    std::error_code failure;
    if (fs::exists(a, failure) && !fs::is_regular_file(a, failure)) return false;
    if (fs::equivalent(a, b, failure)) return true;
    const fs::path whole = fs::weakly_canonical(fs::absolute(a, failure), failure);
    return !failure && whole == fs::weakly_canonical(fs::absolute(b, failure), failure) && !failure;
}

bool use_same_stream(const UsedFile& a, const UsedFile& b) {
    if (a.written != b.written) return false;
    return a.written ? is_standard_output(a.file) && is_standard_output(b.file)
                     : is_standard_input(a.file) && is_standard_input(b.file);
}

}  // namespace

bool is_standard_output(const std::string& file) { return descriptor_of_output(file) == STDOUT_FILENO; }

std::FILE* table_stream(const CommandLine& line) {
    for (const UsedFile& used : used_files(line))
        if (used.written && is_standard_output(used.file)) return stderr;
    return stdout;
}

void expect_own_files(const CommandLine& line) {
    const std::vector<UsedFile> files = used_files(line);
    for (std::size_t i = 0; i < files.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const UsedFile &first = files[j], &second = files[i];
            if (use_same_stream(first, second))
                throw InvalidArgument(first.name() + " and " + second.name() + " both " +
                                      (first.written ? "write to standard output" : "read standard input") +
                                      "; give one of them a file");
            if ((first.written || second.written) && is_same_file(first.file, second.file))
                throw InvalidArgument(first.name() + " and " + second.name() +
                                      " are one file, which would be overwritten; give another one");
        }
}

bool has_own_file(const CommandLine& line, const std::string& output) {
    if (descriptor_of_output(output) >= 0) return true;
    for (const std::string& plot : plot_files(line))
        if (is_same_file(output, plot)) return false;
    for (const std::string& file : trace_files(line))
        if (is_same_file(output, file)) return false;
    index_t uses = 0;
    for (const std::string& word : line.arguments) {  // FILE or --flag=FILE
        const std::size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
        const std::string file = equals == std::string::npos ? word : word.substr(equals + 1);
        uses += file == output || is_same_file(output, file);
    }
    return uses == 1;
}

void expect_writable_file(const std::string& file) {
    if (file.empty() || is_standard_output(file)) return;
    const std::filesystem::path path(file);
    for (const char* suffix : {".xz", ".zst", ".bz2"})
        if (path.extension() == suffix)
            throw path_error(file, std::string("frond does not write ") + suffix, "write .gz, or compress it later");
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) refuse(file, "it is a folder");
    if (std::filesystem::exists(path, ignored)) {
        if (access(file.c_str(), W_OK) != 0) refuse(file, std::strerror(errno));
        return;
    }
    const std::string folder = path.has_parent_path() ? path.parent_path().string() : ".";
    if (access(folder.c_str(), W_OK | X_OK) != 0) refuse(file, "folder '" + folder + "': " + std::strerror(errno));
}

void make_folder(const std::string& folder) {
    if (folder.empty()) return;
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        throw path_error(folder, "the folder cannot be made: " + error.message(),
                         "give one whose parent you may write to");
}

ResultFolder::ResultFolder(const std::string& folder) : folder_(folder) {
    std::error_code error;
    is_new_ = !folder.empty() && !std::filesystem::exists(folder, error);
    make_folder(folder);
}

ResultFolder::~ResultFolder() {
    std::error_code ignored;
    if (is_new_) std::filesystem::remove(folder_, ignored);  // where it is empty
}

}  // namespace frond::cli

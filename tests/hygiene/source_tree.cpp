// SPDX-License-Identifier: BSD-3-Clause
#include "source_tree.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace frond::hygiene {
namespace {

namespace fs = std::filesystem;

const fs::path root = FROND_SOURCE_DIR;

const std::vector<std::string> folders_of_code{"analysis", "codelets", "runtime", "cli",
                                               "tools",    "bench",    "tests",   "docs"};

bool is_source(const fs::path& path) {
    const std::string ending = path.extension();
    return ending == ".cpp" || ending == ".hpp" || ending == ".c" || ending == ".h";
}

bool is_cmake(const fs::path& path) { return path.filename() == "CMakeLists.txt" || path.extension() == ".cmake"; }

template <class Predicate>
void collect(const std::string& folder, Predicate wanted, std::vector<SourceFile>& files) {
    if (!fs::exists(root / folder)) return;
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
        if (!entry.is_regular_file() || !wanted(entry.path())) continue;
        files.push_back({fs::relative(entry.path(), root).generic_string(), read_text(entry.path())});
    }
}

std::vector<SourceFile> sorted(std::vector<SourceFile> files) {
    std::sort(files.begin(), files.end(), [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
    return files;
}

}  // namespace

std::string read_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("cannot read " + path);
    return {std::istreambuf_iterator<char>(file), {}};
}

int line_count(std::string_view text) {
    const auto ends = std::count(text.begin(), text.end(), '\n');
    return static_cast<int>(ends) + (!text.empty() && text.back() != '\n' ? 1 : 0);
}

std::vector<SourceFile> source_files(const std::vector<std::string>& folders) {
    std::vector<SourceFile> files;
    for (const std::string& folder : folders) collect(folder, is_source, files);
    return sorted(std::move(files));
}

std::vector<SourceFile> licensed_files() {
    std::vector<SourceFile> files = source_files(folders_of_code);
    for (const std::string& folder : folders_of_code) collect(folder, is_cmake, files);
    collect("cmake", is_cmake, files);
    collect(
        "scripts", [](const fs::path&) { return true; }, files);
    files.push_back({"CMakeLists.txt", read_text(root / "CMakeLists.txt")});
    return sorted(std::move(files));
}

std::vector<SourceFile> documents() {
    const auto is_document = [](const fs::path& path) { return path.extension() == ".md"; };
    std::vector<SourceFile> files;
    for (const std::string& folder : folders_of_code) collect(folder, is_document, files);
    for (const auto& entry : fs::directory_iterator(root))
        if (is_document(entry.path())) files.push_back({entry.path().filename(), read_text(entry.path())});
    return sorted(std::move(files));
}

std::set<std::string> exceptions(const std::string& rule) {
    std::istringstream list(read_text(root / "tests/hygiene/exceptions.txt"));
    std::set<std::string> paths;
    for (std::string line; std::getline(list, line);) {
        if (line.empty() || line[0] == '#') continue;
        const auto blank = line.find(' '), colon = line.find(": ");
        if (blank == std::string::npos || colon == std::string::npos || colon < blank)
            throw std::runtime_error("exceptions.txt: no reason in \"" + line + "\"");
        const std::string path = line.substr(blank + 1, colon - blank - 1);
        if (!fs::exists(root / path)) throw std::runtime_error("exceptions.txt: no file " + path);
        if (line.substr(0, blank) == rule) paths.insert(path);
    }
    return paths;
}

}  // namespace frond::hygiene

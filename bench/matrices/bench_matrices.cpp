// SPDX-License-Identifier: BSD-3-Clause
// Frond over a folder of matrices, one process a matrix: a table, and the exit code says whether
// every one was solved or reported.
#include "child_process.hpp"
#include "frond/cpu/blas_info.hpp"
#include "run_facts.hpp"
#include "solve_file.hpp"
#include "table.hpp"

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

namespace {

using namespace frond::bench;
using nlohmann::json;
namespace fs = std::filesystem;

struct Options {
    std::string folder;
    std::string options;
    std::string out;
    std::string markdown;
    Bounds bounds;
    double timeout_seconds = 300;
};

bool is_matrix(const fs::path& p) {
    const std::string name = p.filename();
    return name.ends_with(".mtx") || name.ends_with(".mtx.gz") || name.ends_with(".rb") || name.ends_with(".rua");
}

std::vector<std::string> matrices_in(const std::string& folder) {
    std::vector<std::string> files;
    for (auto it = fs::recursive_directory_iterator(folder); it != fs::end(it); ++it) {
        if (it->is_directory() && it->path().filename() == "malformed") it.disable_recursion_pending();
        if (it->is_regular_file() && is_matrix(it->path())) files.push_back(it->path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

/// Options of Frond given by --options, for the page.
std::string command_text(const Options& o) {
    const std::string options = o.options.empty() ? "" : " --options \"" + o.options + "\"";
    return "`bench_matrices FOLDER" + options + " --markdown FILE`";
}

int run(const Options& o) {
    const std::string better = frond::blas_info().better_core_type;
    if (!better.empty()) setenv("OPENBLAS_CORETYPE", better.c_str(), 0);
    std::map<std::string, int> count;
    std::vector<json> rows;
    fmt::print("{}\n", table_head());
    for (const std::string& file : matrices_in(o.folder)) {
        json r = run_in_child({"--here", file, o.options}, o.timeout_seconds);
        if (!r.contains("name")) r["name"] = fs::path(file).filename();
        r["verdict"] = verdict(r, o.bounds);
        ++count[r["verdict"].get<std::string>()];
        fmt::print("{}\n", table_row(r));
        std::fflush(stdout);
        rows.push_back(std::move(r));
    }
    for (const auto& [name, n] : count) fmt::print("{}: {}\n", name, n);
    if (!o.out.empty())
        std::ofstream(o.out) << json{{"run", run_facts()}, {"bound", o.bounds.componentwise}, {"rows", rows}}.dump(1)
                             << '\n';
    if (!o.markdown.empty()) std::ofstream(o.markdown) << markdown_page(rows, o.bounds, command_text(o));
    return count["WRONG"] + count["FAILED"] == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) try {
    if (argc == 4 && std::string(argv[1]) == "--here") {
        answer_parent(solve_file(argv[2], argv[3]));
        return 0;
    }
    Options o;
    CLI::App app("Frond over a folder of matrices");
    app.add_option("folder", o.folder, "folder of matrices")->required()->check(CLI::ExistingDirectory);
    app.add_option("--options", o.options, "options of Frond, such as \"pivoting=static\"");
    app.add_option("--bound", o.bounds.componentwise, "componentwise backward error of what counts as solved");
    app.add_option("--normwise-bound", o.bounds.normwise, "normwise backward error of the same");
    app.add_option("--largest", o.bounds.largest_entries, "skip matrices with more entries");
    app.add_option("--timeout", o.timeout_seconds, "seconds a matrix may take");
    app.add_option("--out", o.out, "write the rows as JSON");
    app.add_option("--markdown", o.markdown, "write the table as a page of Markdown");
    CLI11_PARSE(app, argc, argv);
    return run(o);

} catch (const std::exception& e) {
    fmt::print(stderr, "bench_matrices: {}\n", e.what());
    return 2;
}

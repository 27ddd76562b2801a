// SPDX-License-Identifier: BSD-3-Clause
// Frond with no option over a folder of matrices, one process a matrix: a table, and the exit code says
// whether every one was solved or reported.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "child_process.hpp"
#include "frond/cpu/blas_info.hpp"
#include "solve_file.hpp"

namespace {

using namespace frond::bench;
using nlohmann::json;
namespace fs = std::filesystem;

struct Options {
    std::string folder;
    std::string out;
    double bound = 1e-12;
    double largest_entries = 1e6;
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

double number(const json& r, const char* key) {
    return r.contains(key) && r[key].is_number() ? r[key].get<double>() : 0;
}

void print_row(const json& r) {
    const std::string error = r.contains("componentwise_backward_error") && r["componentwise_backward_error"].is_null()
                                  ? "inf"
                                  : fmt::format("{:.1e}", number(r, "componentwise_backward_error"));
    fmt::print("{:<34}{:>8}{:>9}  {:<6}{:<10}{:>8}{:>9.3f}{:>9.3f}{:>9.3f}{:>4}{:>4}{:>10}  {}{}\n",
               r["name"].get<std::string>(), number(r, "rows"), number(r, "entries"), r.value("kind", ""),
               r.value("status", ""), number(r, "perturbed"), number(r, "analysis_seconds"),
               number(r, "factor_seconds"), number(r, "solve_seconds"), number(r, "refinement_steps"),
               number(r, "krylov_iterations"), error, r["verdict"].get<std::string>(),
               r.contains("error") ? ": " + r["error"].get<std::string>() : "");
    std::fflush(stdout);
}

int run(const Options& o) {
    const std::string better = frond::blas_info().better_core_type;
    if (!better.empty()) setenv("OPENBLAS_CORETYPE", better.c_str(), 0);
    std::map<std::string, int> count;
    std::vector<json> rows;
    fmt::print("{:<34}{:>8}{:>9}  {:<6}{:<10}{:>8}{:>9}{:>9}{:>9}{:>4}{:>4}{:>10}  {}\n", "matrix", "rows", "entries", "kind",
               "status", "raised", "analyse", "factor", "solve", "ref", "kry", "component", "verdict");
    for (const std::string& file : matrices_in(o.folder)) {
        json r = run_in_child({"--here", file}, o.timeout_seconds);
        if (!r.contains("name")) r["name"] = fs::path(file).filename();
        r["verdict"] = verdict(r, o.bound, o.largest_entries);
        ++count[r["verdict"].get<std::string>()];
        print_row(r);
        rows.push_back(std::move(r));
    }
    for (const auto& [name, n] : count) fmt::print("{}: {}\n", name, n);
    if (!o.out.empty()) std::ofstream(o.out) << json{{"bound", o.bound}, {"rows", rows}}.dump(1) << '\n';
    return count["WRONG"] + count["FAILED"] == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) try {
    if (argc == 3 && std::string(argv[1]) == "--here") {
        answer_parent(solve_file(argv[2]));
        return 0;
    }
    Options o;
    CLI::App app("Frond over a folder of matrices");
    app.add_option("folder", o.folder, "folder of matrices")->required()->check(CLI::ExistingDirectory);
    app.add_option("--bound", o.bound, "componentwise backward error that counts as solved");
    app.add_option("--largest", o.largest_entries, "skip matrices with more entries");
    app.add_option("--timeout", o.timeout_seconds, "seconds a matrix may take");
    app.add_option("--out", o.out, "write the rows as JSON");
    CLI11_PARSE(app, argc, argv);
    return run(o);
} catch (const std::exception& e) {
    fmt::print(stderr, "bench_matrices: {}\n", e.what());
    return 2;
}

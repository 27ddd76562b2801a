// SPDX-License-Identifier: BSD-3-Clause
// Frond and every peer of this build on the same matrices, one process a run, rounds alternating.
#include "child_process.hpp"
#include "frond/cpu/blas_info.hpp"
#include "measurement.hpp"
#include "run/new_values.hpp"
#include "report.hpp"
#include "run_facts.hpp"

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <unistd.h>

namespace {

using namespace frond::bench;
using nlohmann::json;
namespace cli = frond::cli;

/// --here and arguments_of(): measures, writes JSON to descriptor 3.
int run_here(const std::vector<std::string>& arguments) {
    answer_parent(measure_here(request_of(arguments)));
    return 0;
}

struct Options {
    std::vector<std::string> matrices;
    std::vector<std::string> solvers;
    std::string mode = "natural";
    int threads = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
    int rounds = 3;
    int analyses = 1;
    int factorizations = 3;
    std::string values = cli::to_string(cli::ValueChange::congruence);
    std::string base = "Frond";
    int rhs = 1;
    std::string precision = "double";
    std::string order_of;
    double timeout_seconds = 300;
    std::string out;
    int ranks = 0;
    bool messages = false;
};

std::vector<json> compare_on(const std::string& matrix, Mode mode, const Options& o) {
    std::map<std::string, std::vector<json>> rounds;
    for (int round = 0; round < o.rounds; ++round)
        for (const std::string& solver : o.solvers) {
            auto& mine = rounds[solver];
            if (!mine.empty() && mine.back().contains("error")) continue;
            mine.push_back(measure_in_child({solver, matrix, mode, o.threads, o.analyses, o.factorizations, o.values,
                                             o.rhs, o.precision == "single", o.order_of, o.timeout_seconds, o.ranks,
                                             o.messages && round == 0}));
        }
    std::vector<json> rows;
    for (const std::string& solver : o.solvers) rows.push_back(combine_rounds(rounds[solver]));
    add_ratios(rows, o.base);
    return rows;
}

/// All that work in one process, with the settings that are worth a row.
std::vector<std::string> solvers_alone() {
    std::vector<std::string> all;
    for (const PeerEntry& p : peers()) {
        all.emplace_back(p.name);
        if (p.settings != nullptr && *p.settings != '\0') all.push_back(all.back() + ":" + p.settings);
    }
    return all;
}

/// The peers get the same kernels as Frond's program chooses.
void choose_blas_kernels() {
    const std::string better = frond::blas_info().better_core_type;
    if (!better.empty()) setenv("OPENBLAS_CORETYPE", better.c_str(), 0);
}

int run(const Options& o) {
    choose_blas_kernels();
    std::vector<json> rows;
    for (const std::string& matrix : o.matrices) {
        const Mode mode = o.mode == "natural" ? natural_mode(matrix, o.values) : mode_from_string(o.mode);
        const std::vector<json> of_matrix = compare_on(matrix, mode, o);
        print_table(of_matrix);
        std::fflush(stdout);
        rows.insert(rows.end(), of_matrix.begin(), of_matrix.end());
    }
    if (o.matrices.size() > 1) print_summary(rows, o.base);
    if (o.out.empty()) return 0;
    write_json(o.out + ".json", {{"run", run_facts()}, {"threads", o.threads}, {"ranks", o.ranks}, {"rows", rows}});
    write_csv(o.out + ".csv", rows);
    write_svg(o.out + ".svg", rows);
    return 0;
}

}  // namespace

int main(int argc, char** argv) try {
    if (argc > 1 && std::string(argv[1]) == "--here") return run_here({argv + 2, argv + argc});
    Options o;
    std::vector<std::string> names;
    for (const PeerEntry& p : peers()) names.emplace_back(p.name);
    for (const std::string& name : solvers_on_ranks())
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    const CLI::Validator is_solver([&](std::string& text) { return CLI::IsMember(names)(solver_name(text)); },
                                   "of " + CLI::detail::join(names, ", "));
    CLI::App app("Frond and its peers on the same matrices");
    app.add_option("matrices", o.matrices, "files or generate:KIND:SIZE")->required();
    app.add_option("--solvers", o.solvers, "which solvers, NAME or NAME:SETTINGS")->delimiter(',')->check(is_solver);
    app.add_option("--mode", o.mode, "natural, definite, symmetric or general");
    app.add_option("--threads", o.threads, "threads of every solver");
    app.add_option("--rounds", o.rounds, "processes a solver and matrix");
    app.add_option("--analyses", o.analyses, "analyses a process; the first of several apart")
        ->check(CLI::PositiveNumber);
    app.add_option("--factorizations", o.factorizations,
                   "factorizations, and solves, a process; the first of several apart")
        ->check(CLI::PositiveNumber);
    app.add_option("--values", o.values,
                   "the values of every factorization but the first: congruence (D A D, D near 1), factors "
                   "(each entry by a factor up to 8), graded (D A D, D up to 2^12), or same")
        ->check(CLI::IsMember({"congruence", "factors", "graded", same_values}));
    app.add_option("--base", o.base, "the solver that ratios are against")->check(is_solver);
    app.add_option("--rhs", o.rhs, "right-hand sides of a solve")->check(CLI::PositiveNumber);
    app.add_option("--precision", o.precision, "double or single")->check(CLI::IsMember({"double", "single"}));
    app.add_option("--order-of", o.order_of, "the solver whose elimination order the others get")->check(is_solver);
    app.add_option("--timeout", o.timeout_seconds, "seconds a process may take");
    app.add_option("--out", o.out, "write FILE.json, FILE.csv and FILE.svg");
    app.add_option("--ranks", o.ranks, "ranks of MPI on this machine, --threads of each")->check(CLI::PositiveNumber);
    app.add_flag("--messages", o.messages, "count what the ranks send, in runs of their own");
    CLI11_PARSE(app, argc, argv);
    if (o.solvers.empty()) o.solvers = o.ranks > 0 ? solvers_on_ranks() : solvers_alone();
    return run(o);

} catch (const std::exception& e) {
    fmt::print(stderr, "bench_compare: {}\n", e.what());
    return 2;
}

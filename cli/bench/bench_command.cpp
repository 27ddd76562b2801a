// SPDX-License-Identifier: BSD-3-Clause
#include "bench_facts.hpp"
#include "cold_run.hpp"
#include "commands.hpp"
#include "exit_code.hpp"
#include "machine/environment.hpp"
#include "run/interrupt.hpp"
#include "arguments/output_paths.hpp"
#include "arguments/input_paths.hpp"
#include "run/run_error.hpp"
#include "run/run_json.hpp"
#include "run/run_problem.hpp"
#include "terminal/terminal.hpp"
#include "terminal/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace frond::cli {
namespace {

BenchFacts bench_of(const CommandLine& line, const Session& session, const std::string& matrix) {
    const Problem problem = load_with_status(matrix, line.precision);
    if (!line.new_values.empty()) return bench_new_values(line, session, problem);
    BenchFacts bench;
    for (index_t i = 0; i < line.repeat; ++i) add_run(bench, run_problem(line, session, problem));
    return bench;
}

Json times_json(const Times& times) {
    if (times.seconds.empty()) return nullptr;
    return {{"median", times.median()}, {"minimum", times.minimum()}, {"all", times.seconds}};
}

void add_new_values(const NewValueFacts& facts, Json& object) {
    object["cold_seconds"] = times_json(facts.cold);
    object["first_factorization_seconds"] = times_json(facts.first_factor);
    object["first_solve_seconds"] = times_json(facts.first_solve);
    object["factor_values_seconds"] = times_json(facts.factor_values);
    const bool known = facts.scalings_kept + facts.rescaled > 0;
    object["scalings_kept"] = known ? Json(facts.scalings_kept) : Json(nullptr);
    object["rescaled"] = known ? Json(facts.rescaled) : Json(nullptr);
    const bool compared = facts.compared_with_scratch > 0;
    object["compared_with_scratch"] = facts.compared_with_scratch;
    object["other_than_from_scratch"] = compared ? Json(facts.other_than_from_scratch) : Json(nullptr);
}

Json matrix_json(const BenchFacts& facts) {
    Json object = {{"matrix", facts.matrix.name},
                   {"rows", facts.matrix.rows},
                   {"scalar", facts.matrix.scalar},
                   {"analysis_seconds", times_json(facts.analysis)},
                   {"factorization_seconds", times_json(facts.factor)},
                   {"solve_seconds", times_json(facts.solve)},
                   {"flops", facts.flops},
                   {"gflops_per_second", facts.flops_per_second() * 1e-9},
                   {"peak_bytes", facts.peak_bytes},
                   {"componentwise_backward_error",
                    facts.solve.seconds.empty() ? Json(nullptr) : number_json(facts.backward_error)},
                   {"verdict", facts.verdict},
                   {"exit_code", facts.exit_code}};
    if (facts.new_values) add_new_values(*facts.new_values, object);
    return object;
}

Json bench_json(const CommandLine& line, const SessionInfo& session, const std::vector<BenchFacts>& all,
                int exit_code) {
    Json object = {{"frond", session_json(session)}};
    object["new_values"] = line.new_values.empty() ? Json(nullptr) : Json(line.new_values);
    object["matrices"] = Json::array();
    for (const BenchFacts& facts : all) object["matrices"].push_back(matrix_json(facts));
    object["error"] = nullptr;
    object["exit_code"] = exit_code;
    return object;
}

// What fresh processes measure comes after the session of this one has ended.
void run_all(const CommandLine& line, SessionInfo& info, std::vector<BenchFacts>& all) {
    InterruptReport report(line, bench_json(line, info, all, solved));
    {
        const Session session(line.options.session);
        info = session.info();
        warn_of_tuning(info);
        for (const std::string& matrix : line.matrices) {
            report.now_known(bench_json(line, info, all, solved));
            all.push_back(bench_of(line, session, matrix));
        }
    }
    if (!line.new_values.empty())
        for (std::size_t m = 0; m < all.size(); ++m) add_cold_times(all[m], line, static_cast<index_t>(m));
}

std::string table_of(const CommandLine& line, const std::vector<BenchFacts>& all) {
    if (line.new_values.empty())
        return fmt::format(
            "\n{}\n  times: median / minimum of {}; rate at the median; the "
            "componentwise backward error is the largest\n\n",
            bench_table(all), counted(line.repeat, "run"));
    return fmt::format(
        "\n{}\n  times: medians of {}; cold (session to x), analysis and first ones in fresh "
        "processes, the others with new values ({}) each time\n\n",
        new_values_table(all), counted(line.repeat, "run"), line.new_values);
}

// Right-hand sides and orders are read for each run, matrices by each fresh process.
void expect_files_to_read_again(const CommandLine& line) {
    std::vector<std::string> files{line.rhs_file, line.user_order_file};
    if (!line.new_values.empty()) files.insert(files.end(), line.matrices.begin(), line.matrices.end());
    for (const std::string& file : files) {
        std::error_code ignored;
        const bool pipe = std::filesystem::exists(file, ignored) && !std::filesystem::is_regular_file(file, ignored);
        if (file == "-" || (pipe && !file.empty()))
            throw path_error(file, "a pipe, which frond bench cannot read more than once", "give a file");
    }
}

int bench_and_report(const CommandLine& line, SessionInfo& info, std::vector<BenchFacts>& all) {
    if (!line.new_values.empty()) value_change_from_string(line.new_values, "--new-values");
    expect_writable_file(line.json_file);
    for (const std::string& matrix : line.matrices) expect_problem(matrix);
    expect_files_to_read_again(line);
    run_all(line, info, all);
    int exit_code = solved;
    for (const BenchFacts& facts : all) exit_code = std::max(exit_code, facts.exit_code);
    print_text(table_stream(line), table_of(line, all));
    if (!line.json_file.empty()) write_json(line.json_file, bench_json(line, info, all, exit_code));
    return exit_code;
}

}  // namespace

int bench_command(const CommandLine& line) {
    if (line.cold_run) return cold_run_command(line);  // its errors are those of the program that waits
    SessionInfo info;
    std::vector<BenchFacts> all;
    return with_error_json(
        line, [&] { return bench_and_report(line, info, all); }, [&] { return bench_json(line, info, all, solved); });
}

}  // namespace frond::cli

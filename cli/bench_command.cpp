// SPDX-License-Identifier: BSD-3-Clause
#include "bench_facts.hpp"
#include "bench_new_values.hpp"
#include "cold_run.hpp"
#include "commands.hpp"
#include "exit_code.hpp"
#include "output_paths.hpp"
#include "run_json.hpp"
#include "run_problem.hpp"
#include "terminal/units.hpp"

#include <fmt/format.h>

#include <algorithm>

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
    object["other_than_from_scratch"] =
        compared ? Json(facts.other_than_from_scratch) : Json(nullptr);
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
                   {"componentwise_backward_error", facts.solve.seconds.empty()
                                                        ? Json(nullptr)
                                                        : number_json(facts.backward_error)},
                   {"verdict", facts.verdict},
                   {"exit_code", facts.exit_code}};
    if (facts.new_values) add_new_values(*facts.new_values, object);
    return object;
}

Json bench_json(const CommandLine& line, const SessionInfo& session,
                const std::vector<BenchFacts>& all, int exit_code) {
    Json object = {{"frond", session_json(session)}};
    object["new_values"] = line.new_values.empty() ? Json(nullptr) : Json(line.new_values);
    object["matrices"] = Json::array();
    for (const BenchFacts& facts : all) object["matrices"].push_back(matrix_json(facts));
    object["exit_code"] = exit_code;
    return object;
}

// What fresh processes measure comes after the session of this one has ended.
SessionInfo run_all(const CommandLine& line, std::vector<BenchFacts>& all) {
    SessionInfo info;
    {
        const Session session(line.options.session);
        info = session.info();
        for (const std::string& matrix : line.matrices)
            all.push_back(bench_of(line, session, matrix));
    }
    if (!line.new_values.empty())
        for (std::size_t m = 0; m < all.size(); ++m)
            add_cold_times(all[m], line, static_cast<index_t>(m));
    return info;
}

void print_table(const CommandLine& line, const std::vector<BenchFacts>& all) {
    if (line.new_values.empty())
        fmt::print(table_stream(line),
                   "\n{}\n  times: median / minimum of {}; rate at the median; the "
                   "componentwise backward error is the largest\n\n",
                   bench_table(all), counted(line.repeat, "run"));
    else
        fmt::print(
            table_stream(line),
            "\n{}\n  times: medians of {}; cold (session to x), analysis and first ones in fresh "
            "processes, the others with new values ({}) each time\n\n",
            new_values_table(all), counted(line.repeat, "run"), line.new_values);
}

} // namespace

int bench_command(const CommandLine& line) {
    if (line.cold_run) return cold_run_command(line);
    if (!line.new_values.empty()) value_change_from_string(line.new_values, "--new-values");
    expect_writable_file(line.json_file);
    for (const std::string& matrix : line.matrices) expect_problem(matrix);
    std::vector<BenchFacts> all;
    const SessionInfo session = run_all(line, all);
    int exit_code = solved;
    for (const BenchFacts& facts : all) exit_code = std::max(exit_code, facts.exit_code);
    if (!line.json_file.empty())
        write_json(line.json_file, bench_json(line, session, all, exit_code));
    print_table(line, all);
    return exit_code;
}

} // namespace frond::cli

// SPDX-License-Identifier: BSD-3-Clause
#include "bench_facts.hpp"
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
    BenchFacts bench;
    for (index_t i = 0; i < line.repeat; ++i) add_run(bench, run_problem(line, session, problem));
    return bench;
}

Json times_json(const Times& times) {
    if (times.seconds.empty()) return nullptr;
    return {{"median", times.median()}, {"minimum", times.minimum()}, {"all", times.seconds}};
}

Json matrix_json(const BenchFacts& facts) {
    return {{"matrix", facts.matrix.name},
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
}

Json bench_json(const SessionInfo& session, const std::vector<BenchFacts>& all, int exit_code) {
    Json object = {{"frond", session_json(session)}};
    object["matrices"] = Json::array();
    for (const BenchFacts& facts : all) object["matrices"].push_back(matrix_json(facts));
    object["exit_code"] = exit_code;
    return object;
}

} // namespace

int bench_command(const CommandLine& line) {
    expect_writable_file(line.json_file);
    for (const std::string& matrix : line.matrices) expect_problem(matrix);
    const Session session(line.options.session);
    std::vector<BenchFacts> all;
    int exit_code = solved;
    for (const std::string& matrix : line.matrices) {
        all.push_back(bench_of(line, session, matrix));
        exit_code = std::max(exit_code, all.back().exit_code);
    }
    if (!line.json_file.empty())
        write_json(line.json_file, bench_json(session.info(), all, exit_code));
    fmt::print(table_stream(line),
               "\n{}\n  times: median / minimum of {}; rate at the median; the "
               "componentwise backward error is the largest\n\n",
               bench_table(all), counted(line.repeat, "run"));
    return exit_code;
}

} // namespace frond::cli

// SPDX-License-Identifier: BSD-3-Clause
#include "commands.hpp"
#include "output_paths.hpp"
#include "run_json.hpp"
#include "run_problem.hpp"
#include "run_table.hpp"

#include <fmt/format.h>

namespace frond::cli {
namespace {

void expect_outputs(const CommandLine& line) {
    expect_writable_file(line.solution_file);
    expect_writable_file(line.null_space_file);
    expect_writable_file(line.json_file);
    expect_writable_file(line.save_file);
    make_folder(line.plot_folder);
}

} // namespace

int solve_command(const CommandLine& line) {
    expect_outputs(line);
    const Problem problem = load_with_status(line.matrix, line.precision);
    const RunFacts facts = run_problem(line, Session(line.options.session), problem);

    if (!line.json_file.empty()) write_json(line.json_file, run_json(facts));
    std::FILE* const stream = table_stream(line);
    const Style style(stream);
    fmt::print(stream, "\n{}\n  {}\n\n", run_table(facts).text(style), verdict(facts, style));
    return exit_code_of(facts);
}

} // namespace frond::cli

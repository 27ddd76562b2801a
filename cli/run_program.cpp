// SPDX-License-Identifier: BSD-3-Clause
#include "commands.hpp"
#include "exit_code.hpp"
#include "frond/base/error.hpp"
#include "frond/codelets/time_models.hpp"
#include "run/run_error.hpp"

namespace frond::cli {
namespace {

int run_command(const CommandLine& line) {
    if (simulates() && line.command != Command::simulate)
        throw RuntimeError("this program only simulates, and frond simulate starts it; take the program frond");
    switch (line.command) {
        case Command::solve:
        case Command::analyze:
            return solve_command(line);
        case Command::bench:
            return bench_command(line);
        case Command::simulate:
            return simulate_command(line);
        case Command::study:
            return study_command(line);
        case Command::calibrate:
            return calibrate_command(line);
        case Command::info:
            return info_command(line);
        case Command::generate:
            return generate_command(line);
        case Command::manual:
            return manual_command(line);
    }
    return bad_input;
}

}  // namespace

int run_program(int argc, char** argv) {
    try {
        CommandLine line;
        std::optional<int> exit_code;
        with_error_json(
            line, [&] { return (exit_code = parse_command_line(argc, argv, line)).value_or(0); },
            [] {
                return Json{{"frond", session_json({})}};
            });
        return exit_code ? *exit_code : run_command(line);
    } catch (...) {
        const RunError error = current_error();
        print_error(error);
        return error.exit_code;
    }
}

}  // namespace frond::cli

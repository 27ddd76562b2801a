// SPDX-License-Identifier: BSD-3-Clause
#include "commands.hpp"
#include "exit_code.hpp"
#include "frond/base/error.hpp"
#include "terminal/terminal.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <new>

namespace frond::cli {
namespace {

int run_command(const CommandLine& line) {
    switch (line.command) {
    case Command::solve:
    case Command::analyze:
        return solve_command(line);
    case Command::info:
        return info_command(line);
    case Command::generate:
        return generate_command(line);
    case Command::manual:
        return manual_command(line);
    }
    return bad_input;
}

void print_error(const std::string& kind, const std::string& message, const std::string& help) {
    const Style style(stderr);
    fmt::print(stderr, "{} {}\n", style.bad("frond: " + kind + ":"), message);
    if (!help.empty()) fmt::print(stderr, "  {}\n", style.quiet(help));
}

} // namespace

int run_program(int argc, char** argv) {
    try {
        const Parsed parsed = parse_command_line(argc, argv);
        return parsed.command_line ? run_command(*parsed.command_line) : parsed.exit_code;
    } catch (const Cancelled&) {
        print_error("interrupted", "the work stopped, nothing was written", "");
        return interrupted;
    } catch (const Error& error) {
        // Messages about input name their own cure.
        const ExitCode exit_code = exit_code_of(error.code());
        print_error(to_string(error.code()), error.what(),
                    exit_code == no_resources ? cure(error.code()) : "");
        return exit_code;
    } catch (const std::bad_alloc&) {
        print_error(to_string(ErrorCode::out_of_memory), meaning(ErrorCode::out_of_memory),
                    cure(ErrorCode::out_of_memory));
        return no_resources;
    } catch (const std::exception& error) {
        print_error("unexpected", error.what(), "please report this with the command line");
        return no_resources;
    }
}

} // namespace frond::cli

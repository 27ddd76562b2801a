// SPDX-License-Identifier: BSD-3-Clause
#include "commands.hpp"
#include "exit_code.hpp"
#include "frond/base/error.hpp"
#include "terminal/terminal.hpp"
#include "terminal/units.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cstdio>
#include <new>

namespace frond::cli {
namespace {

int run_command(const CommandLine& line) {
    switch (line.command) {
    case Command::solve:
    case Command::analyze:
        return solve_command(line);
    case Command::bench:
        return bench_command(line);
    case Command::info:
        return info_command(line);
    case Command::generate:
        return generate_command(line);
    case Command::manual:
        return manual_command(line);
    }
    return bad_input;
}

// The library counts rows and columns from 0, the program as its files do.
std::string singular_message(const SingularMatrix& error) {
    const auto count = static_cast<count_t>(error.columns().size());
    std::string text = "the matrix is singular: " + counted(count, "null pivot");
    if (!error.columns().empty()) text += ", columns " + text_of_indices(error.columns());
    if (!error.rows().empty()) text += ", rows " + text_of_indices(error.rows());
    return text + " (counted from 1); correct them, or take --null-pivots zero";
}

// "frond: <what>: <reason>; <cure>"; the cure is added to messages that do not name one.
void print_error(const std::string& message, std::string cure) {
    const Style style(stderr);
    const bool has_cure = cure.empty() || message.find("; ") != std::string::npos;
    if (!has_cure) {
        cure[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(cure[0])));
        if (cure.back() == '.') cure.pop_back();
    }
    fmt::print(stderr, "{} {}{}\n", style.bad("frond:"), message, has_cure ? "" : "; " + cure);
}

} // namespace

int run_program(int argc, char** argv) {
    try {
        const Parsed parsed = parse_command_line(argc, argv);
        return parsed.command_line ? run_command(*parsed.command_line) : parsed.exit_code;
    } catch (const Cancelled&) {
        print_error("interrupted: the work stopped, nothing was written", "");
        return interrupted;
    } catch (const InvalidArgument& error) {
        print_error(error.what(), "frond COMMAND --help lists what is accepted");
        return exit_code_of(error.code());
    } catch (const SingularMatrix& error) {
        print_error(singular_message(error), "");
        return exit_code_of(error.code());
    } catch (const Error& error) {
        print_error(error.what(), cure(error.code()));
        return exit_code_of(error.code());
    } catch (const std::bad_alloc&) {
        print_error("the system refused memory", cure(ErrorCode::out_of_memory));
        return no_resources;
    } catch (const std::exception& error) {
        print_error(error.what(), "please report this with the command line");
        return no_resources;
    }
}

} // namespace frond::cli

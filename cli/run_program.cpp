// SPDX-License-Identifier: BSD-3-Clause
#include "commands.hpp"
#include "commit.hpp"  // written by cli/cmake/write_commit.cmake at every build
#include "exit_code.hpp"
#include "frond/base/error.hpp"
#include "frond/codelets/time_models.hpp"
#include "ranks/launch.hpp"
#include "run/run_error.hpp"

#include <cstdio>

namespace frond::cli {

const char* version_number() noexcept { return FROND_VERSION_TEXT; }

const char* commit() noexcept { return FROND_COMMIT; }

std::string version_text() { return std::string("frond ") + version_number() + " (commit " + commit() + ")"; }

namespace {

int run_command(const CommandLine& line) {
    if (simulates() && line.command != Command::simulate)
        throw RuntimeError("this program only simulates, and frond simulate starts it; take the program frond");
    switch (line.command) {
        case Command::solve:
        case Command::analyze:
            return solve_command(line);
        case Command::solve_dense:
            return solve_dense_command(line);
        case Command::trace:
            return trace_command(line);
        case Command::bench:
            return bench_command(line);
        case Command::simulate:
            return simulate_command(line);
        case Command::study:
            return study_command(line);
        case Command::calibrate:
            return calibrate_command(line);
        case Command::tune:
            return tune_command(line);
        case Command::info:
            return info_command(line);
        case Command::generate:
            return generate_command(line);
        case Command::manual:
            return manual_command(line);
    }
    return bad_input;
}

/// Within a handler.
void end_all(const MpiProcess& mpi) {
    const RunError error = current_error();
    print_error(error);
    mpi.end_all(error.exit_code);
}

/// What goes wrong does so on all ranks, and rank 0 says it.
int run_on_ranks(const CommandLine& line, const MpiProcess& mpi) {
    CommandLine mine = line_of_rank(line, mpi.rank());
    mine.processes = &mpi;
    mine.options.session.communicator = mpi.world();
    mine.matrix_by_rank = is_by_rank(line.matrix);
    mine.rhs_by_rank = is_by_rank(line.rhs_file);
    mine.solution_by_rank = is_by_rank(line.solution_file);
    try {
        const int exit_code = run_command(mine);
        return mpi.rank() == 0 ? exit_code : static_cast<int>(solved);
    } catch (const Error&) {
        if (mpi.has_failed()) end_all(mpi);
        const RunError error = current_error();
        // While MPI runs, since the launcher may end this rank as soon as another one has ended with an exit code.
        if (mpi.rank() == 0) {
            std::fflush(stdout);
            print_error(error);
        }
        return error.exit_code;
    } catch (...) {  // the library throws none of these, so the other ranks do not know
        end_all(mpi);
        throw;
    }
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
        if (exit_code) return *exit_code;
        const std::unique_ptr<MpiProcess> mpi = start_mpi(line);
        return mpi != nullptr ? run_on_ranks(line, *mpi) : run_command(line);
    } catch (...) {
        const RunError error = current_error();
        print_error(error);
        return error.exit_code;
    }
}

}  // namespace frond::cli

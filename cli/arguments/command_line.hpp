// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/mpi_process.hpp"
#include "frond/option_table.hpp"

#include <optional>
#include <string>
#include <vector>

namespace frond::cli {

enum class Command {
    solve,
    solve_dense,
    analyze,
    trace,
    bench,
    simulate,
    study,
    calibrate,
    tune,
    info,
    generate,
    manual
};
enum class Precision { double_precision, single };

/// Lists with commas.
struct StudyLists {
    std::string machines = "this", schedulers = "automatic", tile_sizes = "0";
    std::string csv_file;  // empty: none; "-": standard output
    std::string plot_file;  // likewise
    std::string replay_file;  // records of tasks in place of matrices; empty: none
    bool runs = false;  // really, too, where the machine is this one
};

/// frond tune.
struct TuneChoices {
    double time_limit_seconds = 290;
    std::string file;  // where the tuning is kept; empty: in the user's folder
    bool job_only = false;  // measure nothing
    index_t nodes = 1, ranks_per_node = 1;  // of the job
};

struct CommandLine {
    Command command = Command::info;
    std::string matrix;  // file or generate:KIND:SIZE
    std::vector<std::string> matrices;  // bench, study, tune
    index_t repeat = 3;  // bench
    std::string new_values;  // bench: a ValueChange; empty: the values of the file
    std::optional<index_t> cold_run;  // bench, in a process that another frond started: which matrix
    std::string symmetry;  // solve-dense: of A; empty: what the file says
    std::string rhs_file;  // empty: right-hand sides of known random solutions
    index_t random_rhs = 1;  // how many of them
    std::string solution_file;  // empty: not written; "-": standard output
    std::string null_space_file;  // empty: not computed; "-": standard output
    bool condition = false;  // solve: estimate the condition
    std::string json_file;  // empty: none; "-": standard output
    std::string user_order_file;  // empty: none
    std::string analysis_file;  // solve: empty: analyses itself
    bool loads_analysis = false;  // from that file, which may be another rank's
    index_t ranks = 0;  // analyze: plan so many processes; simulate: so many; 0: none
    std::string save_file;  // analyze: where the analysis goes; empty: nowhere
    std::string machine;  // simulate: a machine file, or the name of one
    std::string model_folder;  // simulate: where models are; calibrate: where they go
    std::string recorded_pivots_file;  // solve, trace: where the pivots' outcomes go; empty: nowhere
    std::string pivots_file;  // simulate: where they are; empty: no pivot fails
    StudyLists study;
    TuneChoices tune;
    std::string plot_folder;  // empty: none
    std::string trace_folder;  // trace
    std::string kind, size;  // generate
    std::string output_file = "-";  // generate; "-": standard output
    std::string manual;  // manual: "options" or "errors"
    std::string mpi = "auto";  // or "on", "off": whether this process is one of several
    const MpiProcess* processes = nullptr;  // where this is one of several
    bool matrix_by_rank = false, rhs_by_rank = false, solution_by_rank = false;  // each rank has a file of its own
    Precision precision = Precision::double_precision;
    Options options;
    std::vector<std::string> arguments;  // of the program, as they were given

    bool works_on_matrix() const {
        return command == Command::solve || command == Command::solve_dense || command == Command::analyze ||
               command == Command::trace || command == Command::bench || command == Command::simulate;
    }
};

/// Fills in what the program is to do, as far as it comes when it throws. The exit code when the
/// answer has been printed already (--help, --version). Options come from the environment
/// (FROND_<NAME>), then from the flags.
/// @throws InvalidArgument  naming the argument
std::optional<int> parse_command_line(int argc, char** argv, CommandLine& line);

}  // namespace frond::cli

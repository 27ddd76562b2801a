// SPDX-License-Identifier: BSD-3-Clause
// What the lists with commas of frond study mean.
#pragma once

#include "arguments/command_line.hpp"
#include "simulate/machine_file.hpp"
#include "simulate/time_bounds.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace frond::cli {

/// @throws InvalidArgument  a word is missing, or is there twice
std::vector<std::string> list_of(const std::string& text, const std::string& flag);

/// A case that comes twice would only take time. @throws InvalidArgument
void expect_each_once(std::vector<std::string> words, const std::string& flag);

/// "0064" is 64. @throws InvalidArgument  also where one is no number
std::vector<std::string> tile_sizes_of(const std::string& list);

/// Machines by the names that --machines has for them.
using StudyMachines = std::map<std::string, SimulatedMachine>;

/// Each read once, since `this` opens a session. @throws InvalidArgument  as list_of() and read_machine()
StudyMachines study_machines(const CommandLine& line);

/// For `automatic` such as all of the machines can take.
std::string schedulers_of(const CommandLine& line, const StudyMachines& machines);

// The combinations of a study, and what was found of each.

struct StudyCase {
    std::string matrix, machine, scheduler, tile_size;  // with --replay the file of records, and no tiles
    double seconds = 0, flops = 0;  // simulated
    count_t tasks = 0;
    std::optional<TimeBounds> bounds;
    std::vector<double> run_seconds;  // of real factorizations; empty: none
    bool in_pieces = false;  // the tree went to cards as pieces, each to a card that was chosen before
    bool run_on_cards = false;  // cards took part in the real factorizations

    /// Where the machine is the one that frond runs on.
    bool is_here() const { return machine == "this"; }
};

/// @throws InvalidArgument  there is neither a matrix nor a file of records, or an option has no meaning for records alone
void expect_study_source(const CommandLine& line);

/// Matrices, machines, schedulers and tile sizes, the last ones fastest.
/// @throws InvalidArgument  a list has an empty word, or one twice
std::vector<StudyCase> study_cases(const CommandLine& line, const StudyMachines& machines);

/// Checks all cases before long work.
/// @throws InvalidArgument  a case cannot be simulated, with the reason
void expect_study_cases(const CommandLine& line, const std::vector<StudyCase>& cases, const StudyMachines& machines);

/// Median of real factorizations; none: nothing was run.
std::optional<double> median_run(const StudyCase& one);

/// Seconds over the least of the same matrix on the same machine.
std::vector<double> ratios_to_best(const std::vector<StudyCase>& cases);

/// "lws, tiles 256".
std::string choice_text(const StudyCase& one);

struct RealRun {
    double seconds = 0;
    bool on_cards = false;  // they took part
};

/// One factorization on this machine, by a session and an analysis of its own. with_cards: it may take as many as the
/// options ask for; where they take part, the fifth factorization counts, by Solver::factor_values.
RealRun run_really(const Options& options, const StudyCase& one, bool with_cards);

}  // namespace frond::cli

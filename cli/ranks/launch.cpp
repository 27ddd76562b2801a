// SPDX-License-Identifier: BSD-3-Clause
#include "launch.hpp"

#include "frond/base/error.hpp"

#include <fmt/format.h>

namespace frond::cli {
namespace {

constexpr const char* rank_mark = "%r";

bool is_of_one_process(Command command) {
    return command != Command::solve && command != Command::solve_dense && command != Command::analyze &&
           command != Command::trace && command != Command::info;
}

bool wants_mpi(const CommandLine& line) {
    if (line.mpi == "on") return true;
    return line.mpi == "auto" && !is_of_one_process(line.command) && !MpiProcess::launcher().empty();
}

std::string with_rank(std::string file, index_t rank) {
    const std::string mark = rank_mark, number = std::to_string(rank);
    for (std::size_t at = 0; (at = file.find(mark, at)) != std::string::npos; at += number.size())
        file.replace(at, mark.size(), number);
    return file;
}

/// Several processes would all write the same.
void expect_alone(const CommandLine& line) {
    if (line.mpi == "on" && is_of_one_process(line.command))
        throw InvalidArgument(
            "--mpi on is for frond solve, solve-dense, analyze, trace and info; this command is for one process");
    const std::string launcher = MpiProcess::launcher();
    if (line.mpi != "off" && is_of_one_process(line.command) && !launcher.empty())
        throw InvalidArgument(
            fmt::format("this command is for one process, but a launcher started several ({} is set); start it without "
                        "mpirun. frond solve, solve-dense, analyze, trace and info work on several",
                        launcher));
}

}  // namespace

bool is_by_rank(const std::string& file) { return file.find(rank_mark) != std::string::npos; }

CommandLine line_of_rank(const CommandLine& line, index_t rank) {
    CommandLine mine = line;
    mine.matrix = with_rank(line.matrix, rank);
    mine.rhs_file = with_rank(line.rhs_file, rank);
    mine.solution_file = rank == 0 || is_by_rank(line.solution_file) ? with_rank(line.solution_file, rank) : "";
    if (rank == 0) return mine;
    for (std::string* const file :
         {&mine.json_file, &mine.save_file, &mine.plot_folder, &mine.user_order_file, &mine.analysis_file})
        file->clear();
    return mine;
}

std::unique_ptr<MpiProcess> start_mpi(const CommandLine& line) {
    expect_alone(line);
    if (!wants_mpi(line)) return nullptr;
    try {
        return std::make_unique<MpiProcess>();
    } catch (const RuntimeError& error) {
        const std::string launcher = MpiProcess::launcher();
        if (line.mpi == "on" || launcher.empty()) throw;
        throw RuntimeError(fmt::format(
            "a launcher started this program as one of several processes ({} is set), which would all solve "
            "the whole system: {}. --mpi off lets each of them work alone",
            launcher, error.what()));
    }
}

}  // namespace frond::cli

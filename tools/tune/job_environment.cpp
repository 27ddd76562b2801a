// SPDX-License-Identifier: BSD-3-Clause
#include "job_environment.hpp"

#include "frond/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace frond::cli {
namespace {

using Lines = std::vector<JobLine>;

index_t ranks_of(const JobFacts& facts) { return facts.nodes * facts.ranks_per_node; }

/// The cores of a rank; all hardware threads of a core count once.
index_t cores_of_rank(const JobFacts& facts) {
    const index_t cores =
        std::max<index_t>(1, facts.machine.cores / std::max<index_t>(1, facts.topology.threads_per_core));
    if (facts.nodes < 1 || facts.ranks_per_node < 1 || facts.ranks_per_node > cores)
        throw InvalidArgument(
            fmt::format("{} nodes with {} ranks each: a node of this kind has {}; give 1 rank or more "
                        "a node, and no more than it has cores",
                        facts.nodes, facts.ranks_per_node, cores == 1 ? "1 core" : fmt::format("{} cores", cores)));
    return cores / facts.ranks_per_node;
}

JobLine workers_line(const JobFacts& facts) {
    const index_t cores = cores_of_rank(facts);
    if (facts.ranks_per_node == 1 && ranks_of(facts) == 1)
        return {fmt::format("export STARPU_NCPU={}", facts.workers),
                facts.workers < cores
                    ? "workers of cores: the others are for the caller, workers of cards or the system"
                    : "a worker for each core, also where the batch system hides none of them"};
    constexpr index_t many_cores = 16;  // from which on a session leaves one to the thread that submits
    if (cores >= many_cores)
        return {
            fmt::format("export STARPU_NCPU={}", cores - 1),
            "a worker for each core of the rank but one, which the threads that submit tasks and carry messages have"};
    return {fmt::format("export STARPU_NCPU={}", cores),
            "a worker for each core of the rank: too few to leave one free"};
}

JobLine memory_line(const JobFacts& facts) {
    const count_t share = facts.memory_bytes / 10 * 9 / facts.ranks_per_node;
    return {fmt::format("export FROND_MEMORY_BUDGET_BYTES={}M", share >> 20),
            facts.ranks_per_node > 1 ? "nine tenths of the memory, shared by the ranks of a node, each of which would "
                                       "take what is free for its own"
                                     : "nine tenths of the memory, whatever is free when the job starts"};
}

JobLine cards_line(const JobFacts& facts) {
    if (facts.machine.cards == 0) return {"export STARPU_NCUDA=0", "no cards are used"};
    if (ranks_of(facts) > 1)
        return {"unset STARPU_NCUDA", "the ranks of a node share the cards that they see: some of them each, or one"};
    return {fmt::format("export STARPU_NCUDA={}", facts.machine.cards),
            "all cards of the node; which ones, CUDA_VISIBLE_DEVICES of the batch system says"};
}

JobLine binding_line(const JobFacts& facts) {
    if (!facts.bind_workers && ranks_of(facts) == 1)
        return {"export STARPU_WORKERS_NOBIND=1", "workers that the system places were quicker here"};
    return {"unset STARPU_WORKERS_NOBIND STARPU_WORKERS_COREID",
            "where a process has a worker for each of its cores, or of 16 or more for all but one, Frond binds one to "
            "each, so that memory stays near"};
}

void add_environment(const JobFacts& facts, Lines& lines) {
    lines.push_back(workers_line(facts));
    lines.push_back(binding_line(facts));
    lines.push_back({"unset STARPU_WORKERS_CPUID",
                     "a list of processors would be the same for all ranks and jobs of a node; the cores that each was "
                     "given are not"});
    lines.push_back(cards_line(facts));
    lines.push_back(memory_line(facts));
    lines.push_back(
        {"export OPENBLAS_NUM_THREADS=1",
         "no effect on Frond, whose tasks call BLAS with one thread; it keeps calls of the application from "
         "taking the workers' cores"});
}

JobLine ranks_reason(const JobFacts& facts, const std::string& text) {
    return {text, facts.ranks_per_node == 1
                      ? "one rank a node: tasks use all of its cores, and fewer ranks move fewer bytes"
                      : fmt::format("{} ranks a node, as asked for; one moves fewer bytes", facts.ranks_per_node)};
}

}  // namespace

std::vector<JobLine> slurm_job(const JobFacts& facts) {
    const index_t cores = cores_of_rank(facts), threads = facts.topology.threads_per_core;
    Lines lines{
        {fmt::format("#SBATCH --nodes={}", facts.nodes), "as asked for; the tree and its memory are shared by them"},
        ranks_reason(facts, fmt::format("#SBATCH --ntasks-per-node={}", facts.ranks_per_node)),
        {fmt::format("#SBATCH --cpus-per-task={}", cores * threads),
         threads > 1
             ? fmt::format("the {} cores of a rank, with {} hardware threads each, which Slurm counts", cores, threads)
             : "the cores of a rank"}};
    if (threads > 1)
        lines.push_back(
            {"#SBATCH --hint=nomultithread", "one worker a core: its hardware threads share the vector units"});
    if (facts.nodes == 1) lines.front().reason = "one process, or ranks that pass messages in memory";
    lines.push_back({"#SBATCH --mem=0", "all memory of the node: fronts and factors live there"});
    if (facts.machine.cards > 0)
        lines.push_back({fmt::format("#SBATCH --gpus-per-node={}", facts.machine.cards), "all cards of the node"});
    add_environment(facts, lines);
    lines.push_back({fmt::format("srun --cpus-per-task={} --cpu-bind=cores frond solve A.mtx", cores * threads),
                     "each rank stays on its own cores; newer versions of srun do not take the number from sbatch"});
    return lines;
}

std::vector<JobLine> mpirun_job(const JobFacts& facts) {
    Lines lines;
    add_environment(facts, lines);
    if (ranks_of(facts) == 1) {
        lines.push_back({"frond solve A.mtx", "one process takes all cores and cards of the node: no mpirun"});
        return lines;
    }
    std::string names;
    for (const char* name : {"STARPU_NCPU", "STARPU_NCUDA", "FROND_MEMORY_BUDGET_BYTES", "OPENBLAS_NUM_THREADS"})
        if (facts.machine.cards == 0 || name != std::string_view("STARPU_NCUDA")) names += fmt::format(" -x {}", name);
    const index_t cores = cores_of_rank(facts);
    lines.push_back(
        ranks_reason(facts, fmt::format("mpirun -n {} --map-by ppr:{}:node:PE={} --bind-to core{} frond solve A.mtx",
                                        ranks_of(facts), facts.ranks_per_node, cores, names)));
    lines.back().reason +=
        fmt::format("; PE={} gives a rank its cores, and -x takes variables to the other nodes", cores);
    return lines;
}

// Nothing stands before #SBATCH: sbatch reads it at the beginning of a line alone.
std::string text_of_job(const std::vector<JobLine>& lines) {
    std::string text;
    for (const JobLine& line : lines) text += fmt::format("# {}\n{}\n", line.reason, line.text);
    return text;
}

}  // namespace frond::cli

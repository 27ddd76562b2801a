// SPDX-License-Identifier: BSD-3-Clause
#include "tune/job_environment.hpp"

#include "frond/base/error.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace frond;
using namespace frond::cli;

namespace {

JobFacts node_of(index_t cores, index_t cards = 0) {
    JobFacts facts;
    facts.machine = {"A Processor", cores, cards > 0 ? "A Card" : "", cards};
    facts.workers = cores;
    facts.memory_bytes = count_t{100} << 30;
    return facts;
}

bool has(const std::vector<JobLine>& lines, const std::string& text) {
    return std::any_of(lines.begin(), lines.end(), [&](const JobLine& line) { return line.text == text; });
}

std::string reason_of(const std::vector<JobLine>& lines, const std::string& beginning) {
    for (const JobLine& line : lines)
        if (line.text.starts_with(beginning)) return line.reason;
    return {};
}

}  // namespace

TEST_CASE("one process has the node: every core, every card, no mpirun") {
    const JobFacts facts = node_of(16, 2);
    for (const auto& lines : {slurm_job(facts), mpirun_job(facts)}) {
        CHECK(has(lines, "export STARPU_NCPU=16"));
        CHECK(has(lines, "export STARPU_NCUDA=2"));
        CHECK(has(lines, "unset STARPU_WORKERS_CPUID"));
        CHECK(has(lines, "export FROND_MEMORY_BUDGET_BYTES=92160M"));
    }
    CHECK(has(slurm_job(facts), "#SBATCH --gpus-per-node=2"));
    CHECK(has(slurm_job(facts), "#SBATCH --cpus-per-task=16"));
    CHECK(mpirun_job(facts).back().text == "frond solve A.mtx");
}

TEST_CASE("every line has its reason") {
    JobFacts facts = node_of(16, 1);
    facts.topology.threads_per_core = 2;
    for (const index_t ranks : {1, 2}) {
        facts.ranks_per_node = ranks;
        for (const auto& lines : {slurm_job(facts), mpirun_job(facts)})
            for (const JobLine& line : lines) CHECK_MESSAGE(line.reason.size() > 10, line.text);
    }
}

TEST_CASE("ranks share cores and memory, of 16 or more leave a core to threads beside the workers, and share cards") {
    JobFacts facts = node_of(16, 1);
    facts.nodes = 2;
    facts.ranks_per_node = 2;
    const auto lines = mpirun_job(facts);
    CHECK(has(lines, "export STARPU_NCPU=8"));  // too few to leave one
    CHECK(has(mpirun_job([] {
                  JobFacts large = node_of(32);
                  large.ranks_per_node = 2;
                  return large;
              }()),
              "export STARPU_NCPU=15"));
    CHECK(has(lines, "unset STARPU_NCUDA"));
    CHECK_FALSE(lines.back().text.find("STARPU_NCUDA") != std::string::npos);
    CHECK(has(mpirun_job(node_of(16)), "export STARPU_NCUDA=0"));
    CHECK(has(lines, "export FROND_MEMORY_BUDGET_BYTES=46080M"));
    CHECK(lines.back().text.starts_with("mpirun -n 4 --map-by ppr:2:node:PE=8 --bind-to core -x STARPU_NCPU"));
    CHECK(has(slurm_job(facts), "#SBATCH --nodes=2"));
    CHECK(has(slurm_job(facts), "#SBATCH --ntasks-per-node=2"));
    CHECK(has(slurm_job(facts), "#SBATCH --gpus-per-node=1"));
    facts.ranks_per_node = 8;
    CHECK(has(mpirun_job(facts), "export STARPU_NCPU=2"));
}

TEST_CASE("hardware threads of a core count once for Frond, and each for Slurm") {
    JobFacts facts = node_of(32);
    facts.topology.threads_per_core = 2;
    facts.workers = 16;
    CHECK(has(slurm_job(facts), "#SBATCH --cpus-per-task=32"));
    CHECK(has(slurm_job(facts), "#SBATCH --hint=nomultithread"));
    CHECK(has(slurm_job(facts), "export STARPU_NCPU=16"));
    facts.ranks_per_node = 2;
    CHECK(has(slurm_job(facts), "export STARPU_NCPU=8"));
}

TEST_CASE("what the tuning found goes into the job of one process") {
    JobFacts facts = node_of(16);
    facts.workers = 15;
    facts.bind_workers = false;
    CHECK(has(mpirun_job(facts), "export STARPU_NCPU=15"));
    CHECK(has(mpirun_job(facts), "export STARPU_WORKERS_NOBIND=1"));
    CHECK(reason_of(mpirun_job(facts), "export STARPU_NCPU").starts_with("workers of cores: the others are for"));
}

TEST_CASE("more ranks than cores are refused with both numbers") {
    JobFacts facts = node_of(2);
    facts.ranks_per_node = 3;
    CHECK_THROWS_WITH_AS(slurm_job(facts),
                         "1 nodes with 3 ranks each: a node of this kind has 2 cores; give 1 rank or more a node, and "
                         "no more than it has cores",
                         InvalidArgument);
    facts.ranks_per_node = 0;
    CHECK_THROWS_AS(mpirun_job(facts), InvalidArgument);
}

TEST_CASE("a reason stands above its line, as a comment") {
    CHECK(text_of_job({{"export A=1", "so it is"}}) == "# so it is\nexport A=1\n");
}

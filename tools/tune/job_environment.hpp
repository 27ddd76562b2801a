// SPDX-License-Identifier: BSD-3-Clause
// The environment of a job on machines like this one, each line with its reason; nothing is measured here.
#pragma once

#include "frond/tuning.hpp"
#include "topology.hpp"

#include <string>
#include <vector>

namespace frond::cli {

struct JobFacts {
    MachineKind machine;  // of each node
    Topology topology;
    index_t workers = 0;  // of cores, of one process that has the node
    bool bind_workers = true;
    count_t memory_bytes = 0;  // of a node
    index_t nodes = 1, ranks_per_node = 1;
};

struct JobLine {
    std::string text, reason;
};

/// A script for sbatch [SchedMDSlurm2024].
/// @throws InvalidArgument  more ranks a node than cores
std::vector<JobLine> slurm_job(const JobFacts& facts);

/// The lines of a job for Open MPI's mpirun [OpenMPIMpirun2022], or without it for one process. @throws InvalidArgument
///  as above
std::vector<JobLine> mpirun_job(const JobFacts& facts);

/// The lines, each below its reason as a comment.
std::string text_of_job(const std::vector<JobLine>& lines);

}  // namespace frond::cli

// SPDX-License-Identifier: BSD-3-Clause
// Runs with and without a tuning, each in a session of its own, as later sessions will take it.
#pragma once

#include "comparison.hpp"
#include "problems.hpp"

#include "frond/tuning.hpp"
#include "frond/base/temporary_folder.hpp"

#include <string>
#include <utility>
#include <vector>

namespace frond::cli {

class TunedRuns {
public:
    /// session: what all runs have (gpus); machine: of such a session.
    TunedRuns(const SessionOptions& session, MachineKind machine) : session_(session), machine_(std::move(machine)) {}

    /// The tuning with machine and workers as a session has them that takes it.
    Tuning settled(Tuning tuning) const;

    /// Seconds of each problem: factorization with memory that is there, and a solve with one right-hand side; the
    /// least of several while they are short. null: the defaults.
    std::vector<double> run(const std::vector<LoadedProblem>& problems, const Tuning* tuning) const;

private:
    Session session_with(const std::string& tuning) const;
    std::string file_of(const Tuning* tuning) const;

    SessionOptions session_;
    MachineKind machine_;
    TemporaryFolder folder_{"frond-tune-", "the files of frond tune"};  // of tunings that are tried
};

}  // namespace frond::cli

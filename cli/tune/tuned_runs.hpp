// SPDX-License-Identifier: BSD-3-Clause
// Runs with and without a tuning, each in a session of its own, as later sessions will take it.
#pragma once

#include "comparison.hpp"
#include "problems.hpp"

#include "frond/tuning.hpp"

#include <string>
#include <utility>
#include <vector>

namespace frond::cli {

/// A folder for the files of tunings that are tried; gone with what is in it when this goes.
class TuneFolder {
public:
    /// @throws RuntimeError  there is no folder for temporary files
    TuneFolder();
    TuneFolder(const TuneFolder&) = delete;
    TuneFolder& operator=(const TuneFolder&) = delete;
    ~TuneFolder();

    std::string file() const { return path_ + "/tuning.json"; }

private:
    std::string path_;
};

class TunedRuns {
public:
    /// session: what all runs have (gpus); machine: of such a session.
    TunedRuns(const SessionOptions& session, MachineKind machine) : session_(session), machine_(std::move(machine)) {}

    /// With machine and workers as a session has them that takes it.
    Tuning settled(Tuning tuning) const;

    /// Seconds of each problem: factorization with memory that is there, and a solve with one right-hand side; the
    /// lesser of two. null: the defaults.
    std::vector<double> run(const std::vector<LoadedProblem>& problems, const Tuning* tuning) const;

private:
    Session session_with(const std::string& tuning) const;
    std::string file_of(const Tuning* tuning) const;

    SessionOptions session_;
    MachineKind machine_;
    TuneFolder folder_;
};

}  // namespace frond::cli

// SPDX-License-Identifier: BSD-3-Clause
// What alternating runs say; no clock here.
#pragma once

#include "frond/base/temporary_folder.hpp"
#include "frond/base/types.hpp"
#include "frond/tuning.hpp"
#include "problems.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace frond::cli {

/// Seconds of each problem in each round: [round][problem].
using Rounds = std::vector<std::vector<double>>;

/// Times of one choice over those of another one in the same rounds.
struct Comparison {
    std::vector<double> ratios;  // of each problem: the median over the rounds of other / base
    double mean_ratio = 1;  // geometric mean of the ratios
    double largest_ratio = 1;
    index_t rounds = 0;
};

/// Both have the same problems; rounds that only one of them has do not count.
/// @throws InvalidArgument  no round is in both, or a time is not positive
Comparison compare(const Rounds& base, const Rounds& other);

/// A choice among others is taken for quicker from here on: less may be noise.
inline constexpr double worthwhile_ratio = 0.99;
/// No problem may lose more.
inline constexpr double largest_loss = 1.03;
/// A decision rests on so many rounds at least.
inline constexpr index_t least_rounds = 5;

/// Number of the comparison with the smallest mean among those that gain; none: nothing does.
std::optional<std::size_t> quickest(const std::vector<Comparison>& comparisons);

/// The defaults may differ by so much from themselves, up or down, on any problem, where a decision is to rest on them.
inline constexpr double largest_noise = 1.03;

/// Empty: the choice is kept. Else why the defaults stay. repeated: the defaults once more in the same rounds, against
/// themselves, which says how far the machine can be trusted; problems: their names, in the order of the ratios.
std::string why_not_kept(const Comparison& comparison, const Comparison& repeated,
                         const std::vector<std::string>& problems);

// Runs with and without a tuning, each in a session of its own, as later sessions will take it.

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

// SPDX-License-Identifier: BSD-3-Clause
// One interface for every solver that is compared; one small adapter file each.
#pragma once

#include <complex>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "frond/matrix/matrix_file.hpp"

namespace frond::bench {

/// What a solver may assume of A: the best mode it has is used.
enum class Mode : std::uint8_t { definite, symmetric, general };

/// What the solver itself says of its work; 0 where it does not say.
struct SolverFacts {
    double flops = 0;
    double factor_entries = 0;
    double predicted_peak_bytes = 0;
    std::optional<count_t> negative = std::nullopt;  // eigenvalues below zero
    std::string remark = {};                         // mode and settings in force, or why it failed
};

/// A solver on one matrix. Each step throws std::runtime_error with the solver's own message when it fails.
class Peer {
public:
    virtual ~Peer() = default;
    virtual void analyze() = 0;
    virtual void factor() = 0;
    /// x := A^-1 b for one right-hand side, with what the solver does by default.
    virtual void solve() = 0;
    virtual SolverFacts facts() const = 0;
};

template <class T>
struct Problem {
    const SparseMatrix<T>& a;
    Mode mode;
    const std::vector<T>& b;
    std::vector<T>& x;
    int threads;
};

using AnyProblem = std::variant<Problem<double>, Problem<std::complex<double>>>;

/// Null when the solver cannot take this scalar and mode.
using MakePeer = std::unique_ptr<Peer> (*)(const AnyProblem& problem);

struct PeerEntry {
    const char* name;
    std::string version;
    MakePeer make;
};
/// The solvers of this build.
std::vector<PeerEntry> peers();

PeerEntry frond_peer();
PeerEntry mumps_peer();
PeerEntry cholmod_peer();
PeerEntry umfpack_peer();
PeerEntry superlu_peer();

/// Full matrix (both triangles) in 32-bit compressed columns, which all peers read.
template <class T>
struct Columns {
    int n = 0;
    std::vector<int> begin, row;
    std::vector<T> value;
};
template <class T>
Columns<T> columns(const SparseMatrix<T>& a, bool lower_only);

}  // namespace frond::bench

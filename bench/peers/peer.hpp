// SPDX-License-Identifier: BSD-3-Clause
// One interface for every solver that is compared; one small adapter file each.
#pragma once

#include <complex>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
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
    double device_bytes = 0;  // taken on the card by the end
    std::string verdict = {};  // of the last factorization, in the solver's words
    std::optional<bool> scaling_kept = std::nullopt;  // the last factorization had that of one before
    std::string remark = {};  // mode and settings in force, or why it failed
};

/// A solver on one matrix. Its constructor brings A into the format that the solver reads, which is
/// not timed. Each step throws std::runtime_error with the solver's own message when it fails.
class Peer {
public:
    virtual ~Peer() = default;

    /// What a program does once, before its first matrix: a session, a handle, the card's context.
    virtual void start() {}

    /// Each step below may be called again.
    virtual void analyze() = 0;
    /// The values of Problem::a, not its pattern, have changed since they were read last; not timed
    /// either.
    virtual void take_values() = 0;
    /// The first time after analyze() a factorization, then the cheapest that the solver documents
    /// for other values of the same pattern.
    virtual void factor() = 0;
    /// X := A^-1 B, with what the solver does by default.
    virtual void solve() = 0;
    virtual SolverFacts facts() const = 0;
    /// The order of the analysis: order()[k] = row of A eliminated k-th; its column, too, unless a matching permutes.
    /// Empty: the adapter does not ask for it.
    virtual std::vector<index_t> order() const { return {}; }
};

template <class T>
struct Problem {
    const SparseMatrix<T>& a;  // its values change between take_values()
    Mode mode;
    const std::vector<T>& b;  // [n x rhs], column-major; changes likewise
    std::vector<T>& x;  // [n x rhs]
    int threads;
    index_t rhs = 1;
    bool values_change = false;  // take_values() will be called
    std::vector<index_t> order = {};  // as order() of another solver; empty: the solver's own
    std::string settings = {};  // KEY=VALUE:KEY=VALUE; empty: the solver's defaults
};

using AnyProblem =
    std::variant<Problem<float>, Problem<double>, Problem<std::complex<float>>, Problem<std::complex<double>>>;

template <class T>
inline constexpr bool is_double_precision = std::is_same_v<real_t<T>, double>;

/// Null when the solver cannot take this scalar and mode.
using MakePeer = std::unique_ptr<Peer> (*)(const AnyProblem& problem);

struct PeerEntry {
    const char* name;
    std::string version;
    MakePeer make;
    bool takes_many_rhs = false;
    bool takes_order = false;
    /// Worth a row beside the defaults, NAME:SETTINGS; empty: none is; null: it takes none.
    const char* settings = nullptr;
    /// A library that its process loads before all others; empty: none.
    std::string preload = {};
};
/// The solvers of this build.
std::vector<PeerEntry> peers();

/// Where several ranks of MPI_COMM_WORLD work together (bench/ranks): every rank gives the whole problem to its peer, of
/// which rank 0 alone passes A and B on, and gets X.
struct FrondRanks {
    const void* communicator = nullptr;  // to an MPI_Comm; null: this process alone
    bool has_matrix = true;
};
/// Sets the ranks of this process, for the peers made from then on.
void set_ranks_of_frond(const FrondRanks& ranks);

PeerEntry frond_peer();
PeerEntry mumps_peer();
PeerEntry cholmod_peer();
PeerEntry umfpack_peer();
PeerEntry klu_peer();
PeerEntry superlu_peer();
PeerEntry cudss_peer();
PeerEntry pardiso_peer();
/// A peer of bench/ranks alone.
PeerEntry superlu_dist_peer();

/// Full matrix (both triangles) in 32-bit compressed columns, which all peers read.
template <class T>
struct Columns {
    int n = 0;
    std::vector<int> begin, row;
    std::vector<T> value;
};
template <class T>
Columns<T> columns(const SparseMatrix<T>& a, bool lower_only);
/// The same in compressed rows, in the members of compressed columns: all of A, or its upper
/// triangle.
template <class T>
Columns<T> rows(const SparseMatrix<T>& a, bool upper_only);
/// The values alone, in their order and at the addresses that c.value has.
/// @pre  c = columns(a with other values, lower_only)
template <class T>
void take_values(Columns<T>& c, const SparseMatrix<T>& a, bool lower_only);

}  // namespace frond::bench

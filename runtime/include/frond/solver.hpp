// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <functional>
#include <future>
#include <limits>
#include <memory>
#include <optional>
#include <ranges>
#include <span>

#include "frond/analysis/analysis.hpp"
#include "frond/analysis/analysis_file.hpp"
#include "frond/base/error.hpp"
#include "frond/matrix/dense_matrix_view.hpp"
#include "frond/matrix/sparse_matrix.hpp"
#include "frond/rank_part.hpp"
#include "frond/reports.hpp"
#include "frond/session.hpp"

namespace frond {

/// Column-major block of right-hand sides or solutions: entry (i, j) at data[i + j * ld], ld >= rows.
/// In a session with a communicator it has the rows of this rank.
template <class T>
struct BlockView {
    T* data = nullptr;
    count_t rows = 0;
    count_t cols = 1;
    count_t ld = 0;  // 0: rows
    /// [rows] In a session with a communicator: which row of the whole block row i is, from 0, in any order. Of B every
    /// row comes from one rank; of X a row may go to several ranks, or to none. Null on all ranks: rank 0 has the first
    /// rows, rank 1 the next, and so on.
    const index_t* row_map = nullptr;
};

enum class StaleMatching : std::uint8_t { keep, rematch };

/// What threshold pivoting does with a matrix that turns out singular.
enum class NullPivots : std::uint8_t {
    zero,  // FactorReport names them; their components of a solution are 0, the others solve what can be
    error  // the factorization throws SingularMatrix, which names them
};

/// What a running job reports: part of the predicted flops that is done. Called from worker threads,
/// one call at a time; must return soon. Calls of Frond in it are a RuntimeError.
struct Progress {
    double done_flops = 0;
    double total_flops = 0;
    double seconds = 0;
};

/// How a factorization runs where the session has devices. automatic: the whole tree there at once where it
/// fits and is expected to be quicker, else by tasks, on the device and the cores.
enum class FactorPlace : std::uint8_t { automatic, tasks, device };

struct FactorOptions {
    Pivoting pivoting = Pivoting::automatic;
    /// u of threshold pivoting, u <= 0.5 (complex symmetric and Hermitian: counts as 0.35 at most in the
    /// second pass): larger is safer, smaller delays fewer columns. 0: 0.01.
    double pivot_threshold = 0.01;
    /// Threshold pivoting: a column with no entry above this times the largest entry of the scaled matrix
    /// is null; 0: min(10 n, 10000, 1 / sqrt(eps)) eps of the scalar type. If the matrix is then singular, it may be
    /// factored again: with a smaller value where null columns hold more than rounding errors can have left there, with
    /// a larger one where a gap of 1000 (single precision: 10) parts further pivots from all others.
    /// See FactorReport::Work::repeated_for_rank.
    double null_pivot_tolerance = 0;
    /// Static pivoting: raise pivots of the scaled matrix below this times its norm; 0: sqrt(eps) of the scalar type.
    double static_pivot_tolerance = 0;
    /// Bytes that Frond may hold for this factorization; 0: the machine's free memory less a tenth.
    count_t memory_budget_bytes = 0;
    StaleMatching on_stale_matching = StaleMatching::keep;  // rematch: by Solver::factor only
    NullPivots null_pivots = NullPivots::zero;
    /// Static pivoting: Solver::solve may factor again with threshold pivoting, see there.
    bool escalate = true;
    FactorPlace place = FactorPlace::automatic;
    /// Right after the factorization, make what solves on the device need (inverted diagonal blocks, lists, A), in
    /// place of at the first solve. Nothing happens where solves cannot run there. See
    /// FactorReport::Work::presolve_seconds.
    bool presolve = false;
    std::function<void(const Progress&)> progress = {};
    /// Set to true from any thread to stop; the call then throws Cancelled. Must outlive the call.
    const std::atomic<bool>* cancel = nullptr;
};

enum class SolvePart : std::uint8_t { all, forward, diagonal, backward };
enum class Krylov : std::uint8_t { automatic, off };
/// Says where the substitution runs. automatic: on the device, if the factors fit there and that is expected to
/// be quicker.
enum class SolvePlace : std::uint8_t { automatic, host, device };

struct SolveOptions {
    Operation operation = Operation::none;  // A X = B, A^T X = B or A^H X = B
    /// forward, diagonal and backward, one after the other, are the whole without refinement: forward
    /// permutes and scales B, backward does so with X. Vectors between them are in the numbers of X, not
    /// scaled; for L L^H the one after forward has y^H y = b^H A^-1 b.
    SolvePart part = SolvePart::all;
    index_t max_refinement_steps = 10;
    /// Componentwise backward error to reach; worse is not_converged. 0: refinement goes on to 10 eps or
    /// until it stalls, and up to 450 eps of the scalar type counts as converged (1e-13 in double).
    double target_backward_error = 0;
    Krylov krylov = Krylov::automatic;  // GMRES(30) when refinement stalls above what is accepted
    /// Also bound ||x - x*||_inf / ||x||_inf, x* the true solution: some 4 to 11 more solves with 2
    /// columns for each right-hand side. See SolveReport::forward_errors.
    bool forward_error = false;
    /// Estimate the condition once where the system is small or its pivots are suspicious: 3 solves with 2 columns, at
    /// the first solve with these factors. See SolveReport::condition_hint.
    bool condition_hint = true;
    index_t rhs_block = 0;  // right-hand sides a task takes at once; 0: 64
    /// device: InvalidArgument, with the reason, where that cannot be.
    SolvePlace place = SolvePlace::automatic;
    /// Bytes that the vectors of one solve may hold in the host's memory, in addition to factors, B and X. 0: what is
    /// left of the factors' memory_budget_bytes, enough for one right-hand side; where none was given, the free memory
    /// less a tenth. What does not fit is solved in parts, and GMRES has fewer vectors; see SolveReport. Parts are
    /// whole multiples of rhs_block while there is room for one: narrower ones may round otherwise.
    count_t memory_budget_bytes = 0;
    const std::atomic<bool>* cancel = nullptr;
    /// cudaStream_t or hipStream_t of the session's first device: B is read and X is written after what was queued
    /// there before the call. Null: the legacy default stream where B or X is on the device, else none.
    void* stream = nullptr;
};

/// Componentwise backward error up to which a solve is converged: the target, or without one 450 eps,
/// since rows with thousands of entries end a little above the 10 eps that refinement aims at.
template <class T>
double accepted_backward_error(const SolveOptions& options) {
    constexpr double default_in_eps = 450;
    return options.target_backward_error > 0
               ? options.target_backward_error
               : default_in_eps * static_cast<double>(std::numeric_limits<real_t<T>>::epsilon());
}

namespace detail {
template <class T>
class FactorsState;
template <class T>
class Driver;
}  // namespace detail

/// The factors of one matrix: immutable, shared, keep their session, analysis and A (for the refinement)
/// alive.
template <class T>
class Factors {
public:
    Factors() = default;

    explicit operator bool() const noexcept { return state_ != nullptr; }
    const FactorReport& report() const;
    const Analysis& analysis() const;  // the one given, or with columns delayed that found no pivot on a device
    /// log |det A| and the sign (real) or phase (complex) of det A. Empty where status is not success, and
    /// where pivots without threshold pivoting may be rounding errors (see FactorReport::Pivots::inertia).
    /// Cost: O(n), each pivot and permutation is read once. Factors on a device send their pivots to the host.
    /// @throws InvalidArgument  no factors; OutOfMemory, DeviceError
    struct LogDeterminant {
        double log_abs = 0;
        T phase = T(1);
    };
    std::optional<LogDeterminant> log_determinant() const;

private:
    friend struct detail::StateAccess;

    explicit Factors(std::shared_ptr<detail::FactorsState<T>> state);

    std::shared_ptr<detail::FactorsState<T>> state_;
};

/// Bytes that a factorization with this analysis will hold at its peak when the budget allows: factors,
/// contribution blocks, A, the analysis and the workers' scratch. workers 0: as analysed for.
template <class T>
count_t predicted_peak_bytes(const Analysis& analysis, index_t workers = 0);

/// Bytes that a solve of so many right-hand sides at one time will hold in addition to the factors, B and X where its
/// memory_budget_bytes allows: vectors of substitution, refinement and GMRES, and its tasks. For a solve on the cores.
template <class T>
count_t predicted_solve_bytes(const Analysis& analysis, index_t rhs = 1, const SolveOptions& options = {},
                              index_t workers = 0);

/// B = P Dr A Dc Q = L L^H, L D L^T, L D L^H or L U, by tasks on the session's workers.
///
/// Cost: analysis->cost.flops real operations (times 4 for complex scalars).
/// The second form shares A with the caller instead of copying it.
/// scaling: row and column scales of this order, positive, for the symmetric kinds the same ones; null: computed from
/// the values.
/// @pre  a has the pattern that was analysed; analysis and a are not null. A SparseMatrix is what make_sparse or a
///       reader made: one that was put together by hand is checked for its sizes and, by the hash of its pattern,
///       against the analysed one, of which analyze() has checked that rows ascend within columns, in the lower
///       triangle alone unless A is general. NaN and Inf are found.
/// Factors by this process alone; with a communicator, take a Solver.
/// @throws InvalidArgument, InvalidMatrix, OutOfMemory, MemoryBudgetExceeded, RuntimeError, Cancelled,
///         SingularMatrix (null_pivots = error)
/// @par Thread safety  several factorizations may run at once in one session.
/// @par Source  [DuffReid1983] multifrontal scheme; [Liu1992] tree and memory
template <class T>
Factors<T> factorize(const Session& session, std::shared_ptr<const Analysis> analysis, SparseMatrix<T> a,
                     const FactorOptions& options = {}, const Scaling* scaling = nullptr);
template <class T>
Factors<T> factorize(const Session& session, std::shared_ptr<const Analysis> analysis, SharedMatrix<T> a,
                     const FactorOptions& options = {}, const Scaling* scaling = nullptr);

/// op(A) X = B with the factors, then refinement. X may be the same memory as B.
///
/// Cost: a substitution takes 4 (symmetric kinds) or 2 (L U) real operations for each entry of the factors and column of
/// B, and reads the factors once for each rhs_block columns. There is one, and one more for each step of refinement or
/// GMRES; each is followed by a residual, some 4 operations for each entry of A and column. Complex scalars: 4 times that.
/// Memory: predicted_solve_bytes() in addition to factors, B and X.
///
/// Either may be in the memory of the session's first device, without an option: a solve that runs there then
/// copies neither through host memory; one that runs on the cores fetches B and sends X. X is written when the
/// call returns, in any stream. The current device of the calling thread stays.
/// @pre  b and x are n x rhs with ld >= n
/// If memory for refinement, GMRES or bounds of the forward error is refused, X is as good as it was before, and the
/// report says so (SolveReport::short_of_memory). A finite B whose solution, or what comes before it, overflows is
/// not_converged.
/// @throws InvalidArgument  B has NaN or Inf, of which the first entry is named, whatever the part of a solve: X is then as
///         before; memory of another device, or of any where the session has not exactly one;
///         MemoryBudgetExceeded (one right-hand side is more than options.memory_budget_bytes), OutOfMemory (X then
///         holds B or a solution that was not measured), DeviceError, RuntimeError, Cancelled
/// @par Thread safety  factors may be shared by threads that call this.
template <class T>
SolveReport solve(const Factors<T>& factors, BlockView<const T> b, BlockView<T> x, const SolveOptions& options = {});

struct ConditionEstimate;
template <class T>
struct NullSpace;

/// Holds Analysis and Factors for callers who factor again with other values.
///
/// In a session with a communicator the constructors, copies and every call are collective: all ranks make the same
/// calls in the same order, with options that agree but for memory budgets, callbacks and cancellation; user_order may
/// be rank 0's alone. Every rank gives what it has of A: triplets, compressed columns or rows, which are summed over
/// the ranks (a rank may have none), or whole rows of its own (RowsView). Reports and exceptions are the same on all
/// ranks; a message names the rank that an error comes from. One rank's cancellation stops all. Progress is reported on
/// rank 0. analysis() and factors() are those of rank 0, which takes all decisions, and null on the others; where
/// several ranks have the factors, they are solved with by this Solver alone (docs/mpi.md).
/// @par Thread safety  one call at a time on one Solver (const members: any number, in a session with a communicator one);
/// several Solvers may share a session.
template <class T>
class Solver {
public:
    /// Analyses and factors nothing yet. The session and everything that the Solver holds live as long as it does.
    /// Collective in a session with a communicator, of which each Solver has a duplicate.
    /// @throws InvalidArgument  ranks that do not agree on the options; OutOfMemory; RuntimeError  MPI has ended
    explicit Solver(Session session, AnalysisOptions options = {});
    Solver(const Solver& other);
    Solver(Solver&&) noexcept = default;
    Solver& operator=(const Solver& other);
    Solver& operator=(Solver&&) noexcept = default;
    ~Solver() = default;

    /// Analyses the pattern (and magnitudes, for matching): order, tree, map of entries, costs. Forgets earlier factors.
    /// Before values are known, the array of values may be null (without a communicator), or all of them 0: then the
    /// pattern alone is analysed, and AnalysisOptions::factorization = automatic is L U for a general matrix, L D L^T or
    /// L D L^H for a symmetric kind; ask for L L^H where it will be definite. Values that a matching on the pattern does
    /// not suit are matched again by FactorOptions::on_stale_matching = rematch.
    ///
    /// State: when it throws, the Solver may have no factors. The earlier analysis stays; in a session with a communicator
    /// it may be gone, too.
    /// Cost: by one thread for each core. Ordering takes most of it, about (entries + n) log n operations; all else is
    /// linear in the entries of A and the rows of all fronts, but for a matching, n (entries + n log n) at worst.
    /// Memory: O(entries + rows of all fronts) integers.
    /// @pre  a is what make_sparse() and the views of sparse_matrix.hpp ask for, and square
    /// @throws InvalidMatrix  not square, NaN or Inf, an index out of range, a row that no rank gives, or a kind that
    ///         AnalysisOptions::factorization cannot take
    /// @throws InvalidArgument  an option that does not fit this matrix: user_order, grid, an ordering that needs ranks
    /// @throws OutOfMemory, RuntimeError; MemoryBudgetExceeded  with a communicator, where rank 0 has no room for A
    template <class Matrix>
    const AnalysisReport& analyze(const Matrix& a) {
        return analyze_given(detail::given_matrix<T>(a));
    }
    /// Takes an analysis made elsewhere, such as one of load_analysis(), with its options, which later
    /// analyses of this Solver follow; forgets earlier factors. factor() then scales as for new values.
    /// Cost: none; the analysis is shared.
    /// @pre  analysis is not null, and whole: not one process's part of a distributed analysis
    /// @throws InvalidArgument  it is null, or a part
    void use(std::shared_ptr<const Analysis> analysis);
    /// Factors these values; the pattern must be the analysed one. Without analyze() before, analyses.
    /// The factors keep a copy of A, of a SharedMatrix no copy.
    /// The report is the Solver's own: it changes with the next factor() and when solve() escalates.
    ///
    /// When it throws, the Solver is as before: the earlier factors stay. While the new ones are made, the earlier
    /// ones stay in memory where both take at most 64 MiB; larger ones go first, so that the new ones take their memory,
    /// and are made again from their own values if the new ones cannot be, which takes as long as it took. If not even
    /// that succeeds, the Solver has none.
    ///
    /// Cost: analysis()->cost.flops real operations (times 4 for complex scalars), more where columns are delayed; before
    /// that the checks and the conversion of A, O(entries), by AnalysisOptions::threads (0 on ranks: by no more than
    /// the session has workers). Where a has the indices that were analysed, in their order and by a hash of 64 bits, its
    /// values are copied as by factor_values(), and nothing is converted, unless they are both triangles of a symmetric
    /// kind on one process. Memory: predicted_peak_bytes(), and A once more from the second call on.
    /// @throws InvalidMatrix  NaN or Inf, or what analyze() refuses
    /// @throws InvalidArgument  another order, symmetry or pattern than the analysed one, an option out of its range, or FactorPlace::device where that cannot be
    /// @throws MemoryBudgetExceeded, OutOfMemory, DeviceError, RuntimeError, Cancelled, SingularMatrix (null_pivots =
    ///         error). What the numbers did is no exception: see FactorReport::status.
    template <class Matrix>
    const FactorReport& factor(const Matrix& a, const FactorOptions& options = {}) {
        return factor_given(detail::given_matrix<T>(a), options);
    }
    /// A dense matrix: L U, L L^H, L D L^T or L D L^H of Dr A Dc as one front on tiles, by the options of this Solver but
    /// those of orderings and matchings (docs/dense.md). What is not definite has threshold pivoting, and solves, reports,
    /// determinant, inertia, condition and null space are those of sparse matrices; multiply() is, too.
    ///
    /// A stays with the caller, who leaves it as it is until the last solve: each measures its errors against it. The
    /// factors are one copy of it: n^2 scalars, or about n^2 / 2 of a symmetric kind.
    /// Cost: 2/3 n^3 real operations, half of that where one triangle is factored; 4 times that for complex scalars.
    /// Forgets earlier analyses and factors first; when it throws, the Solver has none.
    /// In a session with a communicator every rank gives the block that it has (DenseMatrixView::layout, or row_map and
    /// column_map), and leaves it as it is, too. Entries go from there to the ranks that have the tiles, a tile column at a
    /// time; no rank gets the whole matrix, unless it factors alone: then it has all factors.
    /// @throws as factor(); InvalidArgument for what check_dense_matrix() refuses, or on ranks check_dense_part(): also an
    ///         entry that no rank has, or two; and for an ordering or matching
    const FactorReport& factor(const DenseMatrixView<T>& a, const FactorOptions& options = {});
    /// Factors other values of the pattern that the caller promises: values[k] is the value of entry k of the arrays
    /// that analyze() was given (after use() or without analyze(): factor(), the first time), also where entries
    /// appear twice, in any order, or in the other triangle. If both triangles of a symmetric matrix are given, the
    /// lower one is read. In the memory of the host or of the session's first device, where what was queued in the
    /// legacy default stream comes first. The same factors as by factor(), without its checks of the pattern, and
    /// without its conversion: values are copied once, in parallel, and NaN and Inf are found.
    /// @pre  values.size() is the number of entries of those arrays
    /// @throws as factor(), which says what stays; InvalidArgument  nothing was analysed, or another number of values
    const FactorReport& factor_values(std::span<const T> values, const FactorOptions& options = {});
    /// op(A) X = B. When the factors are those of static pivoting with FactorOptions::escalate, and
    /// neither refinement nor GMRES brings the error to the one accepted, factors again with threshold
    /// pivoting, solves with these factors, keeps them, and says so (SolveReport::escalated). After an error of that
    /// factorization the Solver has the earlier factors, as after factor(). Where it, or the second solve, is refused
    /// memory, X and the report are those of the first (SolveReport::short_of_memory); after other errors so is X.
    /// Cost, memory and preconditions: as frond::solve(); an escalation costs as much as factor() and a second solve.
    /// @throws InvalidArgument  nothing was factored, or what frond::solve() refuses
    /// @throws SingularMatrix  FactorOptions::null_pivots is error, and the second factorization meets null pivots
    /// @throws MemoryBudgetExceeded, OutOfMemory, DeviceError, RuntimeError, Cancelled  as frond::solve()
    SolveReport solve(BlockView<const T> b, BlockView<T> x, const SolveOptions& options = {});
    /// Solves without escalation.
    SolveReport solve(BlockView<const T> b, BlockView<T> x, const SolveOptions& options = {}) const;
    /// Solves for one right-hand side of n numbers, in vectors, arrays or spans.                     b, x [n]
    template <std::ranges::contiguous_range B, std::ranges::contiguous_range X>
    SolveReport solve(const B& b, X&& x, const SolveOptions& options = {}) {
        const std::span<const T> from(b);
        const std::span<T> to(x);
        return solve(BlockView<const T>{from.data(), static_cast<count_t>(from.size())},
                     BlockView<T>{to.data(), static_cast<count_t>(to.size())}, options);
    }

    /// Y := op(A) X with the matrix as it was factored last; by rows, where every rank has some.
    /// X [n, k] and Y [n, k] with ld >= n, in the host's memory; they do not overlap.
    /// Cost: 2 real operations for each stored entry of A (4 where one stands for both triangles) and column; complex
    /// scalars: 4 times that. On several ranks those entries of X travel that rows of another rank read.
    /// @throws InvalidArgument  nothing was factored, or sizes that do not fit; OutOfMemory, RuntimeError
    void multiply(Operation operation, BlockView<const T> x, BlockView<T> y) const;
    /// condition_estimate(factors(), cancel) and null_space(factors(), operation, cancel), for which several ranks that
    /// have the factors work together; the basis is on rank 0, and empty on the others. frond/condition.hpp and
    /// frond/null_space.hpp have the results, costs and errors.
    /// @throws InvalidArgument  nothing was factored
    ConditionEstimate condition(const std::atomic<bool>* cancel = nullptr) const;
    NullSpace<T> null_vectors(Operation operation = Operation::none, const std::atomic<bool>* cancel = nullptr) const;
    /// factors().log_determinant(), on all ranks.
    /// @throws InvalidArgument  nothing was factored
    std::optional<typename Factors<T>::LogDeterminant> log_determinant() const;
    /// What each rank has done and sent since the Solver was made: one entry for each rank, the same on all of them.
    /// Cost: one exchange of a few hundred bytes a rank. @throws OutOfMemory, RuntimeError
    std::vector<RankReport> rank_reports() const;

    /// Factors on a thread of its own; arguments must outlive the future.
    template <class Matrix>
    std::future<FactorReport> factor_async(const Matrix& a, const FactorOptions& options = {}) {
        return std::async(std::launch::async, [this, &a, options] { return factor(a, options); });
    }
    std::future<SolveReport> solve_async(BlockView<const T> b, BlockView<T> x, const SolveOptions& options = {}) {
        return std::async(std::launch::async, [=, this] { return solve(b, x, options); });
    }
    std::future<SolveReport> solve_async(BlockView<const T> b, BlockView<T> x, const SolveOptions& options = {}) const {
        return std::async(std::launch::async, [=, this] { return solve(b, x, options); });
    }

    const std::shared_ptr<const Analysis>& analysis() const noexcept;
    const Factors<T>& factors() const noexcept;
    const InputReport& input_report() const noexcept;
    /// The reports of the present analysis and factors; on all ranks. @throws InvalidArgument  there are none
    const AnalysisReport& analysis_report() const;
    const FactorReport& factor_report() const;

private:
    const AnalysisReport& analyze_given(const detail::GivenMatrix<T>& a);
    const FactorReport& factor_given(const detail::GivenMatrix<T>& a, const FactorOptions& options);

    friend struct detail::StateAccess;

    std::shared_ptr<detail::Driver<T>> driver_;  // of this process alone, or of several; null: moved from
};

}  // namespace frond

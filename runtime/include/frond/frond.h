/* SPDX-License-Identifier: BSD-3-Clause */
/* Frond for C: the interface of frond.hpp with opaque handles and status codes.
 *
 * Every function returns FROND_OK or the cause of its failure; frond_last_error() then gives the
 * message, which names the value, the limit and the cure. No function ends the process, and no C++
 * exception leaves one. What the numbers did (perturbed pivots, a singular matrix, a backward error
 * worse than asked) is not a failure: read it in the reports. One may be made a failure: a singular
 * matrix, by the option null_pivots=error.
 *
 * Structures begin with struct_bytes, which the caller sets to sizeof the structure (FROND_STRUCT
 * does), so that later versions may add fields at the end. Complex numbers are pairs (real,
 * imaginary), as in C's _Complex and in C++'s std::complex.
 *
 * Threads: a session may be used from several threads; a solver from one at a time, but for
 * frond_solver_cancel.
 *
 * Cost: functions that say none set, copy or free, or read or write a file. n is the order of A;
 * complex scalars take 4 times the operations. Errors: in addition to those that it names a function may return
 * FROND_INVALID_ARGUMENT (a NULL that is not allowed, a structure without struct_bytes, a constant that
 * is none), FROND_OUT_OF_MEMORY and FROND_RUNTIME_ERROR. */
#ifndef FROND_H
#define FROND_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FROND_VERSION_MAJOR 0
#define FROND_VERSION_MINOR 1
#define FROND_VERSION_PATCH 0

/** Zeroes a structure and sets its struct_bytes: `frond_matrix a; FROND_STRUCT(a);` */
#define FROND_STRUCT(s) frond_init_struct(&(s), sizeof(s))
void frond_init_struct(void* structure, size_t struct_bytes);

/** "0.1.0" of the library that runs. */
const char* frond_version(void);

/* --- status ---------------------------------------------------------------------------------- */

typedef enum frond_status {
    FROND_OK = 0,
    FROND_INVALID_ARGUMENT = 1,
    FROND_INVALID_MATRIX = 2,
    FROND_OUT_OF_MEMORY = 3,
    FROND_MEMORY_BUDGET_EXCEEDED = 4,
    FROND_DEVICE_ERROR = 5,
    FROND_RUNTIME_ERROR = 6,
    FROND_CANCELLED = 7,
    FROND_SINGULAR_MATRIX = 8 /* only with the option null_pivots=error */
} frond_status;

/** "invalid_matrix" and so on. */
const char* frond_status_name(frond_status status);

/** Message of the last call of this thread that failed; "" before the first. The text stays valid
 *  until the thread's next call that fails. */
const char* frond_last_error(void);

/* --- session --------------------------------------------------------------------------------- */

typedef struct frond_session frond_session;

typedef struct frond_session_info {
    size_t struct_bytes;
    int32_t owns_starpu; /* 0: the application started StarPU; it is left as it is */
    int32_t cpu_workers, cuda_workers, hip_workers, mpi_ranks;
    int64_t memory_total_bytes, memory_free_bytes;
    char scheduler[64], starpu_version[32], blas[64], blas_kernel[32];
    char blas_advice[512]; /* "", or what would make BLAS quicker on this processor */
    char gpu_vendor
        [16]; /* whose cards this build has tasks for: "CUDA", "HIP", "emulated" (the host plays one), or "" */
    char gpu_advice[512]; /* why the GPUs that are there are not used; "": they are, or there are none */
    int32_t gpus; /* used by Frond's tasks */
    char worker_binding[64]; /* "one core each", "none: ...", or who decides */
    int32_t mpi_rank; /* with a communicator: of mpi_ranks */
    char mpi_library[128]; /* with a communicator: which MPI runs */
    char mpi_advice[256]; /* "", or what would let the ranks run better */
    char tuning_file[512]; /* of frond tune, that the session took (docs/tuning.md); "": none */
    char tuning[256]; /* what it differs in from the defaults; "": none */
    char tuning_advice[512]; /* why the file that is there was not taken, and the cure; "": it was, or there is none */
} frond_session_info;

/** StarPU starts when a call first needs its workers, unless the application has started it. options: "cpu_workers=4 scheduler=lws", NULL or "" for
 *  the defaults (docs/options.md, "session"). All sessions of a process share one StarPU: while one is
 *  open, other options than its own are an error. While StarPU starts, variables of the environment are
 *  changed and put back: nobody else may use the environment meanwhile (docs/clusters.md). Cost: that of
 *  starting StarPU; with cards seconds the first time on a machine, when the speed of copies is measured. */
frond_status frond_session_create(const char* options, frond_session** session);
/** The same on the ranks of an MPI communicator, which all make it together. communicator: pointer to an MPI_Comm; it is
 *  duplicated. frond/mpi.h has the same for a communicator as a value, and for Fortran's integers. Calls with the solvers
 *  of the session are then collective: all ranks make them in the same order, and get the same status, also where one rank gives
 *  something wrong or MPI fails on one. A message names the rank that it comes from. Matrices are summed over the ranks, or given by rows (FROND_ROWS); frond_solve_rows takes
 *  B and X in any distribution. All ranks have a part of the factors, but of small trees rank 0 has all (docs/mpi.md). */
frond_status frond_session_create_on(const char* options, const void* communicator, frond_session** session);
frond_status frond_session_get_info(const frond_session* session, frond_session_info* info);
/** Gives memory that Frond holds without using it back to the system, also while there are factors. given_back_bytes
 *  (may be NULL): how much of the heap that was. See Session::give_back_memory in session.hpp.
 *  Cost: in proportion to the pages that go back to the system. */
frond_status frond_session_give_back_memory(const frond_session* session, int64_t* given_back_bytes);
/** Solvers made with the session keep it alive. NULL is allowed. */
void frond_session_destroy(frond_session* session);

/* --- matrix ---------------------------------------------------------------------------------- */

typedef enum frond_scalar {
    FROND_FLOAT = 's',
    FROND_DOUBLE = 'd',
    FROND_COMPLEX_FLOAT = 'c',
    FROND_COMPLEX_DOUBLE = 'z'
} frond_scalar;

typedef enum frond_format {
    FROND_CSC = 0, /* begin [cols + 1], index = rows    [begin[cols]], value */
    FROND_CSR = 1, /* begin [rows + 1], index = columns [begin[rows]], value */
    FROND_TRIPLETS = 2, /* begin = rows [entries], index = columns [entries], value [entries] */
    FROND_ROWS =
        3 /* whole rows `row` [given_rows]: begin [given_rows + 1], index = columns, value; over all ranks of the
                      session each row once */
} frond_format;

typedef enum frond_symmetry {
    FROND_GENERAL = 0,
    FROND_SYMMETRIC = 1,
    FROND_HERMITIAN = 2,
    FROND_SKEW_SYMMETRIC = 3
} frond_symmetry;

/** Which triangle is there when symmetry is not FROND_GENERAL. */
typedef enum frond_triangle { FROND_BOTH = 0, FROND_LOWER = 1, FROND_UPPER = 2 } frond_triangle;

/** A matrix in the caller's memory, read during the call it is given to and not kept. Indices may
 *  be unsorted; duplicate entries are summed. */
typedef struct frond_matrix {
    size_t struct_bytes;
    int32_t format; /* frond_format */
    int32_t symmetry; /* frond_symmetry */
    int32_t triangle; /* frond_triangle */
    int32_t index_bits; /* 32 or 64: the type of begin and index; 0: 32 */
    int32_t one_based; /* nonzero: indices start at 1 */
    int64_t rows, cols;
    int64_t entries; /* FROND_TRIPLETS; ignored for compressed formats */
    const void* begin;
    const void* index;
    const void* value; /* of the scalar type of the solver */
    int64_t given_rows; /* FROND_ROWS: how many rows are here */
    const void* row; /* FROND_ROWS: their numbers in the matrix */
} frond_matrix;

/** A dense square matrix in the caller's memory: entry (i, j) at value[i + j * ld]. It is read by frond_factor_dense, and
 *  by every solve with these factors: it must stay as it is until the last of them. The factors take as much memory again.
 *  In a session with a communicator each rank gives the block that it has: what follows `value` says which, as DenseLayout
 *  in dense_matrix_view.hpp does (all 0: rank 0 has the matrix), or by the numbers of its rows and columns. */
typedef struct frond_dense_matrix {
    size_t struct_bytes;
    int32_t symmetry; /* frond_symmetry; FROND_SYMMETRIC and FROND_HERMITIAN: one triangle is read */
    int32_t triangle; /* FROND_UPPER: that one; else the lower one */
    int64_t order;
    int64_t ld; /* >= order; 0: order */
    const void* value; /* of the scalar type of the solver */
    int32_t row_block, column_block, process_rows, process_columns;
    const int32_t* row_map; /* [rows] which rows of the matrix these are, from 0; NULL: by the layout, or all */
    int64_t rows; /* with row_map, which is not NULL even for 0 */
    const int32_t* column_map; /* [columns] the same */
    int64_t columns;
} frond_dense_matrix;

/** A matrix that was read from a file; it owns the arrays of the frond_matrix that it gives. */
typedef struct frond_matrix_file frond_matrix_file;

/** Reads a Matrix Market or Rutherford-Boeing file, plain or compressed (see read_matrix in matrix_file.hpp), a
 *  pipe, or for "-" standard input. *scalar says what solver takes the
 *  matrix: FROND_DOUBLE, or FROND_COMPLEX_DOUBLE when the file is complex. *matrix (FROND_STRUCT
 *  first) shows the entries, 0-based, and is good until frond_matrix_file_destroy.
 *  Cost: the time to read the file; memory for the entries, twice while they are put in order.
 *  FROND_INVALID_MATRIX: the file is not right, with its line. */
frond_status frond_matrix_file_read(const char* path, frond_matrix_file** file, frond_scalar* scalar,
                                    frond_matrix* matrix);
/** NULL is allowed. */
void frond_matrix_file_destroy(frond_matrix_file* file);

/* --- solver ---------------------------------------------------------------------------------- */

typedef struct frond_solver frond_solver;

/** options: "ordering=metis deterministic=on", NULL or "" for the defaults (docs/options.md). */
frond_status frond_solver_create(const frond_session* session, frond_scalar scalar, const char* options,
                                 frond_solver** solver);
/** Takes effect with the next call that uses the option. FROND_INVALID_ARGUMENT: unknown name or
 *  value, and the message lists what is allowed. */
frond_status frond_solver_set_option(frond_solver* solver, const char* name, const char* value);
/** Copies the value as text, at most capacity bytes with the final 0. */
frond_status frond_solver_get_option(const frond_solver* solver, const char* name, char* value, size_t capacity);
/** NULL is allowed. */
void frond_solver_destroy(frond_solver* solver);

/** Elimination order of the next frond_analyze: order[k] is the column eliminated k-th, 0-based, each
 *  of 0 .. n - 1 once. Copied; sets the option "ordering" to user. */
frond_status frond_solver_set_user_order(frond_solver* solver, const int64_t* order, int64_t n);

/** Called from worker threads, one call at a time; must return soon. Nonzero stops the job, which
 *  then returns FROND_CANCELLED. Calls of Frond in it return FROND_RUNTIME_ERROR. */
typedef int (*frond_progress)(double done_flops, double total_flops, double seconds, void* context);
frond_status frond_solver_set_progress(frond_solver* solver, frond_progress progress, void* context);

/** The cudaStream_t or hipStream_t whose work later calls of frond_solve wait for before they read b and
 *  write x. NULL: the legacy default stream where b or x is on the device, else none. */
frond_status frond_solver_set_stream(frond_solver* solver, void* stream);

/** The one function that any thread may call while another one works with the solver. cancel nonzero:
 *  frond_factor, frond_solve, frond_condition_estimate, frond_skeel_condition and frond_null_space under way return
 *  FROND_CANCELLED soon, later ones at once, until cancel is 0 again. */
frond_status frond_solver_cancel(frond_solver* solver, int32_t cancel);

/** Analyses the pattern (and magnitudes, for matching). One analysis serves many factorizations. Forgets factors.
 *  Before values are known, value may be NULL (without a communicator), or all 0: the pattern alone is then analysed, and
 *  factorization=automatic is lu, ldlt or ldlh by the symmetry.
 *  Cost: about (entries + n) log n operations for the ordering, which takes most of the time, by one thread a core; see
 *  Solver::analyze in solver.hpp.
 *  FROND_INVALID_MATRIX: not square, NaN or Inf, an index out of range, a kind that the options cannot take. */
frond_status frond_analyze(frond_solver* solver, const frond_matrix* a);

/** Factors the values; the pattern must be the analysed one. Analyses first when nothing was. After a
 *  failure the solver has the factors that it had before.
 *  Cost: the report's flops, real operations; memory: its peak_bytes_predicted.
 *  FROND_INVALID_MATRIX: NaN or Inf. FROND_INVALID_ARGUMENT: another pattern. FROND_MEMORY_BUDGET_EXCEEDED, FROND_DEVICE_ERROR,
 *  FROND_CANCELLED, FROND_SINGULAR_MATRIX (null_pivots=error). */
frond_status frond_factor(frond_solver* solver, const frond_matrix* a);

/** Factors other values of the pattern that the caller promises: values[k], of the scalar type of the
 *  solver, is the value of entry k of the arrays that frond_analyze was given (after
 *  frond_load_analysis or without frond_analyze: frond_factor, the first time), also where entries
 *  appear twice, in any order, or in the other triangle; of symmetric matrices given by both triangles
 *  the lower one is read. count: the number of entries of those arrays. In the memory of the host or of
 *  the session's first device, where what was queued in the legacy default stream comes first. As
 *  frond_factor, but nothing of the pattern is read or checked: values are copied once, and NaN and Inf
 *  are found. Cost and errors: as frond_factor; FROND_INVALID_ARGUMENT where nothing was analysed, or
 *  count is another number. */
frond_status frond_solver_factor_values(frond_solver* solver, const void* values, int64_t count);

/** Factors a dense matrix, without frond_analyze: L U, or of one triangle L L^H, L D L^T or L D L^H. Options of orderings
 *  and matchings must have their defaults. frond_solve, reports, determinant, condition and null space are those of sparse
 *  matrices. Forgets earlier analyses and factors first: after a failure the solver has none. In a session with a
 *  communicator all ranks call it, each with its block.
 *  Cost: 2/3 n^3 real operations, half of that for one triangle; memory: one more matrix, or half of one.
 *  Errors: as frond_factor. */
frond_status frond_factor_dense(frond_solver* solver, const frond_dense_matrix* a);

/** op(A) X = B, op being the option "operation". b and x: [n, rhs] column major with leading
 *  dimensions ldb, ldx >= n (0: n), of the scalar type of the solver; x may be b. Either may be in
 *  the memory of the session's first device: what was queued in the stream of frond_solver_set_stream
 *  comes before the solve, and x is written when the call returns.
 *  Cost: 2 (L U) or 4 operations for each entry of the factors and right-hand side, once and for each step
 *  of refinement; some 4 for each entry of A as often. See solve in solver.hpp.
 *  FROND_INVALID_ARGUMENT: nothing was factored, sizes that do not fit, or NaN or Inf in b, with the row and column of the
 *  first one, from 0; x is then as before. FROND_MEMORY_BUDGET_EXCEEDED: one right-hand side is more than
 *  solve_memory_budget_bytes. FROND_SINGULAR_MATRIX: the option null_pivots is error, and null pivots were met where
 *  factors of static pivoting did not suffice. FROND_DEVICE_ERROR, FROND_CANCELLED. FROND_OK does not say that the
 *  accuracy was reached: frond_solve_report's converged does. */
frond_status frond_solve(frond_solver* solver, int64_t rhs, const void* b, int64_t ldb, void* x, int64_t ldx);

/** Some rows of a block of right-hand sides or solutions. */
typedef struct frond_block_rows {
    size_t struct_bytes;
    int64_t rows; /* here */
    const int64_t*
        row; /* [rows] their numbers in the whole block, from 0; NULL on all ranks: rank 0 has the first ones,
                           rank 1 the next, and so on */
    void* data; /* [rows, rhs], column major; of B it is read alone */
    int64_t ld; /* >= rows; 0: rows */
} frond_block_rows;

/** frond_solve in a session with a communicator: each rank has the rows of B and X that it names. Every row of B is with one
 *  rank; a row of X may go to several, or to none. There, frond_solve takes B and X whole on rank 0, and NULL elsewhere. */
frond_status frond_solve_rows(frond_solver* solver, int64_t rhs, const frond_block_rows* b, const frond_block_rows* x);

/* --- reports --------------------------------------------------------------------------------- */

typedef struct frond_analysis_report {
    size_t struct_bytes;
    int64_t order, entries;
    double seconds;
    char ordering[16], factorization[16]; /* names as in docs/options.md */
    int32_t matched, structural_rank;
    int64_t fronts, subtrees, pairs;
    double flops;
    int64_t factor_entries, peak_bytes_predicted;
    int64_t duplicates_summed;
    int64_t solve_bytes_predicted; /* of a solve of one right-hand side, in addition to the factors */
    int64_t distributed; /* 1: each of several processes has its part alone */
    /* frond_triangle; FROND_LOWER, FROND_UPPER: a general matrix has entries off the diagonal in that triangle alone, so it
       is triangular, or half of a symmetric one that was not declared so; not told on several ranks */
    int64_t one_triangle;
} frond_analysis_report;

typedef enum frond_factor_status {
    FROND_FACTOR_SUCCESS = 0,
    FROND_FACTOR_PERTURBED = 1, /* small pivots were raised; the solve repairs */
    FROND_FACTOR_SINGULAR = 2, /* null pivots were met, see frond_small_pivots */
    FROND_FACTOR_NOT_POSITIVE_DEFINITE = 3, /* a pivot not surely positive at failed_column; no factors to solve with */
    FROND_FACTOR_OVERFLOWED = 4 /* a pivot is not finite; no factors to solve with */
} frond_factor_status;

typedef struct frond_factor_report {
    size_t struct_bytes;
    int32_t status; /* frond_factor_status */
    char factorization[16];
    int32_t fell_back_to_ldlt, stale_matching;
    double seconds, flops;
    int64_t tasks, factor_entries, factor_bytes, peak_bytes, peak_bytes_predicted;
    int64_t perturbed, delayed, two_by_two;
    int32_t has_inertia; /* 0: negative, zero and positive mean nothing */
    int64_t negative, zero, positive;
    int64_t failed_column, small_pivots;
    char pivoting[16]; /* none, static or threshold */
    int32_t escalated; /* frond_solve factored again, with threshold pivoting */
    int64_t second_pass; /* columns that the first pass of threshold pivoting gave back */
    double largest_l; /* threshold pivoting: largest |l_ij|, see FactorReport::Pivots in reports.hpp */
    int64_t null_rows; /* see frond_null_rows */
    double null_pivot; /* threshold pivoting: columns (scaled) with no entry above this were null */
    int32_t repeated_for_rank; /* earlier factorizations showed that null_pivot is right */
    int32_t on_device; /* the whole tree at once on the device, without tasks */
    int64_t subtree_tasks; /* of tasks */
    double scaling_seconds; /* part of seconds */
    double static_pivot; /* pivots (scaled) below this were raised */
    double presolve_seconds; /* of the option presolve, after seconds; 0: nothing was made */
    int64_t bytes_to_devices, bytes_from_devices; /* see FactorReport in reports.hpp */
    int64_t devices_used; /* that shared the tree, or of several ranks the part of rank 0; 0: tasks did it */
    int32_t scaling_kept; /* an earlier scaling suited these values, and was not computed anew */
    double smallest_pivot, largest_pivot; /* of the scaled matrix, null ones left out */
    int64_t pieces_again; /* of a tree on devices: factored once more since pivots failed, counted each time */
} frond_factor_report;

typedef struct frond_solve_report {
    size_t struct_bytes;
    int32_t converged; /* 0: worse than target_backward_error, the errors say how much; or a part of a solve */
    double seconds;
    int64_t rhs, refinement_steps, krylov_iterations;
    /* largest over the right-hand sides; NaN for a part of a solve, which has none */
    double backward_error, componentwise_backward_error;
    int32_t has_forward_error; /* 0: the option forward_error was off, or no memory was left */
    int32_t escalated; /* factored again, with threshold pivoting */
    double forward_error; /* bound of |x - true x| / |x| in the inf-norm, largest likewise */
    int32_t on_device; /* the substitution ran on the device */
    int32_t
        short_of_memory; /* refinement ended early, or GMRES, an escalation or the forward error was left out for want of memory */
    int64_t memory_bytes; /* held in addition to factors, B and X, as predicted */
    int64_t columns_at_once; /* fewer than rhs where memory for all was not there */
    int32_t has_condition_hint; /* 0: none was made, see SolveReport in reports.hpp */
    double condition_hint; /* estimate of Skeel's condition, as of frond_skeel_condition */
    int32_t ill_conditioned; /* by the hint: maybe no digit of the solution is right */
    double
        pure_componentwise_backward_error; /* with no exception for rows of tiny unknowns, see reports.hpp; largest likewise */
} frond_solve_report;

/** Reports of the last analysis, factorization and solve of the solver. In a session with a communicator they are the same
 *  on all ranks, but for order, entries, factorization, fronts, subtrees, flops, factor_entries and bytes predicted of the
 *  analysis, which rank 0 knows; they are 0, or "", on the others. */
frond_status frond_solver_get_analysis_report(const frond_solver* solver, frond_analysis_report* report);
frond_status frond_solver_get_factor_report(const frond_solver* solver, frond_factor_report* report);
frond_status frond_solver_get_solve_report(const frond_solver* solver, frond_solve_report* report);

/** Columns of A whose pivot was raised or null, ascending, 0-based: copies at most capacity of them;
 *  the report's small_pivots says how many there are. */
frond_status frond_small_pivots(const frond_solver* solver, int64_t* columns, int64_t capacity);
/** Threshold pivoting: rows of A against the null columns, in the same way; there are null_rows. */
frond_status frond_null_rows(const frond_solver* solver, int64_t* rows, int64_t capacity);

/** Numbers of the last solve, for each right-hand side (the report's rhs says how many): normwise and
 *  componentwise backward errors, and bounds of the forward error (with the option forward_error;
 *  FROND_INVALID_ARGUMENT without). Copies at most capacity of each; any pointer may be NULL. */
frond_status frond_solve_errors(const frond_solver* solver, double* backward, double* componentwise, double* forward,
                                int64_t capacity);

/** log |det A| and its sign or phase (real, imaginary). FROND_INVALID_ARGUMENT when the
 *  factorization does not give it (perturbed or null pivots). Cost: O(n). */
frond_status frond_log_determinant(const frond_solver* solver, double* log_abs, double phase[2]);

/** ||A||_1, an estimate of ||A^-1||_1 and the reciprocal of their product, 0 when A is singular; any
 *  of the pointers may be NULL. Cost: this and frond_skeel_condition, some 8 to 22 solves with 2
 *  right-hand sides, without refinement; frond_null_space, one solve and one step of refinement with
 *  *dimension = k right-hand sides, and 4 n k^2 operations. */
frond_status frond_condition_estimate(const frond_solver* solver, double* norm_1, double* inverse_norm_1,
                                      double* reciprocal_condition);

/** Skeel's condition of the scaled matrix, estimated: relative changes eps of the entries of A change the
 *  unknowns by at most about that times eps of the largest; infinite when A is singular. ill_conditioned
 *  (may be NULL): 1 when rounding alone may leave no digit of a solution right. */
frond_status frond_skeel_condition(const frond_solver* solver, double* skeel_condition, int32_t* ill_conditioned);

/** Orthonormal basis of the null space of A (left = 0) or of A^H: *dimension is set first; basis
 *  [n, *dimension], leading dimension n, of the scalar type of the solver, is written when it is not
 *  NULL and capacity >= *dimension columns. residual: largest |A z| / (|A| |z|), may be NULL.
 *  In a session with a communicator this and the three above are collective; rank 0 gets the basis. */
frond_status frond_null_space(const frond_solver* solver, int32_t left, int64_t* dimension, void* basis,
                              int64_t capacity, double* residual);

/* --- analyses in files ----------------------------------------------------------------------- */

/** Writes the analysis of the solver to a file; path: UTF-8 or as the system takes it. In a session with a communicator
 *  all ranks call this, rank 0 writes the file, to its path, and all get its status. */
frond_status frond_save_analysis(const frond_solver* solver, const char* path);
/** Takes the analysis of such a file in place of frond_analyze, with its options of the analysis;
 *  forgets factors. The file may come from a solver of another scalar type. In a session with a communicator all ranks
 *  read it, and where one of them cannot, all get its status, and the solver stays as it was. */
frond_status frond_load_analysis(frond_solver* solver, const char* path);

#ifdef __cplusplus
}
#endif

#endif

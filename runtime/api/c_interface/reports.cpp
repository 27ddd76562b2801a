// SPDX-License-Identifier: BSD-3-Clause

#include "guarded.hpp"
#include "frond/enum_text.hpp"

namespace frond::c_interface {

static_assert(FROND_FACTOR_OVERFLOWED == static_cast<int>(FactorStatus::overflowed));
static_assert(FROND_FACTOR_NOT_POSITIVE_DEFINITE == static_cast<int>(FactorStatus::not_positive_definite));
static_assert(FROND_SKEW_SYMMETRIC == static_cast<int>(Symmetry::skew_symmetric));
static_assert(FROND_UPPER == static_cast<int>(Triangle::upper));
namespace {

void copy_pivots(const FactorReport::Pivots& from, frond_factor_report& r) {
    r.perturbed = from.perturbed;
    r.delayed = from.delayed;
    r.second_pass = from.second_pass;
    r.two_by_two = from.two_by_two;
    r.largest_l = from.largest_l;
    r.smallest_pivot = from.smallest;
    r.largest_pivot = from.largest;
    r.static_pivot = from.raised_below;
    r.null_pivot = from.null_below;
    r.has_inertia = from.inertia.has_value();
    if (from.inertia) {
        r.negative = from.inertia->negative;
        r.zero = from.inertia->zero;
        r.positive = from.inertia->positive;
    }
    r.failed_column = from.failed_column;
    r.small_pivots = static_cast<int64_t>(from.small_columns.size());
    r.null_rows = static_cast<int64_t>(from.null_rows.size());
}

void copy_memory(const FactorReport::Memory& from, frond_factor_report& r) {
    r.factor_entries = from.factor_entries;
    r.factor_bytes = from.factor_bytes;
    r.peak_bytes = from.peak_bytes;
    r.peak_bytes_predicted = from.peak_bytes_predicted;
}

void copy_place(const FactorReport::Place& from, frond_factor_report& r) {
    r.on_device = from.on_device;
    r.devices_used = from.devices_used;
    r.bytes_to_devices = from.bytes_to_devices;
    r.bytes_from_devices = from.bytes_from_devices;
}

void copy_work(const FactorReport::Work& from, frond_factor_report& r) {
    r.flops = from.flops;
    r.tasks = from.tasks;
    r.subtree_tasks = from.subtree_tasks;
    r.pieces_again = from.pieces_again;
    r.scaling_seconds = from.scaling_seconds;
    r.presolve_seconds = from.presolve_seconds;
    r.scaling_kept = from.scaling_kept;
    r.repeated_for_rank = from.repeated_for_rank;
}

}  // namespace

frond_factor_report factor_report_of(const FactorReport& from) {
    frond_factor_report r{};
    r.status = static_cast<int32_t>(from.status);
    copy_text(to_string(from.factorization), r.factorization);
    copy_text(to_string(from.pivoting), r.pivoting);
    r.fell_back_to_ldlt = from.fell_back_to_ldlt;
    r.escalated = from.escalated;
    r.stale_matching = from.stale_matching;
    r.seconds = from.seconds;
    copy_pivots(from.pivots, r);
    copy_memory(from.memory, r);
    copy_place(from.place, r);
    copy_work(from.work, r);
    return r;
}

frond_solve_report solve_report_of(const SolveReport& from) {
    frond_solve_report r{};
    r.converged = from.status == SolveStatus::converged;
    r.seconds = from.seconds;
    r.rhs = from.rhs;
    r.refinement_steps = from.refinement_steps;
    r.krylov_iterations = from.krylov_iterations;
    r.backward_error = from.backward_error;
    r.componentwise_backward_error = from.componentwise_backward_error;
    copy_optional(from.forward_error, r.has_forward_error, r.forward_error);
    r.escalated = from.escalated;
    r.on_device = from.on_device;
    r.short_of_memory = from.short_of_memory;
    r.memory_bytes = from.memory_bytes;
    r.columns_at_once = from.columns_at_once;
    copy_optional(from.condition_hint, r.has_condition_hint, r.condition_hint);
    r.ill_conditioned = from.ill_conditioned;
    r.pure_componentwise_backward_error = from.pure_componentwise_backward_error;
    return r;
}

frond_session_info session_info_of(const SessionInfo& from) {
    frond_session_info r{};
    r.owns_starpu = from.owns_starpu;
    r.cpu_workers = from.cpu_workers;
    r.cuda_workers = from.cuda_workers;
    r.hip_workers = from.hip_workers;
    r.mpi_ranks = from.mpi_ranks;
    r.memory_total_bytes = from.memory_total_bytes;
    r.memory_free_bytes = from.memory_free_bytes;
    copy_text(from.scheduler, r.scheduler);
    copy_text(from.starpu_version, r.starpu_version);
    copy_text(from.blas, r.blas);
    copy_text(from.blas_kernel, r.blas_kernel);
    copy_text(from.blas_advice, r.blas_advice);
    copy_text(to_string(from.gpu_vendor), r.gpu_vendor);
    copy_text(from.gpu_advice, r.gpu_advice);
    r.gpus = from.gpus;
    copy_text(from.worker_binding, r.worker_binding);
    r.mpi_rank = from.mpi_rank;
    copy_text(from.mpi_library, r.mpi_library);
    copy_text(from.mpi_advice, r.mpi_advice);
    copy_text(from.tuning_file, r.tuning_file);
    copy_text(from.tuning, r.tuning);
    copy_text(from.tuning_advice, r.tuning_advice);
    return r;
}

}  // namespace frond::c_interface

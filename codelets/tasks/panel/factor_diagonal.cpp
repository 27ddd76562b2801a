// SPDX-License-Identifier: BSD-3-Clause
#include "factor_diagonal.hpp"

#include "frond/base/instantiate.hpp"
#include "frond/codelets/task_kind.hpp"
#include "frond/cpu/kernels.hpp"

namespace frond {
namespace {

template <class T>
void factor_diagonal_cpu(void* buffers[], void* raw) noexcept {
    run_task<FactorDiagonalArguments>(raw, [&](const FactorDiagonalArguments& a) {
        const auto tile = matrix_buffer<T>(buffers, 0);
        const bool has_record = a.kind != Factorization::llt;
        unsigned char* const record = has_record ? vector_buffer<unsigned char>(buffers, 1) : nullptr;
        PivotOutcome& outcome = outcome_buffer(a.kind, buffers, 1);
        outcome.begin(tile.cols);
        factor_diagonal_on_host(a, tile, record, outcome);
    });
}

}  // namespace

template <class T>
void factor_diagonal_on_host(const FactorDiagonalArguments& a, DenseView<T> tile, unsigned char* record_bytes,
                             PivotOutcome& outcome) {
    PivotReport& report = outcome.counts;
    if (a.kind == Factorization::llt) return cpu::factor_llt(tile, report);
    const auto record = PivotRecord<T>::at(record_bytes, tile.rows);
    const bool lu = a.kind == Factorization::lu;
    const count_t scalars = lu ? cpu::factor_lu_workspace(tile.rows) : cpu::factor_ldlt_workspace(tile.rows);
    const auto work = a.workspaces->lend(scalars * static_cast<count_t>(sizeof(T)));
    if (lu)
        cpu::factor_lu(tile, a.rule, record.perm, work.template as<T>(), report, record.replaced);
    else
        cpu::factor_ldlt(tile, a.kind == Factorization::ldlh, a.rule, record.pivots, record.perm, work.template as<T>(),
                         report, record.replaced);
}

FROND_DEFINE_CODELETS(factor_diagonal_codelet, "factor_diagonal", 0xE63946, TaskModel::Work::flops, relative_speed<T>,
                      factor_diagonal_cpu<T>, gpu::factor_diagonal<T>)

#define FROND_INSTANTIATE(T)                                                                               \
    template void factor_diagonal_on_host<T>(const FactorDiagonalArguments&, DenseView<T>, unsigned char*, \
                                             PivotOutcome&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond

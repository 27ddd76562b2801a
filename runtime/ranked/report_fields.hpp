// SPDX-License-Identifier: BSD-3-Clause
// Reports of rank 0 for all ranks: every field, once for both directions.
#pragma once

#include "frond/analysis/analysis.hpp"
#include "frond/reports.hpp"
#include "ranks/collectively.hpp"
#include "ranks/message.hpp"

namespace frond::detail {

template <class Archive>
void visit_fields(Archive& archive, AnalysisReport& r) {
    archive(r.seconds, r.matching_seconds, r.ordering_seconds, r.symbolic_seconds, r.ordering, r.candidates, r.machine,
            r.matched, r.structural_rank, r.compressed_vertices, r.pairs, r.supernodes_before_amalgamation,
            r.distributed, r.factorization, r.flops);
}

template <class Archive>
void visit_fields(Archive& archive, FactorReport& r) {
    auto& p = r.pivots;
    archive(r.status, r.factorization, r.pivoting, r.fell_back_to_ldlt, r.escalated, r.stale_matching, r.seconds);
    archive(p.perturbed, p.delayed, p.second_pass, p.two_by_two, p.largest_l, p.smallest, p.largest, p.raised_below,
            p.null_below, p.inertia, p.failed_column, p.small_columns, p.null_rows);
    archive(r.memory, r.place.on_device, r.place.devices_used, r.place.reason, r.place.bytes_to_devices,
            r.place.bytes_from_devices);
    auto& w = r.work;
    archive(w.flops, w.tasks, w.subtree_tasks, w.scaling_seconds, w.presolve_seconds, w.front_seconds, w.scaling_kept,
            w.repeated_for_rank, w.pieces_again);
}

template <class Archive>
void visit_fields(Archive& archive, SolveReport& r) {
    archive(r.status, r.seconds, r.substitution_seconds, r.rhs, r.refinement_steps, r.krylov_iterations,
            r.backward_error, r.componentwise_backward_error, r.backward_errors, r.componentwise_backward_errors,
            r.pure_componentwise_backward_error, r.pure_componentwise_backward_errors, r.forward_error,
            r.forward_errors, r.escalated, r.condition_hint, r.ill_conditioned, r.on_device, r.place_reason,
            r.memory_bytes, r.columns_at_once, r.short_of_memory);
}

/// report := that of rank `root`. Collective.
template <class Report>
void share(Communicator& ranks, Report& report, index_t root = 0) {
    if (ranks.size() == 1) return;
    std::vector<std::byte> bytes;
    broadcast_made(ranks, bytes, root, [&] {
        Packer pack;
        visit_fields(pack, report);
        bytes = pack.bytes();
    });
    where_large(ranks, static_cast<count_t>(bytes.size()), [&] {  // lists of columns, say
        if (ranks.rank() == root) return;
        Unpacker unpack(bytes);
        visit_fields(unpack, report);
    });
}

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
// What a rank tells rank 0 of the units that it has factored.
#pragma once

#include <span>
#include <vector>

#include "factors/tree_factors.hpp"
#include "frond/base/parallel_for.hpp"
#include "frond/cpu/pivot_report.hpp"
#include "frond/reports.hpp"
#include "ranks/communicator.hpp"
#include "ranks/message.hpp"

namespace frond::detail {

/// factors.ownership.own_pivots := those of this rank's diagonal blocks, for RemotePivots of rank 0.
template <class T>
void list_own_pivots(TreeFactors<T>& factors, const ParallelFor& parallel_for);

/// On rank 0 a list with entries, and no values yet, for the diagonal blocks of all others: begin [ranks + 1] of those
/// of each.
template <class T>
std::vector<count_t> make_places_for_others(const TreeFactors<T>& factors, ListedPivots<T>& listed);
/// The lists of all others, on rank 0, with what these call at the same time.
template <class T>
void receive_listed(Communicator& ranks, std::span<const count_t> begin, Factorization kind, ListedPivots<T>& listed);
template <class T>
void send_listed(Communicator& ranks, Factorization kind, const ListedPivots<T>& listed);

/// The second passes of this rank's units, which end what is packed.
template <class T>
void pack_second_passes(Packer& pack, const TreeFactors<T>& factors);
/// Adds those of one rank to `pivots`.
template <class T>
void unpack_second_passes(Unpacker& unpack, RemotePivots<T>& pivots);

/// What is added up over ranks: numbers of pivots and of tasks, seconds of fronts.
struct FactoredPart {
    PivotReport pivots;
    double flops = 0;
    count_t tasks = 0, factor_bytes = 0, peak_bytes = 0, peak_bytes_predicted = 0;
    std::vector<double> front_seconds;

    template <class Archive>
    void visit(Archive& archive) {
        archive(pivots, flops, tasks, factor_bytes, peak_bytes, peak_bytes_predicted, front_seconds);
    }
    void add_to(FactorReport& report, PivotReport& all) const;
};

}  // namespace frond::detail

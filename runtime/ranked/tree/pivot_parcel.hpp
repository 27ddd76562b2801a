// SPDX-License-Identifier: BSD-3-Clause
// What a rank tells rank 0 of the units that it has factored.
#pragma once

#include "factors/factors_state.hpp"
#include "frond/cpu/pivot_report.hpp"
#include "ranks/message.hpp"

namespace frond::detail {

/// The pivots of this rank's units, for RemotePivots of rank 0.
template <class T>
void pack_pivots(Packer& pack, const FactorsState<T>& state);
/// Adds those of one rank to `pivots`. @throws RuntimeError where the bytes are not those of pack_pivots
template <class T>
void unpack_pivots(Unpacker& unpack, RemotePivots<T>& pivots);

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

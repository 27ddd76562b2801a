// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "device_memory.hpp"
#include "frond/base/vector_index.hpp"
#include "kernels/substitution/solve_vectors.hpp"
#include "solve/resident_plan.hpp"

namespace frond::gpu {

/// shift[p]: how far from the row at position p is the one that the pivot order puts there.
template <class T>
std::vector<index_t> shifts(const PlacedFactors<T>& factors) {
    std::vector<index_t> shift(factors.pivot_order.size(), 0);
    if (shift.empty()) return shift;
    const AssemblyTree& tree = factors.analysis->tree;
    for (index_t f = 0; f < tree.front_count(); ++f) {
        const Front& front = tree.fronts[at(f)];
        for (index_t r = 0; r < front.npiv && factors.fronts[at(f)].part != nullptr; ++r)
            shift[at(front.first_column + r)] = factors.pivot_order[at(front.first_column + r)] - r;
    }
    return shift;
}

/// Which rows of the vectors belong together, on the device.
struct DeviceRows {
    DeviceMemory<index_t> position, shift, pivot_order;
    DeviceMemory<std::uint32_t> pull_begin, pull;

    DeviceRows(unsigned node, Stream stream, const RowTables& tables)
        : position(on_device(node, stream, tables.position)),
          pull_begin(on_device(node, stream, tables.pull_begin)),
          pull(on_device(node, stream, tables.pull)) {}

    /// Sends the pivot order of the factors, whenever these are other ones.
    template <class T>
    void send_pivot_order(unsigned node, Stream stream, const PlacedFactors<T>& factors) {
        send_table(node, stream, shifts(factors), shift);
        send_table(node, stream, factors.pivot_order, pivot_order);
    }

    /// With a transpose, rows take their pivot order at the end.
    SolveRows of_solve(bool is_transposed) const {
        return {position.data(), pull_begin.data(), pull.data(), is_transposed ? nullptr : shift.data()};
    }
};

}  // namespace frond::gpu

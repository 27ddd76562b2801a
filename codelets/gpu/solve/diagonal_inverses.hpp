// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "device_memory.hpp"
#include "frond/gpu/resident_solve.hpp"
#include "graph.hpp"
#include "kernels/substitution/invert_blocks.hpp"
#include "queue.hpp"
#include "solve/solve_steps.hpp"

namespace frond::gpu {

/// Inverses of the diagonal blocks of factors. With factors at the same addresses the lists of blocks stay; from the
/// second time there on the launches, thousands for tiles of a thousand columns, are launched as one record.
template <class T>
class DiagonalInverses {
public:
    /// steps: where they go in data(); for the life of this.
    DiagonalInverses(unsigned memory_node, const SolveSteps& steps)
        : node_(memory_node), inverses_(node_, steps.scalars) {}

    T* data() const noexcept { return inverses_.data(); }
    /// data() := inverses of the diagonal blocks, zeros in their other triangles. have_moved: factors are elsewhere than in
    /// the call before, or this is the first. Waits for the queue. @throws DeviceError
    void compute(const Queue& queue, const PlacedFactors<T>& factors, const SolveSteps& steps, bool have_moved);

private:
    /// A diagonal block of the factors, and where its inverse lies.
    struct Diagonal {
        DenseView<const T> block;
        DenseView<T> inverse;
        bool upper;
    };
    void list(const Queue& queue, const PlacedFactors<T>& factors, const SolveSteps& steps);
    void add_diagonal(const DenseView<const T>& block, const SolveStep& step, bool unit_lower,
                      std::vector<TriangleToInvert<DeviceScalar<T>>>& triangles);
    void launch(const Queue& queue) const;
    void join(const Queue& queue, const Diagonal& d) const;

    unsigned node_;
    DeviceMemory<T> inverses_, scratch_;
    DeviceMemory<TriangleToInvert<DeviceScalar<T>>> triangles_;
    count_t triangle_count_ = 0;
    std::vector<Diagonal> wide_;  // of more than inverse_block columns
    std::unique_ptr<Graph> recorded_;
};

}  // namespace frond::gpu

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <memory>

#include "device_memory.hpp"
#include "graph.hpp"
#include "solve/solve_phases.hpp"

namespace frond::gpu {

/// Phases of a whole solve with their tables on the device, and their records.
template <class T>
class DeviceSubstitution {
    using S = DeviceScalar<T>;

public:
    /// For at most so many vectors at once.
    DeviceSubstitution(unsigned node, Stream stream, SolvePhases<S>&& all, index_t most_rhs);

    /// Puts those of a sweep, or of both, on the stream, for vectors.rhs vectors. conjugated: the entries of transposed factors; hermitian: of
    /// the block diagonal. rows and all of vectors but rhs are the same at every call.
    void run(Stream stream, Sweep sweep, const SolveRows& rows, const SolveVectors<S>& vectors, bool conjugated,
             bool hermitian);
    count_t bytes() const noexcept;

private:
    /// Launching a phase takes the host about as long as the device takes for a small one, and what a record takes
    /// to be made pays from the second launch on.
    struct Recorded {
        index_t rhs = 0;
        bool conjugated = false;
        std::array<bool, 3> has_run{};  // by sweep
        std::array<std::unique_ptr<Graph>, 3> graph;
    };

    Recorded& find(index_t rhs, bool conjugated);
    void launch(Stream stream, Sweep sweep, const SolveRows& rows, const SolveVectors<S>& v, bool conjugated,
                bool hermitian) const;
    void launch_products(Stream stream, const SolvePhase& p, bool conjugated, index_t rhs) const;
    SharedSums<S> shared() const { return {shared_sums_.data(), counters_.data()}; }
    void launch_tiles(Stream stream, const SolvePhase& p, bool conjugated, index_t rhs) const;

    std::vector<SolvePhase> phases_;
    std::size_t backward_begin_;
    DeviceMemory<SolveProduct<S>> products_;
    DeviceMemory<SolvePiece<S>> pieces_;
    DeviceMemory<SolveChunk> chunks_;
    DeviceMemory<SolveChunk> tiles_;
    DeviceMemory<PivotRun<S>> runs_;
    DeviceMemory<S> shared_sums_;
    DeviceMemory<unsigned> counters_;
    std::array<Recorded, 2> recorded_;  // the last one used first
};

}  // namespace frond::gpu

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "solve/solve_phases.hpp"

namespace frond::gpu {

/// Cuts products of one kind into the chunks of a phase. Long sums are shared, so that a few products with many entries
/// keep the whole device reading; of many products with few entries, each chunk is for some lanes only.
template <class S>
class ChunkCutter {
public:
    /// For products first .. of the tables.
    ChunkCutter(SolvePhases<S>& tables, std::size_t first, bool transposed);

    /// Appends the chunks to the tables and says in the phase which they are.
    void cut(SolvePhase& phase);

private:
    struct Range {
        index_t begin, end;
        index_t length() const { return end - begin; }
    };

    /// Entries of a piece that outputs first .. need.
    Range range(const SolvePiece<S>& piece, index_t first) const;
    void choose_length();
    void cut_outputs(index_t number, index_t first);
    void add_whole(index_t number, index_t first, index_t length);
    void share_piece(SolveChunk chunk, Range whole, index_t parts);
    index_t parts_of(index_t length) const;

    SolvePhases<S>& tables_;
    std::size_t first_;
    bool transposed_;
    index_t length_ = 0;  // of the sums of a chunk, about
    count_t shared_sums_ = 0;
    std::vector<SolveChunk> narrow_;
};

}  // namespace frond::gpu

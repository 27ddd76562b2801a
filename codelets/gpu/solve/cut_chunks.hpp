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

    /// The same of tiles, for many vectors.
    void cut_tiles(SolvePhase& phase);

private:
    struct Range {
        index_t begin, end;
        index_t length() const { return end - begin; }
    };

    /// Entries of a piece that outputs first .. need.
    Range range(const SolvePiece<S>& piece, index_t first) const;
    count_t entries() const;
    count_t sums_of_tiles() const;
    void cut_products(std::vector<SolveChunk>& to);
    void cut_outputs(index_t number, index_t first);
    void add_whole(index_t number, index_t first, index_t length);
    void share_piece(SolveChunk chunk, Range whole, index_t parts);
    index_t parts_of(index_t length) const;

    SolvePhases<S>& tables_;
    std::size_t first_;
    bool transposed_;
    index_t outputs_ = chunk_outputs;
    index_t length_ = 0;  // of the sums of a chunk, about
    index_t narrow_length_ = -1;  // sums of at most so many entries are narrow
    count_t shared_sums_ = 0;
    std::vector<SolveChunk>* chunks_ = nullptr;
    std::vector<SolveChunk> narrow_;
};

}  // namespace frond::gpu

// SPDX-License-Identifier: BSD-3-Clause
#include "solve/cut_chunks.hpp"

#include <algorithm>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::gpu {
namespace {

/// A phase of few entries is cut into so many chunks, about what a device works on at once.
constexpr count_t wanted_chunks = 512;
/// The bytes of factors in a chunk: less would not pay for adding its sums to those of others.
constexpr count_t least_bytes = 16 << 10, most_bytes = 128 << 10;
/// Narrow chunks have sums of at most so many entries, of a row or of a column. Where they are few, whole blocks of
/// threads end sooner.
constexpr index_t longest_row = 128, longest_column = 64;
constexpr std::size_t few_narrow = 2048;
/// Numbers about chunks of tiles: a device has room for a third of so many at once, and shorter parts would not pay for
/// being added.
constexpr count_t wanted_tiles = 1024;
constexpr count_t least_length = 128;

}  // namespace

template <class S>
ChunkCutter<S>::ChunkCutter(SolvePhases<S>& tables, std::size_t first, bool transposed)
    : tables_(tables), first_(first), transposed_(transposed) {}

template <class S>
count_t ChunkCutter<S>::entries() const {
    count_t entries = 0;
    for (std::size_t p = first_; p < tables_.products.size(); ++p) {
        const SolveProduct<S>& product = tables_.products[p];
        for (index_t n = 0; n < product.pieces; ++n) {
            const SolvePiece<S>& piece = tables_.pieces[at(product.first_piece + n)];
            entries += static_cast<count_t>(piece.rows) * piece.cols / (piece.shape == Shape::full ? 1 : 2);
        }
    }
    return entries;
}

/// Lengths of the sums of all tiles: a tile takes as long for a few outputs.
template <class S>
count_t ChunkCutter<S>::sums_of_tiles() const {
    count_t lengths = 0;
    for (std::size_t p = first_; p < tables_.products.size(); ++p) {
        const SolveProduct<S>& product = tables_.products[p];
        for (index_t first = 0; first < product.outputs; first += outputs_)
            for (index_t n = 0; n < product.pieces; ++n)
                lengths += range(tables_.pieces[at(product.first_piece + n)], first).length();
    }
    return lengths;
}

template <class S>
typename ChunkCutter<S>::Range ChunkCutter<S>::range(const SolvePiece<S>& piece, index_t first) const {
    const index_t length = transposed_ ? piece.rows : piece.cols;
    if (piece.shape == (transposed_ ? Shape::lower : Shape::upper)) return {first, length};
    if (piece.shape == Shape::full) return {0, length};
    return {0, std::min(length, first + outputs_)};
}

/// To the nearest: a little more than one part is one.
template <class S>
index_t ChunkCutter<S>::parts_of(index_t length) const {
    return std::max(1, (length + length_ / 2) / length_);
}

template <class S>
void ChunkCutter<S>::cut(SolvePhase& phase) {
    constexpr auto scalar = static_cast<count_t>(sizeof(S));
    const count_t bytes = std::clamp(entries() * scalar / wanted_chunks, least_bytes, most_bytes);
    length_ = static_cast<index_t>(bytes / (scalar * chunk_outputs));
    narrow_length_ = transposed_ ? longest_column : longest_row;
    std::vector<SolveChunk>& chunks = tables_.chunks;
    phase.begin = static_cast<std::uint32_t>(chunks.size());
    cut_products(chunks);
    const bool many = narrow_.size() >= few_narrow;
    phase.wide = static_cast<index_t>(chunks.size() - phase.begin + (many ? 0 : narrow_.size()));
    chunks.insert(chunks.end(), narrow_.begin(), narrow_.end());
    phase.end = static_cast<std::uint32_t>(chunks.size());
    tables_.shared_sums = std::max(tables_.shared_sums, shared_sums_);
}

template <class S>
void ChunkCutter<S>::cut_tiles(SolvePhase& phase) {
    outputs_ = tile_outputs<S>;
    length_ = static_cast<index_t>(std::max(sums_of_tiles() / wanted_tiles, least_length));
    phase.tile_begin = static_cast<std::uint32_t>(tables_.tiles.size());
    cut_products(tables_.tiles);
    phase.tile_end = static_cast<std::uint32_t>(tables_.tiles.size());
    tables_.shared_tiles = std::max(tables_.shared_tiles, shared_sums_);
}

template <class S>
void ChunkCutter<S>::cut_products(std::vector<SolveChunk>& to) {
    chunks_ = &to;
    for (std::size_t p = first_; p < tables_.products.size(); ++p)
        for (index_t first = 0; first < tables_.products[p].outputs; first += outputs_)
            cut_outputs(static_cast<index_t>(p), first);
}

template <class S>
void ChunkCutter<S>::cut_outputs(index_t number, index_t first) {
    const SolveProduct<S>& product = tables_.products[at(number)];
    const SolvePiece<S>* const pieces = tables_.pieces.data() + product.first_piece;
    index_t length = 0, parts = 0;
    for (index_t n = 0; n < product.pieces; ++n) {
        const index_t of_piece = range(pieces[n], first).length();
        length += of_piece;
        parts += parts_of(of_piece);
    }
    if (parts_of(length) == 1) return add_whole(number, first, length);
    SolveChunk chunk{number,
                     first,
                     product.first_piece,
                     0,
                     0,
                     1,
                     0,
                     static_cast<std::uint16_t>(parts),
                     static_cast<index_t>(shared_sums_)};
    shared_sums_ += parts;
    for (index_t n = 0; n < product.pieces; ++n, ++chunk.first_piece) {
        const Range all = range(pieces[n], first);
        const index_t of_piece = parts_of(all.length());
        share_piece(chunk, all, of_piece);
        chunk.part = static_cast<std::uint16_t>(chunk.part + of_piece);
    }
}

/// All pieces in one chunk. Several are never triangles.
template <class S>
void ChunkCutter<S>::add_whole(index_t number, index_t first, index_t length) {
    const SolveProduct<S>& product = tables_.products[at(number)];
    const index_t begin = product.pieces == 1 ? range(tables_.pieces[at(product.first_piece)], first).begin : 0;
    const SolveChunk chunk{
        number, first, product.first_piece, begin, begin + length, static_cast<std::uint16_t>(product.pieces), 0, 1, 0};
    (length <= narrow_length_ ? narrow_ : *chunks_).push_back(chunk);
}

/// Parts chunk.part .. + parts.
template <class S>
void ChunkCutter<S>::share_piece(SolveChunk chunk, Range whole, index_t parts) {
    chunk.end = whole.begin;
    for (index_t k = 1; k <= parts; ++k, ++chunk.part) {
        const count_t cut = static_cast<count_t>(whole.length()) * k / parts;
        chunk.begin = chunk.end;
        chunk.end = k == parts ? whole.end : whole.begin + static_cast<index_t>(cut / chunk_outputs) * chunk_outputs;
        chunks_->push_back(chunk);
    }
}

#define FROND_INSTANTIATE(T) template class ChunkCutter<DeviceScalar<T>>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::gpu

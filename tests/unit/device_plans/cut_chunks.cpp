// SPDX-License-Identifier: BSD-3-Clause
// Products of a solve cut into chunks: each entry of each sum in one of them, of sizes that were asked for.
#include "random_tree.hpp"
#include "solve/cut_chunks.hpp"
#include "random_sparse.hpp"
#include "scalar_lists.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

using namespace frond;
using namespace frond::test;

namespace {

using gpu::Shape;

template <class S>
void add_product(gpu::SolvePhases<S>& tables, index_t rows, index_t cols, Shape shape, bool transposed,
                 index_t pieces = 1) {
    gpu::SolveProduct<S> product{};
    product.first_piece = static_cast<index_t>(tables.pieces.size());
    product.pieces = pieces;
    product.outputs = transposed ? cols : rows;
    for (index_t n = 0; n < pieces; ++n) {  // of several, lengths differ
        gpu::SolvePiece<S> piece{};
        piece.rows = transposed ? rows + 7 * n : rows;
        piece.cols = transposed ? cols : cols + 7 * n;
        piece.shape = shape;
        tables.pieces.push_back(piece);
    }
    tables.products.push_back(product);
}

/// By the definition of a triangle: whether entry k of the sum of output i can be other than zero.
template <class S>
bool is_needed(const gpu::SolvePiece<S>& piece, bool transposed, index_t i, index_t k) {
    const index_t row = transposed ? k : i, column = transposed ? i : k;
    if (row >= piece.rows || column >= piece.cols) return false;
    return piece.shape == Shape::full || (piece.shape == Shape::lower ? column <= row : row <= column);
}

using Outputs = std::pair<index_t, index_t>;  // product and first

/// Entries that chunks of the same block of outputs read, of each piece: none twice, all that are needed.
template <class S>
void check_entries(const gpu::SolvePhases<S>& tables, Outputs outputs, const std::vector<gpu::SolveChunk>& chunks,
                   index_t block, bool transposed) {
    const gpu::SolveProduct<S>& product = tables.products[at(outputs.first)];
    for (index_t p = product.first_piece; p < product.first_piece + product.pieces; ++p) {
        const gpu::SolvePiece<S>& piece = tables.pieces[at(p)];
        const index_t length = transposed ? piece.rows : piece.cols;
        std::vector<int> read(at(length), 0);
        for (const gpu::SolveChunk& chunk : chunks) {
            REQUIRE(chunk.first_piece >= product.first_piece);
            REQUIRE(chunk.first_piece + chunk.pieces <= product.first_piece + product.pieces);
            if (p < chunk.first_piece || p >= chunk.first_piece + chunk.pieces) continue;
            REQUIRE(chunk.begin >= 0);
            for (index_t k = chunk.begin; k < std::min(chunk.end, length); ++k) ++read[at(k)];
        }
        const index_t last = std::min(outputs.second + block, product.outputs);
        int wrong = 0;
        for (index_t k = 0; k < length; ++k) {
            bool needed = false;
            for (index_t i = outputs.second; i < last && !needed; ++i) needed = is_needed(piece, transposed, i, k);
            wrong += read[at(k)] == (needed ? 1 : 0) ? 0 : 1;
        }
        REQUIRE(wrong == 0);
    }
}

/// Parts are numbered, and have places of their own in the shared sums.
void check_parts(const std::vector<gpu::SolveChunk>& chunks, count_t shared_sums, std::vector<char>& taken) {
    std::vector<char> there(chunks.size(), 0);
    for (const gpu::SolveChunk& chunk : chunks) {
        REQUIRE(chunk.parts == chunks.size());
        REQUIRE(chunk.part < chunk.parts);
        REQUIRE(there[chunk.part] == 0);
        there[chunk.part] = 1;
        if (chunk.parts == 1) continue;
        REQUIRE(chunk.first_sum == chunks.front().first_sum);
        REQUIRE(chunk.first_sum + chunk.part < shared_sums);
        REQUIRE(taken[at(chunk.first_sum + chunk.part)] == 0);
        taken[at(chunk.first_sum + chunk.part)] = 1;
    }
}

/// Checks that a chunk has at most 128 KB of the factors in 32 outputs for a sum, and half a part more since cuts are
/// to the nearest. Narrow: short, and never a part.
template <class S>
void check_sizes(const gpu::SolveChunk& chunk, const gpu::SolvePhases<S>& tables, bool is_narrow, bool transposed) {
    const auto most = static_cast<index_t>((128 << 10) / (sizeof(S) * gpu::chunk_outputs));
    index_t length = 0;
    for (index_t p = chunk.first_piece; p < chunk.first_piece + chunk.pieces; ++p) {
        const gpu::SolvePiece<S>& piece = tables.pieces[at(p)];
        length += std::min(chunk.end, transposed ? piece.rows : piece.cols) - chunk.begin;
    }
    CHECK(length <= most + most / 2 + gpu::chunk_outputs);
    if (!is_narrow) return;
    CHECK(chunk.parts == 1);
    CHECK(length <= (transposed ? 64 : 128));
}

/// Chunks from number `first` on cover the products from number `product` on, in blocks of so many outputs, and no
/// others.
template <class S>
void check_cover(const gpu::SolvePhases<S>& tables, const std::vector<gpu::SolveChunk>& chunks, std::size_t first,
                 std::size_t product, index_t block, count_t shared_sums, bool transposed) {
    std::map<Outputs, std::vector<gpu::SolveChunk>> by_outputs;
    for (std::size_t c = first; c < chunks.size(); ++c)
        by_outputs[{chunks[c].product, chunks[c].first}].push_back(chunks[c]);
    std::vector<char> taken(at(shared_sums), 0);
    std::size_t blocks_of_outputs = 0;
    for (std::size_t p = product; p < tables.products.size(); ++p)
        for (index_t i = 0; i < tables.products[p].outputs; i += block, ++blocks_of_outputs) {
            const auto found = by_outputs.find({static_cast<index_t>(p), i});
            REQUIRE(found != by_outputs.end());
            check_parts(found->second, shared_sums, taken);
            check_entries(tables, found->first, found->second, block, transposed);
        }
    REQUIRE(by_outputs.size() == blocks_of_outputs);
}

/// Cuts products from `first` on into tiles. Parts are not short, nor are there many more than a device has room for.
template <class S>
void check_cut_tiles(gpu::SolvePhases<S>& tables, std::size_t first, bool transposed) {
    const std::size_t before = tables.tiles.size();
    gpu::SolvePhase phase;
    gpu::ChunkCutter<S>(tables, first, transposed).cut_tiles(phase);
    REQUIRE(phase.tile_begin == before);
    REQUIRE(phase.tile_end == tables.tiles.size());
    check_cover(tables, tables.tiles, before, first, gpu::tile_outputs<S>, tables.shared_tiles, transposed);
    for (std::size_t c = before; c < tables.tiles.size(); ++c)
        if (tables.tiles[c].parts > 1) CHECK(tables.tiles[c].end - tables.tiles[c].begin >= 32);
    CHECK(tables.shared_tiles <= 2048);
}

/// Cuts products from `first` on; returns their phase.
template <class S>
gpu::SolvePhase check_cut(gpu::SolvePhases<S>& tables, std::size_t first, bool transposed) {
    CAPTURE(transposed);
    const std::size_t before = tables.chunks.size();
    gpu::SolvePhase phase;
    gpu::ChunkCutter<S>(tables, first, transposed).cut(phase);
    REQUIRE(phase.begin == before);
    REQUIRE(phase.end == tables.chunks.size());
    REQUIRE(phase.wide >= 0);
    REQUIRE(phase.wide <= static_cast<index_t>(phase.end - phase.begin));
    for (std::size_t c = phase.begin; c < phase.end; ++c)
        check_sizes(tables.chunks[c], tables, c >= phase.begin + at(phase.wide), transposed);
    check_cover(tables, tables.chunks, before, first, gpu::chunk_outputs, tables.shared_sums, transposed);
    return phase;
}

constexpr Shape shapes[] = {Shape::full, Shape::lower, Shape::upper};

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("products of all shapes", T, all_shapes) {
    using S = gpu::DeviceScalar<T>;
    for (const bool transposed : {false, true})
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            CAPTURE(seed);
            Random random(seed);
            gpu::SolvePhases<S> tables;
            for (int phase = 0; phase < 3; ++phase) {  // one after the other in the same tables
                const std::size_t first = tables.products.size();
                for (index_t k = 1 + random.below(6); k > 0; --k) {
                    const Shape shape = shapes[random.below(3)];
                    const index_t rows = 1 + random.below(seed % 4 == 0 ? 5000 : 300);
                    const index_t cols = shape == Shape::full ? 1 + random.below(seed % 5 == 0 ? 5000 : 300) : rows;
                    add_product(tables, rows, cols, shape, transposed, shape == Shape::full ? 1 + random.below(3) : 1);
                }
                check_cut(tables, first, transposed);
                check_cut_tiles(tables, first, transposed);
            }
        }
}
TEST_CASE_TEMPLATE_APPLY(all_shapes, Scalars);

TEST_CASE_TEMPLATE_DEFINE("one long sum is shared", T, long_sums) {
    using S = gpu::DeviceScalar<T>;
    for (const bool transposed : {false, true}) {
        gpu::SolvePhases<S> tables;
        add_product(tables, transposed ? 20000 : 40, transposed ? 40 : 20000, Shape::full, transposed);
        const gpu::SolvePhase phase = check_cut(tables, 0, transposed);
        CHECK(phase.end > 10);
        CHECK(phase.wide == static_cast<index_t>(phase.end));
        CHECK(tables.shared_sums == static_cast<count_t>(phase.end));
        check_cut_tiles(tables, 0, transposed);
        CHECK(tables.tiles.size() > 50);
        CHECK(tables.shared_tiles == static_cast<count_t>(tables.tiles.size()));
    }
}
TEST_CASE_TEMPLATE_APPLY(long_sums, Scalars);

TEST_CASE_TEMPLATE_DEFINE("many short sums are narrow, few are not", T, many_short) {
    using S = gpu::DeviceScalar<T>;
    for (const bool transposed : {false, true})
        for (const index_t count : {2047, 2048}) {
            CAPTURE(count);
            gpu::SolvePhases<S> tables;
            add_product(tables, 200, 200, Shape::full, transposed);  // too long for that
            for (index_t k = 0; k < count; ++k) add_product(tables, 20, 20, Shape::lower, transposed);
            const gpu::SolvePhase phase = check_cut(tables, 0, transposed);
            const auto all = static_cast<index_t>(phase.end - phase.begin);
            CHECK(phase.wide == (count < 2048 ? all : all - count));
        }
}
TEST_CASE_TEMPLATE_APPLY(many_short, Scalars);

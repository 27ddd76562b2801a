// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "frond/analysis/analysis.hpp"
#include "frond/base/host_heap.hpp"
#include "frond/base/typed_vector.hpp"
#include "frond/cpu/pivot_report.hpp"
#include "frond/gpu/front_factor_views.hpp"

namespace frond::gpu {

/// The number of a room: memory for contribution blocks between pieces.
enum class RoomNumber : index_t {};

/// Rooms are the first parts.
constexpr PartNumber part_of(RoomNumber room) { return PartNumber{static_cast<index_t>(room) + 1}; }
constexpr RoomNumber room_of_part(PartNumber part) { return RoomNumber{static_cast<index_t>(part) - 1}; }

/// One task of the factorization of a tree; by_all: a front that all devices do by several tasks, see SharedFrontBlocks.
struct TreePiece {
    static constexpr index_t on_cores = -1, by_all = -2;

    index_t first_front = 0, last_front = 0;  // last: inclusive; fronts of other pieces may lie between them
    index_t device = 0;  // on_cores: a subtree of the mapping, on one of them
    /// Rooms with contribution blocks of earlier pieces, and for those of this one, ascending.
    std::vector<RoomNumber> reads, writes;
    /// What the piece costs a device: bytes of its fronts as squares, kernels started (about), levels one after the
    /// other.
    count_t square_bytes = 0, launches = 0, levels = 0;
    index_t strip_columns = 0;  // of a single front that is there by strips; 0: whole
};

/// A tree is cut where another one was that differs from it in few fronts.
struct CutBefore {
    std::vector<TreePiece> pieces;  // first_front, last_front, device and strip_columns alone; empty: there is none
    bool in_parts = false;  // that cut was made for lack of memory
};

/// A contribution block that one piece leaves for another; or, of a front without a parent, for somebody else.
struct BlockBetween {
    index_t front = 0;  // whose block it is
    index_t made = 0, used = 0;  // in which pieces; used: the number of pieces, where it is for somebody else
    RoomNumber room{};
    count_t bytes = 0;
};

/// Memory for one contribution block after the other from the piece that makes it to the one that uses it.
struct BlockRoom {
    count_t bytes = 0;  // a multiple of 256
    bool on_host = false;  // pinned
    index_t made = 0, used = 0;  // on which devices; made: TreePiece::on_cores, too; used: TreePiece::by_all, too
};

/// A front that all devices do: blocks of columns, each on one device.
struct SharedFrontBlocks {
    index_t piece = 0;
    index_t own_blocks = 0;  // of fully summed columns
    index_t tail = 0;  // of these, the first of those that the first device joins in the end; own_blocks: none
    struct Block {
        RoomNumber room{};
        index_t device = 0;
        index_t first = 0, last = 0;  // columns
    };
    std::vector<Block> blocks;  // the joined one last
};

/// One factorization of a tree: what is the same wherever StarPU puts values and factors.
template <class T>
struct TreeRun {
    const Pattern* pattern = nullptr;  // of the matrix
    const Scaling* scaling = nullptr;
    /// The rule for a matrix whose largest entry is 1; all sizes in it are proportional to that entry.
    PivotRule rule_of_one;
    /// Relative to the parts. Tables stay while this is the same object.
    std::shared_ptr<const TreeFactorViews<T>> places;
    /// [parts + 1] in pinned memory of the host.
    TypedVector<PartNumber, char> is_on_host;
    /// [pieces] that have no task, since an earlier factorization with these values left what they make. Empty: none.
    std::vector<char> is_kept;
    /// Pinned memory of the host for contribution blocks that would be lost once a pivot has failed, and how much of it:
    /// copies to other memory keep the host until they are done. Null: such blocks are lost.
    HostHeap* block_copies = nullptr;
    count_t most_block_copy_bytes = 0;
    /// The largest of further entries of the scaled matrix, which are not here.
    double largest_elsewhere = 0;
};

/// A part that a task reads or writes, where it is.
struct PlacedPart {
    PartNumber number{};
    unsigned char* begin = nullptr;
};

/// Part of a part, in the host's memory: what a piece without a task has left.
struct KeptBytes {
    PartNumber to{};
    count_t first = 0, bytes = 0;  // in the part
    const unsigned char* from = nullptr;
};

/// What a task has of it.
template <class T>
struct PieceRun {
    const TreeRun<T>* run = nullptr;
    index_t piece = 0;
    const T* values = nullptr;  // [entries of the matrix], on the device
    std::vector<PlacedPart> parts;  // that the piece reads and writes
    std::vector<KeptBytes> kept;  // that go to some of these first
};

/// What one task does of a front that all devices do.
enum class ColumnStep : std::uint8_t {
    gather,  // blocks of one device := what children and A have there
    advance,  // one block, less what the pivots of the panel leave there, is eliminated; or without a panel
    update,  // blocks, less what the pivots of the panel leave there
    join,  // the panel's blocks, as one, are eliminated
    store,  // factors to their parts, on the first device
    fetch_pivots  // of one device, after all steps of all such fronts
};

struct ColumnsRun {
    index_t front = 0;  // of shared_fronts()
    index_t device = 0;
    ColumnStep step = ColumnStep::gather;
    struct Block {
        index_t number = 0;
        unsigned char* begin = nullptr;
    };
    std::vector<Block> panel;  // one block, or none, or those that are joined
    std::vector<Block> blocks;
    std::vector<PlacedPart> parts;
};

}  // namespace frond::gpu

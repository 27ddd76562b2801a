// SPDX-License-Identifier: BSD-3-Clause
#include "ranked/tree/pivot_parcel.hpp"

#include <algorithm>
#include <cstdint>

#include "factors/pivots.hpp"
#include "frond/base/error.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "frond/cpu/packing.hpp"
#include "submit/fill_report.hpp"

namespace frond::detail {
namespace {

/// What RemotePivots has of many blocks, one behind the other.
template <class T>
struct PackedBlocks {
    std::vector<index_t> first_column, columns;
    std::vector<std::uint8_t> has_perm;
    std::vector<T> diagonal;
    std::vector<index_t> perm;
    std::vector<T> pivots;

    template <class Archive>
    void visit(Archive& archive) {
        archive(first_column, columns, has_perm, diagonal, perm, pivots);
    }
    void add(const PivotBlock<T>& b, bool with_pivots) {
        const index_t n = b.block.cols;
        first_column.push_back(b.first_column);
        columns.push_back(n);
        has_perm.push_back(b.perm != nullptr ? 1 : 0);
        const std::size_t begin = diagonal.size();
        diagonal.resize(begin + at(n));
        for (index_t k = 0; k < n; ++k) diagonal[begin + at(k)] = b.block(k, k);
        if (b.perm != nullptr) perm.insert(perm.end(), b.perm, b.perm + n);
        if (with_pivots) pivots.insert(pivots.end(), b.pivots, b.pivots + 2 * at(n));
    }
};

/// The next ones of a list, which goes on behind them.
template <class V>
std::vector<V> taken(const std::vector<V>& list, std::size_t& next, std::size_t count) {
    if (count > list.size() - next) throw RuntimeError("pivots of another rank are not all there");
    const auto first = list.begin() + static_cast<std::ptrdiff_t>(next);
    next += count;
    return {first, first + static_cast<std::ptrdiff_t>(count)};
}

template <class T>
std::vector<typename RemotePivots<T>::Block> unpacked(const PackedBlocks<T>& packed) {
    std::vector<typename RemotePivots<T>::Block> blocks(packed.columns.size());
    std::size_t diagonal = 0, perm = 0, pivots = 0;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        const std::size_t n = at(packed.columns[b]);
        blocks[b].first_column = packed.first_column.at(b);
        blocks[b].diagonal = taken(packed.diagonal, diagonal, n);
        if (packed.has_perm.at(b) != 0) blocks[b].perm = taken(packed.perm, perm, n);
        if (!packed.pivots.empty()) blocks[b].pivots = taken(packed.pivots, pivots, 2 * n);
    }
    return blocks;
}

template <class T>
void pack_second_pass(Packer& pack, const cpu::SecondPass<T>& second_pass) {
    std::vector<unsigned char> bytes(at(cpu::packed_bytes(second_pass)));
    cpu::pack(second_pass, bytes.data());
    pack(bytes);
}

template <class T>
bool is_own_unit(const FactorsState<T>& state, index_t front) {
    const Mapping& mapping = state.analysis->mapping;
    const index_t s = mapping.subtree_of_front[at(front)];
    return (s < 0 || mapping.subtrees[at(s)].root_front == front) && state.share->has_part(front);
}

/// What every list begins with: whether another element follows.
void pack_more(Packer& pack, bool more) { pack(more); }
bool unpack_more(Unpacker& unpack) {
    bool more = false;
    unpack(more);
    return more;
}

}  // namespace

/// Blocks come in elimination order, which is that of units.
template <class T>
void pack_pivots(Packer& pack, const FactorsState<T>& state) {
    const count_t not_kept = entries_not_kept(state);
    pack(not_kept);
    PackedBlocks<T> blocks;
    for_each_pivot_block<T>(state, [&](const PivotBlock<T>& b) { blocks.add(b, has_block_diagonal(state.kind())); });
    blocks.visit(pack);
    for (index_t f = 0; f < state.analysis->tree.front_count(); ++f) {
        if (!is_own_unit(state, f)) continue;
        const index_t end = state.analysis->tree.fronts[at(f)].first_column + state.analysis->tree.fronts[at(f)].npiv;
        pack_more(pack, true);
        pack(f, end);
        for_each_second_pass_of_unit<T>(state, f, [&](const cpu::SecondPass<T>& second_pass) {
            pack_more(pack, true);
            pack_second_pass(pack, second_pass);
        });
        pack_more(pack, false);
    }
    pack_more(pack, false);
}

template <class T>
void unpack_pivots(Unpacker& unpack, RemotePivots<T>& pivots) {
    count_t not_kept = 0;
    unpack(not_kept);
    pivots.entries_not_kept += not_kept;
    PackedBlocks<T> packed;
    packed.visit(unpack);
    std::vector<typename RemotePivots<T>::Block> blocks = unpacked(packed);
    std::size_t next = 0;
    while (unpack_more(unpack)) {
        index_t front = 0, end_column = 0;
        unpack(front, end_column);
        auto& unit = pivots.units[front];
        for (; next < blocks.size() && blocks[next].first_column < end_column; ++next)
            unit.blocks.push_back(std::move(blocks[next]));
        std::sort(unit.blocks.begin(), unit.blocks.end(),  // other ranks may have blocks of the same front
                  [](const auto& a, const auto& b) { return a.first_column < b.first_column; });
        while (unpack_more(unpack)) {
            std::vector<unsigned char> bytes;
            unpack(bytes);
            cpu::unpack(bytes.data(), static_cast<count_t>(bytes.size()), unit.second_passes.emplace_back());
        }
    }
}

void FactoredPart::add_to(FactorReport& report, PivotReport& all) const {
    const index_t here = all.failed_column, there = pivots.failed_column;
    all += pivots;
    if (here >= 0 && there >= 0) all.failed_column = std::min(here, there);
    report.work.flops += flops;
    report.work.tasks += tasks;
    report.memory.peak_bytes += peak_bytes;
    report.memory.peak_bytes_predicted += peak_bytes_predicted;
    for (std::size_t f = 0; f < std::min(front_seconds.size(), report.work.front_seconds.size()); ++f)
        report.work.front_seconds[f] += front_seconds[f];
}

#define FROND_INSTANTIATE(T)                                       \
    template void pack_pivots<T>(Packer&, const FactorsState<T>&); \
    template void unpack_pivots<T>(Unpacker&, RemotePivots<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

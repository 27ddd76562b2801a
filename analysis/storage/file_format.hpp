// SPDX-License-Identifier: BSD-3-Clause
// The file of an analysis: header, then the fields of Analysis in the order of visit_fields. Numbers are
// little-endian; bool and enumerations are one byte, a vector is its count in 8 bytes and its entries.
#pragma once

#include "frond/analysis/analysis.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace frond::detail {

/// Begins with a byte that is no text and has a line end, so that a transfer as text is noticed.
constexpr std::array<unsigned char, 8> file_magic{0x89, 'F', 'R', 'A', 'N', '\r', '\n', 0x1a};
constexpr std::uint32_t format_version = 4;

/// [0, 8) magic, [8, 12) format_version, [12, 16) CRC-32 of all bytes after it, [16, 24) bytes of the
/// payload, [24, 40) version of Frond as text, filled with 0.
constexpr std::size_t header_bytes = 40;

/// Files have a checksum of their bytes; messages have none, since MPI brings them as they are.
enum class Checksum : bool { no, yes };
constexpr std::size_t checked_from = 16;  // what the checksum covers
constexpr std::size_t version_text_bytes = 16;

template <class T>
constexpr bool is_number = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;

/// The value of bytes in memory as bytes in the file, and back.
template <class T>
void swap_to_little_endian(unsigned char* bytes) {
    if constexpr (std::endian::native == std::endian::big) std::reverse(bytes, bytes + sizeof(T));
}

template <class T>
void store_little_endian(unsigned char* to, T x) {
    std::memcpy(to, &x, sizeof x);
    swap_to_little_endian<T>(to);
}

template <class T>
T load_little_endian(const unsigned char* from) {
    std::array<unsigned char, sizeof(T)> bytes;
    std::memcpy(bytes.data(), from, sizeof(T));
    swap_to_little_endian<T>(bytes.data());
    T x;
    std::memcpy(&x, bytes.data(), sizeof x);
    return x;
}

/// The last enumerator of each enumeration in a file.
constexpr Symmetry last_of(Symmetry) { return Symmetry::skew_symmetric; }
constexpr Factorization last_of(Factorization) { return Factorization::lu; }
constexpr OrderingMethod last_of(OrderingMethod) { return OrderingMethod::ptscotch; }
constexpr MatchingMode last_of(MatchingMode) { return MatchingMode::off; }
constexpr ScalingMethod last_of(ScalingMethod) { return ScalingMethod::none; }

// The fields of everything in an Analysis, for writer and reader alike. The bindings name all of them:
// a field added to a struct does not compile until it is named here, and is then stored both ways.
// A change here needs another format_version.

/// T or const T.
template <class A, class T>
concept Fields = std::same_as<std::remove_const_t<A>, T>;

template <Fields<OrderingCandidate> A, class Visit>
void visit_fields(A& a, Visit visit) {
    auto& [method, seconds, flops, factor_entries] = a;
    visit(method, seconds, flops, factor_entries);
}

template <Fields<MachineDescription> A, class Visit>
void visit_fields(A& a, Visit visit) {
    auto& [cores, core_flops, devices, device_flops, level_seconds, step_seconds] = a;
    visit(cores, core_flops, devices, device_flops, level_seconds, step_seconds);
}

template <Fields<AnalysisReport> A, class Visit>
void visit_fields(A& a, Visit visit) {
    auto& [seconds, matching, order, symbolic, ordering, candidates, machine, matched, rank, vertices, pairs,
           supernodes, distributed, kind, flops] = a;
    static_cast<void>(distributed);  // what is in a file is whole
    static_cast<void>(kind), static_cast<void>(flops);  // the analysis has them
    visit(seconds, matching, order, symbolic, ordering, candidates, machine, matched, rank, vertices, pairs,
          supernodes);
}

template <Fields<AnalysisOptions> A, class Visit>
void visit_fields(A& a, Visit visit) {
    auto& [factorization, ordering, user_order, grid, dofs, matching, scaling, zeros, tile_size, workers, ranks, gpus,
           deterministic, distributed, threads, machine, tree_cut] = a;
    static_cast<void>(distributed);  // what is in a file is whole
    static_cast<void>(tree_cut);  // is in the mapping, and another machine may have another one
    visit(factorization, ordering, user_order, grid, dofs, matching, scaling, zeros, tile_size, workers, ranks, gpus,
          deterministic, threads, machine);
}

template <Fields<Front> A, class Visit>
void visit_fields(A& a, Visit visit) {
    auto& [first_column, npiv, nfront, parent, rows_begin] = a;
    visit(first_column, npiv, nfront, parent, rows_begin);
}

template <Fields<AssemblyTree> A, class Visit>
void visit_fields(A& a, Visit visit) {
    auto& [order, fronts, rows, relative_rows, first_descendant, child_begin, children] = a;
    visit(order, fronts, rows, relative_rows, first_descendant, child_begin, children);
}

template <Fields<EntryMap> A, class Visit>
void visit_fields(A& a, Visit visit) {
    auto& [front_begin, source, row, column] = a;
    visit(front_begin, source, row, column);
}

template <Fields<TileGrid> A, class Visit>
void visit_fields(A& a, Visit visit) {
    auto& [cut, own_tiles] = a;
    visit(cut, own_tiles);
}

template <Fields<Subtree> A, class Visit>
void visit_fields(A& a, Visit visit) {
    auto& [first_front, root_front, flops, factor_scalars, stack_scalars] = a;
    visit(first_front, root_front, flops, factor_scalars, stack_scalars);
}

template <Fields<Mapping> A, class Visit>
void visit_fields(A& a, Visit visit) {
    auto& [subtrees, subtree_of_front, grid_of_front, grids, bottom_level_flops, workers] = a;
    visit(subtrees, subtree_of_front, grid_of_front, grids, bottom_level_flops, workers);
}

template <Fields<CostModel> A, class Visit>
void visit_fields(A& a, Visit visit) {
    auto& [flops, front_flops, entries, sequential, parallel, largest_front, critical_path] = a;
    visit(flops, front_flops, entries, sequential, parallel, largest_front, critical_path);
}

/// All of them but `facts`, which follow from the others.
template <Fields<Analysis> A, class Visit>
void visit_fields(A& a, Visit visit) {
    auto& [order, entries, symmetry, factorization, positive_diagonal, pattern_hash, row_order, column_order,
           pair_with_next, matching, tree, entry_map, mapping, cost, options, report, facts] = a;
    visit(order, entries, symmetry, factorization, positive_diagonal, pattern_hash, row_order, column_order,
          pair_with_next, matching, tree, entry_map, mapping, cost, options, report);
}

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
// Pivots, and columns whose number is known at run time only, as one piece of memory: for messages and files. A header of 64
// bytes tells what follows, so that even what is empty is never a message without bytes; then come the members one
// after the other, each list with its length before it, in the byte order of the machine.
#pragma once

#include "frond/base/types.hpp"

namespace frond::cpu {

inline constexpr count_t packed_header_bytes = 64;
/// The most bytes of one message: MPI counts bytes in int.
inline constexpr count_t most_packed_bytes = count_t{1} << 30;

// Columns is one of FailedColumns<T>, DelayedColumns<T>, SecondPass<T>, AcceptedPanel<T>, FailedPart<T>, FailedParts<T>,
// PivotOutcome, RowExchanges, PanelPivots<T>, PiecePivots<T> and SubtreePivots<T>, the last without its
// `second_passes.delayed`, which is data of its own. Accounts do not travel: who unpacks has counted the bytes.
// PanelPivots are unpacked into the memory that they point to, of as many columns.

/// What pack writes, at least 64.
template <class Columns>
count_t packed_bytes(const Columns& columns);

/// to [packed_bytes(columns)].
template <class Columns>
void pack(const Columns& columns, unsigned char* to);

/// The opposite, from memory of any alignment. What `columns` held is gone, but for its account.
/// @throws RuntimeError where `from` [bytes] is not what pack wrote of such columns; std::bad_alloc; `columns` may
/// then hold some of its members only
template <class Columns>
void unpack(const unsigned char* from, count_t bytes, Columns& columns);

/// The header alone of a rank that has stopped, in place of whatever it would have packed: to [packed_header_bytes].
void pack_stopped(unsigned char* to);
bool is_stopped(const unsigned char* from, count_t bytes);

}  // namespace frond::cpu

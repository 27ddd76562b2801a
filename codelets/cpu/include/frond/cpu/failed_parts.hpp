// SPDX-License-Identifier: BSD-3-Clause
// Failed columns of a front that several ranks share. Their rows and columns lie in parts, one a tile row and column of the
// front, with the rank of the diagonal tile there: it receives all tiles that change them. The rank that leads has the square
// A(F, F), keeps L and U of F, and eliminates F in the end. Every product is one that accept_pivots does on one rank, of the
// same blocks: so all bits are the same.
#pragma once

#include "frond/cpu/failed_columns.hpp"

namespace frond::cpu {

/// A(F, tile) and A(tile, F). LDL^T: the first alone for own columns of the front, the second alone for contribution rows.
template <class T>
struct FailedPart {
    index_t is_void = 0;  // 1: a rank that has stopped left something out
    index_t rows = 0, cols = 0;  // of F
    HostVector<T> row_part;  // [rows, size of the tile]
    HostVector<T> column_part;  // [size of the tile, cols]

    count_t bytes() const { return static_cast<count_t>((row_part.size() + column_part.size()) * sizeof(T)); }
};

/// Some of them, to send.
template <class T>
struct FailedParts {
    index_t made = 0;  // 1; 0: by a rank that has stopped
    std::vector<index_t> tiles;
    std::vector<FailedPart<T>> parts;  // as tiles

    count_t bytes() const {
        count_t sum = 0;
        for (const FailedPart<T>& part : parts) sum += part.bytes();
        return sum;
    }
    /// Null: there is none.
    const FailedPart<T>* find(index_t tile) const;
    FailedPart<T>& add(index_t tile) {
        tiles.push_back(tile);
        return parts.emplace_back();
    }
};

/// What became of a panel of n pivots, by the rank of its diagonal tile.
template <class T>
struct AcceptedPanel {
    index_t made = 0;  // 1; 0: by a rank that has stopped
    index_t n = 0, kept = 0;
    index_t rows = 0, cols = 0;  // that failed before
    HostVector<T> left;  // [rows, n] L(F, panel), columns kept .. are 0
    /// [rows, n] LDL^T: L(F, panel) D; columns kept .. (LU: alone) A(F, panel) with the kept pivots eliminated.
    HostVector<T> left_d;
    HostVector<T> upper;  // LU: [n, cols] U(panel, F), rows kept .. as columns of left_d
    HostVector<T> square;  // [n - kept, n - kept] what is given back of the diagonal tile

    count_t bytes() const {
        return static_cast<count_t>((left.size() + left_d.size() + upper.size() + square.size()) * sizeof(T));
    }
    index_t given_back() const { return n - kept; }
};

/// The factored diagonal tile of a panel with its record.
template <class T>
struct FactoredDiagonal {
    DenseView<T> tile;
    const index_t* perm = nullptr;
    T* pivots = nullptr;  // LDL^T
    const T* replaced = nullptr;
};

// account: where what they leave is counted; nothing is given back to it by them.
// @throws std::bad_alloc, or what the account refuses with

/// With the rank of the diagonal tile: how many pivots stay, of `limit` at most, and L and U of what failed before. part: of
/// the panel, which is empty afterwards. The tile stays as it is. Counts pivots in the report.
template <class T>
AcceptedPanel<T> decide_pivots(Factorization kind, const PivotRule& rule, index_t limit,
                               const FactoredDiagonal<T>& diagonal, FailedPart<T>& part, PivotReport& report,
                               MemoryAccount* account);

/// With the rank of a tile of the panel, as FactoredPanel has it; is_own: of an own row or column. `upper` empty: LDL^T, or
/// of L alone; `left` empty: of U alone. What fails comes into `back`, and is cleared in the tile.
template <class T>
void give_back_tile(Factorization kind, const AcceptedPanel<T>& panel, DenseView<const T> diagonal, bool is_own,
                    const typename FactoredPanel<T>::Tile& tile, FailedPart<T>& back, MemoryAccount* account);

/// With the rank of the diagonal tile, after all its tiles: pivots 1 where nothing was eliminated.
template <class T>
void clear_diagonal(Factorization kind, index_t kept, const FactoredDiagonal<T>& diagonal);

/// With the rank of the diagonal tile in row `tile.begin`: the part after the panel. tile: L, and LDL^T L D, LU U of it. back:
/// what is given back of the tile, in one or two parts; null: nothing.
template <class T>
void update_failed_part(Factorization kind, const AcceptedPanel<T>& panel, bool is_own,
                        const typename FactoredPanel<T>::Tile& tile, const FailedPart<T>* columns_back,
                        const FailedPart<T>* rows_back, FailedPart<T>& part, MemoryAccount* account);

/// With the rank that leads: L and U of F, and the square. first_column, first_position: of the panel.
template <class T>
void keep_failed(Factorization kind, const AcceptedPanel<T>& panel, index_t first_column, index_t first_position,
                 FailedColumns<T>& failed);

/// Takes from what the children delayed the part in rows begin .. begin + size of the front.
template <class T>
void deal_part(Factorization kind, FailedColumns<T>& failed, index_t begin, index_t size, FailedPart<T>& part,
               MemoryAccount* account);
/// The opposite, for a contribution tile after the last panel.
template <class T>
void collect_part(const FailedPart<T>& part, index_t begin, FailedColumns<T>& failed);

}  // namespace frond::cpu

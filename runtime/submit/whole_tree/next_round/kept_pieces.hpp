// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "factors/place_factors.hpp"
#include "frond/cpu/pivot_record.hpp"
#include "frond/gpu/resident_factorization.hpp"
#include "engine/factor_parts.hpp"
#include "tasks/piece/factor_piece.hpp"

namespace frond::detail {

/// Bytes that a piece without a task has left, in the host's memory, for a piece that has one.
struct SavedRange {
    index_t front = -1;  // whose contribution block it is; -1: factors
    index_t piece = 0;  // whose task puts them where they belong
    KeptRange range;
};

/// What the next round takes over from one in which pivots failed: pieces that are the same in both have no task.
template <class T>
struct KeptPieces {
    std::vector<char> is_kept;  // [pieces]
    std::vector<index_t> part_before;  // [parts of the factors] the same one of `parts`; -1: it is new
    FactorParts parts;  // of the round before
    std::vector<SavedRange> ranges;
    FactorParts saved;  // of these, one each
    std::vector<std::pair<index_t, cpu::PiecePivots<T>>> pivots;  // of each such piece

    index_t count() const {
        index_t pieces = 0;
        for (const char kept : is_kept) pieces += kept != 0 ? 1 : 0;
        return pieces;
    }
};

/// A round in which pivots failed, while the next one is planned.
template <class T>
struct FailedRound {
    std::shared_ptr<const Analysis> analysis;
    std::unique_ptr<gpu::ResidentFactorization<T>> resident;
    std::shared_ptr<const FactorLayout<T>> layout;
    FactorParts rooms, parts;
    std::unique_ptr<KeptPieces<T>> kept;  // that it had taken over; null: none
};

}  // namespace frond::detail

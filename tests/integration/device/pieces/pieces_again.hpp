// SPDX-License-Identifier: BSD-3-Clause
// Which pieces of a tree are factored once more where planted pivots fail, by the tree and the rooms of its blocks alone.
#pragma once

#include "cut_trees.hpp"
#include "planted_broom.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace frond::test {

/// A tree in pieces before a pivot fails.
template <class T>
class PiecesAgain {
public:
    PiecesAgain(std::shared_ptr<const Analysis> analysis, const Cut& cut,
                const std::vector<gpu::Device>& devices = {gpu::first_device().value()})
        : analysis_(std::move(analysis)), workspace_(analysis_) {
        const SmallPieces forced;
        workspace_.room_bytes = cut.room_bytes;
        detail::plan_what_fits(workspace_, devices);
    }

    const std::vector<gpu::TreePiece>& pieces() const { return workspace_.resident->pieces(); }

    /// Each column goes behind the others of its partner's front. L U searches that front in its place where it is the
    /// column's own and has more rows than a diagonal block.
    index_t count(const std::vector<PlantedColumn>& columns) const {
        std::vector<char> again = of_changed_fronts(columns);
        while (add_one_whose_block_is_gone(first_that_fails(columns), again)) {
        }
        return std::accumulate(again.begin(), again.end(), 0);
    }

private:
    std::size_t piece_of(index_t front) const {
        return static_cast<std::size_t>(workspace_.resident->piece_of_fronts()[static_cast<std::size_t>(front)]);
    }
    index_t position_of(index_t column) const {
        const auto& order = analysis_->column_order;
        return static_cast<index_t>(std::find(order.begin(), order.end(), column) - order.begin());
    }
    index_t front_of(index_t position) const {
        index_t f = 0;
        while (analysis_->tree.fronts[static_cast<std::size_t>(f)].first_column +
                   analysis_->tree.fronts[static_cast<std::size_t>(f)].npiv <=
               position)
            ++f;
        return f;
    }
    /// Its front is left, or gets a row; in fronts below, it is behind rows that it was before.
    bool changes(index_t front, const PlantedColumn& column) const {
        const AssemblyTree& tree = analysis_->tree;
        const index_t position = position_of(column.column), own = front_of(position);
        const bool is_large = tree.fronts[static_cast<std::size_t>(own)].npiv > 32;
        if (analysis_->factorization == Factorization::lu && is_large && front_of(position_of(column.partner)) == own)
            return front == own;
        if (front >= own && tree.first_descendant[static_cast<std::size_t>(front)] <= own) return true;
        const Front& f = tree.fronts[static_cast<std::size_t>(front)];
        const Front& place = tree.fronts[static_cast<std::size_t>(front_of(position_of(column.partner)))];
        const auto begin = tree.rows.begin() + f.rows_begin, end = begin + f.ncb();
        const auto row = std::find(begin, end, position);
        return row != end && row + 1 != end && *(row + 1) < place.first_column + place.npiv;
    }

    /// And of all above them.
    std::vector<char> of_changed_fronts(const std::vector<PlantedColumn>& columns) const {
        std::vector<char> again(pieces().size(), 0);
        for (index_t f = 0; f < analysis_->tree.front_count(); ++f)
            for (const PlantedColumn& column : columns)
                for (index_t g = changes(f, column) ? f : -1; g >= 0;
                     g = analysis_->tree.fronts[static_cast<std::size_t>(g)].parent)
                    again[piece_of(g)] = 1;
        return again;
    }

    std::size_t first_that_fails(const std::vector<PlantedColumn>& columns) const {
        std::size_t first = pieces().size();
        for (const PlantedColumn& column : columns)
            first = std::min(first, piece_of(front_of(position_of(column.column))));
        return first;
    }

    /// Its room has been written since, by a piece that began before a pivot was known to fail.
    bool add_one_whose_block_is_gone(std::size_t first_that_fails, std::vector<char>& again) const {
        const auto blocks = workspace_.resident->blocks();
        for (const gpu::BlockBetween& block : blocks) {
            const auto made = static_cast<std::size_t>(block.made), used = static_cast<std::size_t>(block.used);
            if (again[made] != 0 || again[used] == 0) continue;
            const bool is_gone = std::any_of(blocks.begin(), blocks.end(), [&](const gpu::BlockBetween& other) {
                return other.room == block.room && other.made > block.made &&
                       static_cast<std::size_t>(other.made) <= first_that_fails;
            });
            if (!is_gone) continue;
            again[made] = 1;
            return true;
        }
        return false;
    }

    std::shared_ptr<const Analysis> analysis_;
    detail::TreeWorkspace<T> workspace_;
};

}  // namespace frond::test

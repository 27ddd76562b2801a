// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/vector_index.hpp"
#include "ranks_parts.hpp"

#include <algorithm>
#include <limits>

namespace frond {
namespace {

// The Hungarian method by shortest augmenting paths: rows come one after the other, each with the path of least reduced
// cost to a free column. Numbers of rows and columns count from 1, 0 is none.
class Assignment {
public:
    Assignment(const std::vector<double>& costs, index_t rows, index_t columns)
        : costs_(costs),
          columns_(columns),
          of_row_(at(rows) + 1, 0.0),
          of_column_(at(columns) + 1, 0.0),
          row_of_(at(columns) + 1, 0),
          before_(at(columns) + 1, 0) {
        for (index_t row = 1; row <= rows; ++row) place(row);
    }

    std::vector<index_t> columns_of_rows() const {
        std::vector<index_t> column(of_row_.size() - 1);
        for (index_t c = 1; c <= columns_; ++c)
            if (row_of_[at(c)] > 0) column[at(row_of_[at(c)] - 1)] = c - 1;
        return column;
    }

private:
    double reduced(index_t row, index_t column) const {
        return costs_[at(row - 1) * at(columns_) + at(column - 1)] - of_row_[at(row)] - of_column_[at(column)];
    }

    void place(index_t row) {
        constexpr double far = std::numeric_limits<double>::infinity();
        std::vector<double> distance(at(columns_) + 1, far);
        std::vector<bool> done(at(columns_) + 1, false);
        row_of_[0] = row;
        index_t column = 0;
        do {
            done[at(column)] = true;
            column = advance(column, distance, done);
        } while (row_of_[at(column)] != 0);
        for (; column != 0; column = before_[at(column)]) row_of_[at(column)] = row_of_[at(before_[at(column)])];
    }

    /// The next column on the way, after which reduced costs are not negative.
    index_t advance(index_t column, std::vector<double>& distance, const std::vector<bool>& done) {
        const index_t row = row_of_[at(column)];
        index_t nearest = 0;
        double step = std::numeric_limits<double>::infinity();
        for (index_t c = 1; c <= columns_; ++c) {
            if (done[at(c)]) continue;
            const double here = reduced(row, c);
            if (here < distance[at(c)]) distance[at(c)] = here, before_[at(c)] = column;
            if (nearest == 0 || distance[at(c)] < step) step = distance[at(c)], nearest = c;
        }
        for (index_t c = 0; c <= columns_; ++c) {
            if (done[at(c)])
                of_row_[at(row_of_[at(c)])] += step, of_column_[at(c)] -= step;
            else
                distance[at(c)] -= step;
        }
        return nearest;
    }

    const std::vector<double>& costs_;
    index_t columns_;
    std::vector<double> of_row_, of_column_;  // dual variables
    std::vector<index_t> row_of_, before_;  // [columns + 1]
};

}  // namespace

std::vector<index_t> assign(const std::vector<double>& costs, index_t rows, index_t columns) {
    return Assignment(costs, rows, columns).columns_of_rows();
}

namespace {

/// The work of tile (i, j): updates by all panels before it, and the solve or factorization of its own panel.
double work_of_tile(const TileGrid& tiles, index_t i, index_t j) {
    const double rows = tiles.size(i), cols = tiles.size(j);
    const index_t first = std::min(i, j);
    const double before = tiles.cut[at(std::min(first, tiles.own_tiles))];
    const double own = first < tiles.own_tiles ? std::min(rows, cols) / 2 : 0;
    return rows * cols * (before + own);
}

}  // namespace

std::vector<FrontShare> shares_of(const RankGrid& grid, const TileGrid& tiles, Factorization kind) {
    std::vector<FrontShare> shares(at(*std::max_element(grid.rank.begin(), grid.rank.end())) + 1);
    for (index_t j = 0; j < tiles.tiles(); ++j)
        for (index_t i = kind == Factorization::lu ? 0 : j; i < tiles.tiles(); ++i) {
            FrontShare& share = shares[at(grid.owner(i, j))];
            share.work += work_of_tile(tiles, i, j) / (kind != Factorization::lu && i == j ? 2 : 1);
            (std::min(i, j) < tiles.own_tiles ? share.factors : share.contribution) +=
                count_t{tiles.size(i)} * tiles.size(j);
        }
    return shares;
}

}  // namespace frond

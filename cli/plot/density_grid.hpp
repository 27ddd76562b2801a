// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frond/base/types.hpp"

#include <string>
#include <vector>

namespace frond::cli {

/// An n x n matrix seen as at most `largest_side` x `largest_side` cells with counted entries.
class DensityGrid {
public:
    static constexpr index_t largest_side = 160;
    static constexpr int shades = 4;

    explicit DensityGrid(index_t n);

    index_t side() const noexcept { return side_; }

    void add(index_t row, index_t column) { add(row, column, 1); }

    void add(index_t row, index_t column, double entries);

    index_t cell_of(index_t position) const {
        return static_cast<index_t>(static_cast<count_t>(position) * side_ / n_);
    }

    void add_to_cell(index_t cell_row, index_t cell_column, double entries);

    /// Path of all cells of one shade, runs of a row joined: 0 the lightest. Cells are unit
    /// squares. Shade s > 0 begins at density 10^(s - shades) of the densest cell.
    std::string path(int shade) const;

private:
    int shade_of(double entries) const;
    index_t n_, side_;
    double densest_ = 0;
    std::vector<double> entries_;
};

}  // namespace frond::cli

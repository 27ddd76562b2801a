// SPDX-License-Identifier: BSD-3-Clause
#include "plot/density_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace frond::cli {

DensityGrid::DensityGrid(index_t n)
    : n_(std::max<index_t>(n, 1)),
      side_(std::min(n_, largest_side)),
      entries_(static_cast<std::size_t>(side_) * static_cast<std::size_t>(side_), 0.0) {}

void DensityGrid::add(index_t row, index_t column, double entries) {
    add_to_cell(cell_of(row), cell_of(column), entries);
}

void DensityGrid::add_to_cell(index_t cell_row, index_t cell_column, double entries) {
    double& cell = entries_[static_cast<std::size_t>(cell_row) * static_cast<std::size_t>(side_) +
                            static_cast<std::size_t>(cell_column)];
    cell += entries;
    densest_ = std::max(densest_, cell);
}

int DensityGrid::shade_of(double entries) const {
    if (entries <= 0) return -1;
    const double magnitude = std::log10(entries / densest_);  // <= 0
    return std::clamp(shades + static_cast<int>(std::floor(magnitude)), 0, shades - 1);
}

std::string DensityGrid::path(int shade) const {
    std::string data;
    for (index_t row = 0; row < side_; ++row) {
        const double* cells = entries_.data() + static_cast<std::size_t>(row) * static_cast<std::size_t>(side_);
        index_t pen = -1;  // where the last run of this row ended
        for (index_t begin = 0; begin < side_;) {
            index_t end = begin;
            while (end < side_ && shade_of(cells[end]) == shade) ++end;
            if (end > begin) {
                data += pen < 0 ? fmt::format("M{} {}", begin, row) : fmt::format("m{} 0", begin - pen);
                data += fmt::format("h{}", end - begin);
                pen = end;
            }
            begin = std::max(end, begin + 1);
        }
    }
    return data;
}

}  // namespace frond::cli

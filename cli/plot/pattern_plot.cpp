// SPDX-License-Identifier: BSD-3-Clause
#include "frond/base/types.hpp"
#include "frond/enum_text.hpp"
#include "plot/plots.hpp"
#include "terminal/table.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace frond::cli {
namespace {

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

constexpr double panel = 320, left = 24, gap = 32, top = 84;
constexpr double lightest = 0.3;  // opacity

double opacity_of(int shade) { return lightest + (1 - lightest) * shade / (DensityGrid::shades - 1); }

// position[i] of row i: inverse of an elimination order.
std::vector<index_t> positions(const std::vector<index_t>& order) {
    std::vector<index_t> position(order.size());
    for (std::size_t k = 0; k < order.size(); ++k)
        position[static_cast<std::size_t>(order[k])] = static_cast<index_t>(k);
    return position;
}

void count_entries(const Pattern& a, bool mirrored, const std::vector<index_t>& row_position,
                   const std::vector<index_t>& column_position, DensityGrid& grid) {
    for (index_t j = 0; j < a.cols; ++j) {
        for (count_t p = a.begin[static_cast<std::size_t>(j)]; p < a.begin[static_cast<std::size_t>(j) + 1]; ++p) {
            const index_t i = a.row[static_cast<std::size_t>(p)];
            const auto at = [](const std::vector<index_t>& position, index_t k) {
                return position.empty() ? k : position[static_cast<std::size_t>(k)];
            };
            grid.add(at(row_position, i), at(column_position, j));
            if (mirrored && i != j) grid.add(at(row_position, j), at(column_position, i));
        }
    }
}

// Entries of the factors of one front, its own columns: rows of the front x npiv columns.
void count_front(const AssemblyTree& tree, const Front& front, DensityGrid& grid) {
    std::vector<std::pair<index_t, double>> rows;  // cells with how many rows of the front they hold
    const auto add_row = [&](index_t position) {
        const index_t cell = grid.cell_of(position);
        if (rows.empty() || rows.back().first != cell) rows.emplace_back(cell, 0.0);
        rows.back().second += 1;
    };
    for (index_t k = 0; k < front.npiv; ++k) add_row(front.first_column + k);
    const std::size_t own = rows.size();
    for (index_t k = 0; k < front.ncb(); ++k) add_row(tree.rows[static_cast<std::size_t>(front.rows_begin + k)]);
    for (std::size_t column = 0; column < own; ++column) {
        for (std::size_t row = 0; row < rows.size(); ++row) {
            const double entries = rows[row].second * rows[column].second;
            grid.add_to_cell(rows[row].first, rows[column].first, entries);
            if (row >= own) grid.add_to_cell(rows[column].first, rows[row].first, entries);
        }
    }
}

struct Panel {
    const char* colour;
    const char* stroke;
    std::string heading;
};

// One panel at x. A stroke along the tops of the cells, moved half a cell down, covers them.
void draw(Svg& svg, double x, const Panel& what, const DensityGrid& grid, count_t n) {
    const std::string place = fmt::format("translate({} {}) scale({:.5f}) translate(0 .5)", coordinate(x),
                                          coordinate(top), panel / grid.side());
    for (int shade = 0; shade < DensityGrid::shades; ++shade)
        svg.path(grid.path(shade), what.stroke, opacity_of(shade), place);
    svg.text(x, top - 12, what.heading, "ink");
    svg.rectangle(x, top, panel, panel, "line");
    svg.text(x, top + panel + 16, "1", "quiet small");
    svg.text(x + panel, top + panel + 16, text_of_count(n), "quiet small", Svg::Anchor::end);
    for (int shade = 0; shade < DensityGrid::shades; ++shade)
        svg.rectangle(x + panel / 2 - 28 + 14 * shade, top + panel + 7, 14, 10, what.colour, opacity_of(shade));
}

}  // namespace

Svg pattern_plot(const MatrixFacts& facts, const Pattern& pattern, Symmetry symmetry, const Analysis& analysis) {
    const bool mirrored = symmetry == Symmetry::symmetric || symmetry == Symmetry::hermitian;
    DensityGrid given(pattern.cols), ordered(pattern.cols), factors(pattern.cols);
    count_entries(pattern, mirrored, {}, {}, given);
    count_entries(pattern, mirrored, positions(analysis.row_order), positions(analysis.column_order), ordered);
    for (const Front& front : analysis.tree.fronts) count_front(analysis.tree, front, factors);

    Svg svg(2 * left + 3 * panel + 2 * gap, top + panel + 56, "Sparsity pattern of " + facts.title());
    const std::string entries = counted(facts.entries, "entry", "entries");
    const Panel panels[] = {
        {"accent", "accent-line", "A as given: " + entries},
        {"accent", "accent-line", fmt::format("A ordered by {}", to_string(analysis.report.ordering))},
        {"second", "second-line",
         fmt::format("{}: {}",
                     analysis.factorization == Factorization::lu ? "factors L and U" : "factor L and its mirror image",
                     counted(analysis.cost.factor_entries, "entry", "entries"))}};
    const DensityGrid* grids[] = {&given, &ordered, &factors};
    for (int i = 0; i < 3; ++i) draw(svg, left + i * (panel + gap), panels[i], *grids[i], facts.rows);
    svg.text(left, top + panel + 42,
             "Darker cells hold more entries, each step ten times as many; empty cells hold none.", "quiet small");
    return svg;
}

}  // namespace frond::cli

// SPDX-License-Identifier: BSD-3-Clause
// A grid whose tree has many levels, and of which a front can be given one pivot that fails there.
#pragma once

#include "frond/gpu/resident_factorization.hpp"
#include "planted_broom.hpp"
#include "planted_trouble.hpp"

#include <optional>
#include <vector>

namespace frond::test {

template <class T>
class PlantedGrid {
public:
    explicit PlantedGrid(index_t points) : matrix_(grid<T>(points, {Factorization::ldlt, Symmetry::symmetric, 6.5})) {
        AnalysisOptions options;
        options.factorization = Factorization::ldlt;
        options.matching = MatchingMode::off;
        options.scaling = ScalingMethod::none;
        options.deterministic = true;
        analysed_ = analyze(matrix_, options);
    }

    index_t order() const { return matrix_.rows(); }
    const AnalysisResult& analysed() const { return analysed_; }
    const SparseMatrix<T>& sound() const { return matrix_; }
    SparseMatrix<T> with(const std::vector<PlantedColumn>& columns) const {
        SparseMatrix<T> a = matrix_;
        for (const PlantedColumn& planted : columns) plant(a, planted);
        return a;
    }

    /// A column of the piece with a neighbour in a front above its own, the nearest one. None: no column has one.
    std::optional<PlantedColumn> column_in(const gpu::TreePiece& piece) const {
        const Analysis& analysis = *analysed_.analysis;
        std::vector<index_t> position(analysis.column_order.size());
        for (std::size_t k = 0; k < position.size(); ++k)
            position[static_cast<std::size_t>(analysis.column_order[k])] = static_cast<index_t>(k);
        for (index_t f = piece.last_front; f >= piece.first_front; --f) {
            const Front& front = analysis.tree.fronts[static_cast<std::size_t>(f)];
            const index_t end = front.first_column + front.npiv;
            if (front.npiv == 1) continue;  // it would go with its column
            for (index_t k = front.first_column; k < end; ++k) {
                const index_t column = analysis.column_order[static_cast<std::size_t>(k)];
                for (const index_t neighbour : neighbours_of(column))
                    if (const index_t row = position[static_cast<std::size_t>(neighbour)]; row >= end)
                        return PlantedColumn{column, neighbour, levels_between(f, row)};
            }
        }
        return std::nullopt;
    }

private:
    std::vector<index_t> neighbours_of(index_t column) const {
        std::vector<index_t> all;
        for_entries(matrix_, [&](index_t i, index_t j, const T&) {
            if ((i == column) != (j == column)) all.push_back(i == column ? j : i);
        });
        return all;
    }

    count_t levels_between(index_t front, index_t row) const {
        const AssemblyTree& tree = analysed_.analysis->tree;
        count_t levels = 0;
        for (; tree.fronts[static_cast<std::size_t>(front)].first_column +
                   tree.fronts[static_cast<std::size_t>(front)].npiv <=
               row;
             front = tree.fronts[static_cast<std::size_t>(front)].parent)
            ++levels;
        return levels;
    }

    /// It is coupled with its partner alone.
    static void plant(SparseMatrix<T>& a, const PlantedColumn& planted) {
        for_entries(a, [&](index_t i, index_t j, T& value) {
            if (i != planted.column && j != planted.column) return;
            const bool is_partner = i + j == planted.column + planted.partner && i != j;
            value = real_scalar<T>(is_partner ? 8 : 0);
        });
    }

    /// visit(row, column, value)
    template <class Matrix, class Visit>
    static void for_entries(Matrix& a, Visit visit) {
        for (index_t j = 0; j < a.cols(); ++j)
            for (count_t e = a.pattern.begin[static_cast<std::size_t>(j)];
                 e < a.pattern.begin[static_cast<std::size_t>(j) + 1]; ++e)
                visit(a.pattern.row[static_cast<std::size_t>(e)], j, a.value[static_cast<std::size_t>(e)]);
    }

    SparseMatrix<T> matrix_;
    AnalysisResult analysed_;
};

}  // namespace frond::test

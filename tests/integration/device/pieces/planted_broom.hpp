// SPDX-License-Identifier: BSD-3-Clause
// A tree of three levels of which any front can be given one pivot that fails there, by values alone: the analysis serves
// all of them.
#pragma once

#include "frond/gpu/resident_factorization.hpp"
#include "planted_trouble.hpp"
#include "trouble_systems.hpp"

#include <algorithm>
#include <vector>

namespace frond::test {

/// A column without a pivot in its front, the row of its only entry, in the root, and how many fronts it has to be
/// handed up.
struct PlantedColumn {
    index_t column = 0, partner = 0;
    count_t levels = 0;
};

template <class T>
class PlantedBroom {
public:
    PlantedBroom(const Broom& sizes, Factorization kind, Symmetry symmetry)
        : sizes_(sizes), matrix_(broom_matrix<T>(sizes, symmetry, 3)) {
        for (index_t j = 0; j < root(); ++j)
            if (is_tip(j)) set(matrix_, {j, partner_of_tip(j), 0}, 4, 1e-3);
        analysed_ = as_planted(matrix_, kind);
    }

    index_t order() const { return sizes_.order(); }
    const AnalysisResult& analysed() const { return analysed_; }
    const SparseMatrix<T>& sound() const { return matrix_; }
    SparseMatrix<T> with(const std::vector<PlantedColumn>& columns) const {
        SparseMatrix<T> a = matrix_;
        for (const PlantedColumn& planted : columns) {
            clear(a, planted.column);
            set(a, planted, 0, 8);
        }
        return a;
    }

    /// In some front of the piece.
    PlantedColumn column_in(const gpu::TreePiece& piece) const {
        const Analysis& analysis = *analysed_.analysis;
        const Front& last = analysis.tree.fronts[static_cast<std::size_t>(piece.last_front)];
        const auto begin = analysis.column_order.begin() +
                           analysis.tree.fronts[static_cast<std::size_t>(piece.first_front)].first_column;
        const auto end = analysis.column_order.begin() + last.first_column + last.npiv;
        // A leaf's, if there is one.
        const auto tip = std::find_if(begin, end, [this](index_t j) { return is_tip(j); });
        if (tip != end) return {*tip, partner_of_tip(*tip), 2};
        if (*begin < root()) return {*begin, root(), 1};
        return {root(), order() - 1, 0};  // in another diagonal block of 32 columns of the root
    }

private:
    index_t root() const { return order() - sizes_.root_columns(); }
    bool is_tip(index_t j) const {
        const index_t in_group = j % sizes_.group_columns();
        return j < root() && in_group < sizes_.leaves * sizes_.leaf_columns &&
               in_group % sizes_.leaf_columns < sizes_.tips;
    }
    index_t partner_of_tip(index_t j) const {
        const index_t in_group = j % sizes_.group_columns(), group = j / sizes_.group_columns();
        return root() + (group * sizes_.leaves + in_group / sizes_.leaf_columns) * sizes_.tips +
               in_group % sizes_.leaf_columns;
    }

    /// Row and column.
    static void clear(SparseMatrix<T>& a, index_t line) {
        for (index_t j = 0; j < a.cols(); ++j)
            for (count_t e = a.pattern.begin[static_cast<std::size_t>(j)];
                 e < a.pattern.begin[static_cast<std::size_t>(j) + 1]; ++e)
                if (j == line || a.pattern.row[static_cast<std::size_t>(e)] == line)
                    a.value[static_cast<std::size_t>(e)] = T(0);
    }
    static void set(SparseMatrix<T>& a, const PlantedColumn& planted, double diagonal, double far) {
        const auto entry = [&a](index_t i, index_t j) -> T& {
            const auto row = a.pattern.row.begin();
            const auto found = std::lower_bound(row + a.pattern.begin[static_cast<std::size_t>(j)],
                                                row + a.pattern.begin[static_cast<std::size_t>(j) + 1], i);
            return a.value[static_cast<std::size_t>(found - row)];
        };
        entry(planted.column, planted.column) = real_scalar<T>(diagonal);
        entry(planted.partner, planted.column) = real_scalar<T>(far);
        if (a.symmetry == Symmetry::general) entry(planted.column, planted.partner) = real_scalar<T>(far);
    }

    Broom sizes_;
    SparseMatrix<T> matrix_;
    AnalysisResult analysed_;
};

}  // namespace frond::test

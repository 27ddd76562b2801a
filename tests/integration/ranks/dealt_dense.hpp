// SPDX-License-Identifier: BSD-3-Clause
// A dense system that several ranks have parts of, in different ways.
#pragma once

#include "dealt_system.hpp"
#include "dense_systems.hpp"

#include <initializer_list>

namespace frond::test {

enum class Dealing { rank_0, last_rank, row_blocks, column_blocks, cyclic, rows_in_turn, columns_backwards, tiles };
/// All but the last, whose blocks are as large as tiles.
inline constexpr Dealing dealings[] = {Dealing::rank_0,           Dealing::last_rank, Dealing::row_blocks,
                                       Dealing::column_blocks,    Dealing::cyclic,    Dealing::rows_in_turn,
                                       Dealing::columns_backwards};

/// The block of this rank, with NaN where nobody may read.
template <class T>
struct DensePieces {
    std::vector<T> array;
    std::vector<index_t> row_map, column_map;
    DenseMatrixView<T> view;

    DensePieces(DenseSystem<T>& s, Dealing dealing, const SomeRanks& ranks, Triangle stored = Triangle::both) {
        view.order = s.n;
        view.symmetry = s.symmetry;
        view.stored = s.symmetry == Symmetry::general ? Triangle::both : stored;
        choose(dealing, ranks, s.n);
        const std::vector<index_t> rows = view.row_map      ? row_map
                                          : view.has_maps() ? every(s.n, 0, 1)
                                                            : by_layout(ranks, true);
        const std::vector<index_t> columns = view.column_map   ? column_map
                                             : view.has_maps() ? every(s.n, 0, 1)
                                                               : by_layout(ranks, false);
        view.ld = static_cast<count_t>(rows.size()) + 3;
        array.assign(static_cast<std::size_t>(view.ld) * columns.size(),
                     T(std::numeric_limits<real_t<T>>::quiet_NaN()));
        for (std::size_t j = 0; j < columns.size(); ++j)
            for (std::size_t i = 0; i < rows.size(); ++i) {
                const bool read = s.symmetry == Symmetry::general ||
                                  (view.reads_upper() ? rows[i] <= columns[j] : rows[i] >= columns[j]);
                if (read) array[i + j * static_cast<std::size_t>(view.ld)] = s(rows[i], columns[j]);
            }
        view.data = array.data();
    }
    DensePieces(const DensePieces&) = delete;
    DensePieces& operator=(const DensePieces&) = delete;

    static std::vector<index_t> every(index_t n, index_t first, index_t step) {
        std::vector<index_t> numbers;
        for (index_t i = first; i < n; i += step) numbers.push_back(i);
        return numbers;
    }

private:
    std::vector<index_t> by_layout(const SomeRanks& ranks, bool rows) const {
        return rows ? view.layout.rows_of(ranks.rank(), view.order) : view.layout.columns_of(ranks.rank(), view.order);
    }

    void choose(Dealing dealing, const SomeRanks& ranks, index_t n) {
        const index_t size = ranks.size(), share = (n + size - 1) / size;
        switch (dealing) {
            case Dealing::rank_0:
                break;
            case Dealing::last_rank:
                if (ranks.rank() == ranks.last()) row_map = every(n, 0, 1);
                view.row_map = row_map;
                break;
            case Dealing::row_blocks:
                view.layout = {share, 0, size, 1};
                break;
            case Dealing::column_blocks:
                view.layout = {0, share, 1, size};
                break;
            case Dealing::cyclic:  // with 3 and 5 ranks one has nothing
                view.layout = size >= 4 ? DenseLayout{16, 24, 2, 2} : DenseLayout{16, 24, 1, size};
                break;
            case Dealing::tiles:
                view.layout = size >= 4 ? DenseLayout{128, 128, 2, 2} : DenseLayout{128, 128, 1, size};
                break;
            case Dealing::rows_in_turn:
                row_map = every(n, ranks.rank(), size);
                view.row_map = row_map;
                break;
            case Dealing::columns_backwards:
                column_map = every(n, ranks.rank(), size);
                std::reverse(column_map.begin(), column_map.end());
                view.column_map = column_map;
                break;
        }
    }
};

/// All of X on all ranks, of B on rank 0.
template <class T>
SolveReport solve_whole(Solver<T>& solver, const SomeRanks& ranks, std::vector<T>& b, std::vector<T>& x, index_t n,
                        const SolveOptions& options = {}) {
    const index_t count = static_cast<index_t>(b.size()) / n;
    const SolveReport report =
        solver.solve(whole_on<const T>(ranks, 0, b, n, count), whole_on<T>(ranks, 0, x, n, count), options);
    broadcast_from(ranks, 0, x);
    return report;
}

}  // namespace frond::test

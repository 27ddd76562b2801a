// SPDX-License-Identifier: BSD-3-Clause
#include "select_rows.hpp"

#include "frond/base/instantiate.hpp"
#include "frond/base/large_vector.hpp"
#include "frond/codelets/object_data.hpp"
#include "frond/codelets/task_kind.hpp"
#include "frond/cpu/failed_columns.hpp"
#include "frond/cpu/pivot_record.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace frond {
namespace {

/// The rows that have won so far, as they are in A: pivots are searched in a copy.
template <class T>
class Tournament {
public:
    explicit Tournament(index_t columns) : n_(columns) {}

    /// The diagonal tile first, which has a row for each column. first: number of its first row.
    void add(DenseView<const T> tile, index_t first) {
        const index_t before = static_cast<index_t>(row_.size()), rows = before + tile.rows;
        std::vector<T> stacked(static_cast<std::size_t>(rows) * static_cast<std::size_t>(n_));
        for (index_t j = 0; j < n_; ++j) {
            T* const column = stacked.data() + static_cast<std::ptrdiff_t>(j) * rows;
            std::copy_n(winners_.data() + static_cast<std::ptrdiff_t>(j) * before, before, column);
            std::copy_n(tile.column(j), tile.rows, column + before);
        }
        for (index_t i = 0; i < tile.rows; ++i) row_.push_back(first + i);
        std::vector<T> spoilt = stacked;
        std::vector<index_t> swaps(static_cast<std::size_t>(n_)), order(static_cast<std::size_t>(rows));
        cpu::select_pivot_rows<T>({spoilt.data(), rows, n_, rows}, swaps.data());
        std::iota(order.begin(), order.end(), 0);
        for (index_t k = 0; k < n_; ++k)
            std::swap(order[static_cast<std::size_t>(k)],
                      order[static_cast<std::size_t>(swaps[static_cast<std::size_t>(k)])]);
        order.resize(static_cast<std::size_t>(n_));
        std::sort(order.begin(), order.end());
        take(stacked, rows, order);
    }

    const std::vector<index_t>& rows() const { return row_; }

private:
    void take(const std::vector<T>& stacked, index_t rows, const std::vector<index_t>& order) {
        std::vector<index_t> row;
        winners_.resize(order.size() * static_cast<std::size_t>(n_));
        for (const index_t k : order) row.push_back(row_[static_cast<std::size_t>(k)]);
        for (index_t j = 0; j < n_; ++j)
            for (std::size_t k = 0; k < order.size(); ++k)
                winners_[k + static_cast<std::size_t>(j) * order.size()] =
                    stacked[static_cast<std::size_t>(order[k]) +
                            static_cast<std::size_t>(j) * static_cast<std::size_t>(rows)];
        row_.swap(row);
    }

    index_t n_;
    std::vector<index_t> row_;
    std::vector<T> winners_;  // [rows, n], ld = rows
};

/// Winners from below take the positions of rows that have lost, both in ascending order.
cpu::RowExchanges exchanges_for(const std::vector<index_t>& winners, index_t begin, index_t end) {
    cpu::RowExchanges exchanges;
    std::vector<char> stays(static_cast<std::size_t>(end - begin), 0);
    for (const index_t row : winners)
        if (row < end) stays[static_cast<std::size_t>(row - begin)] = 1;
    index_t place = begin;
    for (const index_t row : winners) {
        if (row < end) continue;
        while (stays[static_cast<std::size_t>(place - begin)] != 0) ++place;
        exchanges.list.push_back({place++, row});
    }
    return exchanges;
}

template <class T>
void select_on_core(void* buffers[], void* raw) noexcept {
    run_task<SelectRowsArguments>(raw, [&](const SelectRowsArguments& a) {
        const std::vector<index_t>& cut = a.grid->cut;
        const auto at = [&cut](index_t t) { return cut[static_cast<std::size_t>(t)]; };
        Tournament<T> tournament(a.grid->size(a.panel));
        for (index_t t = a.panel; t < a.grid->tiles(); ++t)
            tournament.add(as_const(matrix_buffer<T>(buffers, 1 + t - a.panel)), at(t));
        object_buffer<cpu::RowExchanges>(buffers, 0) = exchanges_for(tournament.rows(), at(a.panel), at(a.panel + 1));
    });
}

}  // namespace

FROND_DEFINE_CODELETS(select_rows_codelet, "select_rows", 0xF4A261, TaskModel::Work::flops, relative_speed<T>,
                      select_on_core<T>)

namespace {

template <class T>
void exchange_tiles(const ExchangeRowsArguments& a, const cpu::RowExchanges& exchanges, void* buffers[]) {
    const std::vector<index_t>& cut = a.grid->cut;
    const DenseView<T> above = matrix_buffer<T>(buffers, 1);
    const index_t first = cut[static_cast<std::size_t>(a.panel)];
    for (const cpu::RowExchange& e : exchanges.list) {
        const auto tile = static_cast<index_t>(std::upper_bound(cut.begin(), cut.end(), e.lower) - cut.begin()) - 1;
        const DenseView<T> below = matrix_buffer<T>(buffers, 1 + tile - a.panel);
        const index_t row = e.lower - cut[static_cast<std::size_t>(tile)];
        for (index_t j = 0; j < above.cols; ++j) std::swap(above(e.upper - first, j), below(row, j));
    }
}

template <class T>
void exchange_failed(const cpu::RowExchanges& exchanges, cpu::FailedColumns<T>& failed) {
    const DenseView<T> columns = failed.own_columns_view();
    for (const cpu::RowExchange& e : exchanges.list)
        for (index_t j = 0; j < columns.cols; ++j) std::swap(columns(e.upper, j), columns(e.lower, j));
}

template <class T>
void exchange_on_core(void* buffers[], void* raw) noexcept {
    run_task<ExchangeRowsArguments>(raw, [&](const ExchangeRowsArguments& a) {
        const auto& exchanges = object_buffer<const cpu::RowExchanges>(buffers, 0);
        if (a.failed)
            exchange_failed<T>(exchanges, object_buffer<cpu::FailedColumns<T>>(buffers, 1));
        else
            exchange_tiles<T>(a, exchanges, buffers);
    });
}

}  // namespace

FROND_DEFINE_CODELETS(exchange_rows_codelet, "exchange_rows", 0xE76F51, TaskModel::Work::bytes, relative_speed<T>,
                      exchange_on_core<T>)

}  // namespace frond

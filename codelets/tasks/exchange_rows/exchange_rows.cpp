// SPDX-License-Identifier: BSD-3-Clause
#include "exchange_rows.hpp"

#include <algorithm>
#include <utility>

#include "frond/base/instantiate.hpp"
#include "frond/codelets/object_data.hpp"
#include "frond/codelets/task_kind.hpp"
#include "frond/cpu/failed_columns.hpp"
#include "frond/cpu/pivot_record.hpp"

namespace frond {
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

// SPDX-License-Identifier: BSD-3-Clause
#include "solve/system_by_rows.hpp"

#include "frond/base/instantiate.hpp"

namespace frond::detail {
namespace {

std::size_t at(count_t i) { return static_cast<std::size_t>(i); }

std::vector<index_t> positions(const std::vector<index_t>& order) {
    std::vector<index_t> position(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) position[at(order[k])] = static_cast<index_t>(k);
    return position;
}

template <class R>
std::vector<R> reordered(const std::vector<R>& by_number, const std::vector<index_t>& order) {
    std::vector<R> by_position;
    by_position.reserve(by_number.size());
    for (std::size_t k = 0; k < by_number.size(); ++k) by_position.push_back(by_number[at(order[k])]);
    return by_position;
}

template <class T>
T mirrored(Symmetry symmetry, T value) {
    if (symmetry == Symmetry::hermitian) return conjugate(value);
    return symmetry == Symmetry::skew_symmetric ? -value : value;
}

/// visit(row position, column position, value) for every entry of both triangles.
template <class T, class Visit>
void for_each_entry(const SparseMatrix<T>& a, const std::vector<index_t>& row, const std::vector<index_t>& column,
                    Visit visit) {
    for (index_t j = 0; j < a.cols(); ++j)
        for (count_t e = a.pattern.begin[at(j)]; e < a.pattern.begin[at(j) + 1]; ++e) {
            const index_t i = a.pattern.row[at(e)];
            visit(row[at(i)], column[at(j)], a.value[at(e)]);
            if (a.symmetry != Symmetry::general && i != j)
                visit(row[at(j)], column[at(i)], mirrored(a.symmetry, a.value[at(e)]));
        }
}

}  // namespace

template <class T>
gpu::SystemByRows<T> system_by_rows(const FactorsState<T>& state) {
    const SparseMatrix<T>& a = *state.matrix;
    const Analysis& analysis = *state.analysis;
    const LinearSystem<T>& system = state.system(Operation::none);
    const std::vector<index_t> row = positions(analysis.row_order), column = positions(analysis.column_order);
    gpu::SystemByRows<T> by_rows;
    by_rows.row_begin.assign(at(analysis.order) + 1, 0);
    for_each_entry(a, row, column, [&](index_t i, index_t, T) { ++by_rows.row_begin[at(i) + 1]; });
    for (index_t i = 0; i < analysis.order; ++i) by_rows.row_begin[at(i) + 1] += by_rows.row_begin[at(i)];
    by_rows.column.resize(at(by_rows.row_begin.back()));
    by_rows.value.resize(by_rows.column.size());
    std::vector<count_t> next(by_rows.row_begin.begin(), by_rows.row_begin.end() - 1);
    for_each_entry(a, row, column, [&](index_t i, index_t j, T value) {
        const std::size_t e = at(next[at(i)]++);
        by_rows.column[e] = j;
        by_rows.value[e] = value;
    });
    by_rows.row_sum = reordered(system.row_sums(), analysis.row_order);
    by_rows.scaled_row_sum = reordered(system.scaled_row_sums(), analysis.row_order);
    by_rows.inverse_solution_scale = reordered(system.inverse_solution_scale(), analysis.column_order);
    by_rows.row_scale = reordered(state.scaling.row, analysis.row_order);
    by_rows.column_scale = reordered(state.scaling.column, analysis.column_order);
    by_rows.tiny = system.tiny();
    return by_rows;
}

#define FROND_INSTANTIATE(T) template gpu::SystemByRows<T> system_by_rows<T>(const FactorsState<T>&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

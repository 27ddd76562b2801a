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

/// visit(row position, column position, entry, or ~entry of the mirrored one) for both triangles.
template <class Visit>
void for_each_entry(const Pattern& a, bool both, const std::vector<index_t>& row, const std::vector<index_t>& column,
                    Visit visit) {
    for (index_t j = 0; j < a.cols; ++j)
        for (count_t e = a.begin[at(j)]; e < a.begin[at(j) + 1]; ++e) {
            const index_t i = a.row[at(e)];
            visit(row[at(i)], column[at(j)], e);
            if (both && i != j) visit(row[at(j)], column[at(i)], ~e);
        }
}

}  // namespace

std::shared_ptr<const gpu::SystemPattern> system_pattern(const Pattern& a, Symmetry symmetry, const Analysis& analysis) {
    const std::vector<index_t> row = positions(analysis.row_order), column = positions(analysis.column_order);
    const bool both = symmetry != Symmetry::general;
    auto p = std::make_shared<gpu::SystemPattern>();
    p->row_begin.assign(at(analysis.order) + 1, 0);
    for_each_entry(a, both, row, column, [&](index_t i, index_t, count_t) { ++p->row_begin[at(i) + 1]; });
    for (index_t i = 0; i < analysis.order; ++i) p->row_begin[at(i) + 1] += p->row_begin[at(i)];
    p->column.resize(at(p->row_begin.back()));
    p->source.resize(p->column.size());
    std::vector<count_t> next(p->row_begin.begin(), p->row_begin.end() - 1);
    for_each_entry(a, both, row, column, [&](index_t i, index_t j, count_t source) {
        const std::size_t e = at(next[at(i)]++);
        p->column[e] = j;
        p->source[e] = source;
    });
    return p;
}

template <class T>
gpu::SystemByRows<T> system_by_rows(const FactorsState<T>& state, std::shared_ptr<const gpu::SystemPattern> pattern) {
    const Analysis& analysis = *state.analysis;
    const LinearSystem<T>& system = state.system(Operation::none);
    gpu::SystemByRows<T> by_rows;
    by_rows.pattern = std::move(pattern);
    by_rows.value = &state.matrix->value;
    by_rows.conjugate_mirrored = state.matrix->symmetry == Symmetry::hermitian;
    by_rows.row_sum = reordered(system.row_sums(), analysis.row_order);
    by_rows.scaled_row_sum = reordered(system.scaled_row_sums(), analysis.row_order);
    by_rows.inverse_solution_scale = reordered(system.inverse_solution_scale(), analysis.column_order);
    by_rows.row_scale = reordered(state.scaling.row, analysis.row_order);
    by_rows.column_scale = reordered(state.scaling.column, analysis.column_order);
    by_rows.tiny = system.tiny();
    return by_rows;
}

#define FROND_INSTANTIATE(T)                                                   \
    template gpu::SystemByRows<T> system_by_rows<T>(const FactorsState<T>&,               \
                                                    std::shared_ptr<const gpu::SystemPattern>);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

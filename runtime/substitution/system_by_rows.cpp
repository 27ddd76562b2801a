// SPDX-License-Identifier: BSD-3-Clause
#include "substitution/system_by_rows.hpp"

#include <algorithm>

#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"

namespace frond::detail {
namespace {

std::vector<index_t> positions(const std::vector<index_t>& order) {
    std::vector<index_t> position(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) position[at(order[k])] = static_cast<index_t>(k);
    return position;
}

/// value(scale) in elimination order.
template <class Value>
std::vector<double> reordered(const std::vector<double>& scale, const std::vector<index_t>& order,
                              const ParallelFor& parallel_for, Value value) {
    constexpr count_t of_chunk = 1 << 15;
    const auto n = static_cast<count_t>(scale.size());
    std::vector<double> by_position(scale.size());
    if (n == 0) return by_position;
    parallel_for((n + of_chunk - 1) / of_chunk, [&](count_t chunk) {
        for (count_t k = chunk * of_chunk, end = std::min(n, k + of_chunk); k < end; ++k)
            by_position[at(k)] = value(scale[at(order[at(k)])]);
    });
    return by_position;
}

/// The entries of a matrix, in the elimination order of its rows and columns.
struct OrderedEntries {
    const Pattern& a;
    bool both_triangles, transposed;
    std::vector<index_t> row, column;

    /// visit(row position, column position, entry, or ~entry of the mirrored one) for both triangles.
    template <class Visit>
    void for_each(Visit visit) const {
        const auto pass_on = [&](index_t i, index_t j, count_t e) {
            const index_t r = row[at(i)], c = column[at(j)];
            transposed ? visit(c, r, e) : visit(r, c, e);
        };
        for (index_t j = 0; j < a.cols; ++j)
            for (count_t e = a.begin[at(j)]; e < a.begin[at(j) + 1]; ++e) {
                const index_t i = a.row[at(e)];
                pass_on(i, j, e);
                if (both_triangles && i != j) pass_on(j, i, ~e);
            }
    }
};

}  // namespace

std::shared_ptr<const gpu::SystemPattern> system_pattern(const Pattern& a, Symmetry symmetry, const Analysis& analysis,
                                                         bool transposed) {
    const OrderedEntries entries{a, symmetry != Symmetry::general, transposed, positions(analysis.row_order),
                                 positions(analysis.column_order)};
    auto p = std::make_shared<gpu::SystemPattern>();
    p->row_begin.assign(at(analysis.order) + 1, 0);
    entries.for_each([&](index_t i, index_t, count_t) { ++p->row_begin[at(i) + 1]; });
    for (index_t i = 0; i < analysis.order; ++i) p->row_begin[at(i) + 1] += p->row_begin[at(i)];
    p->column.resize(at(p->row_begin.back()));
    p->source.resize(p->column.size());
    std::vector<count_t> next(p->row_begin.begin(), p->row_begin.end() - 1);
    entries.for_each([&](index_t i, index_t j, count_t source) {
        const std::size_t e = at(next[at(i)]++);
        p->column[e] = j;
        p->source[e] = source;
    });
    return p;
}

template <class T>
gpu::SystemByRows<T> system_by_rows(const FactorsState<T>& state, Operation op,
                                    std::shared_ptr<const gpu::SystemPattern> pattern,
                                    const ParallelFor& parallel_for) {
    const Analysis& analysis = *state.analysis;
    const bool plain = op == Operation::none;
    const Scaling& scaling = *state.scaling;
    gpu::SystemByRows<T> by_rows;
    by_rows.pattern = std::move(pattern);
    by_rows.value = &state.matrix->value;
    by_rows.conjugate_mirrored = state.matrix->symmetry == Symmetry::hermitian;
    by_rows.conjugate_all = op == Operation::adjoint;
    by_rows.row_order = plain ? &analysis.row_order : &analysis.column_order;
    by_rows.column_order = plain ? &analysis.column_order : &analysis.row_order;
    const auto in_order = [&](const std::vector<double>& scale, const std::vector<index_t>& order) {
        return reordered(scale, order, parallel_for, [](double s) { return s; });
    };
    by_rows.inverse_solution_scale =
        reordered(state.solution_scale(op), *by_rows.column_order, parallel_for, [](double s) { return 1 / s; });
    by_rows.row_scale = in_order(plain ? scaling.row : scaling.column, *by_rows.row_order);
    by_rows.column_scale = in_order(plain ? scaling.column : scaling.row, *by_rows.column_order);
    by_rows.tiny = tiny_share<T>(analysis.order);
    return by_rows;
}

#define FROND_INSTANTIATE(T)                                                           \
    template gpu::SystemByRows<T> system_by_rows<T>(const FactorsState<T>&, Operation, \
                                                    std::shared_ptr<const gpu::SystemPattern>, const ParallelFor&);
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail

// SPDX-License-Identifier: BSD-3-Clause
#include "substitution/system_by_rows.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

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

    /// visit(row position, column position, entry, or ~entry of the mirrored one) for both triangles of these columns.
    template <class Visit>
    void for_each(index_t first_column, index_t last_column, Visit visit) const {
        const auto pass_on = [&](index_t i, index_t j, count_t e) {
            const index_t r = row[at(i)], c = column[at(j)];
            transposed ? visit(c, r, e) : visit(r, c, e);
        };
        for (index_t j = first_column; j < last_column; ++j)
            for (count_t e = a.begin[at(j)]; e < a.begin[at(j) + 1]; ++e) {
                const index_t i = a.row[at(e)];
                pass_on(i, j, e);
                if (both_triangles && i != j) pass_on(j, i, ~e);
            }
    }
};

/// Columns in chunks of about as many entries each. Every chunk counts the entries that it has in each row; so it knows
/// where they go, behind those of the chunks before: rows have the order of one pass over all columns.
class PatternByRows {
public:
    PatternByRows(const OrderedEntries& entries, const ParallelFor& parallel_for)
        : entries_(entries), parallel_for_(parallel_for), rows_(static_cast<count_t>(entries.row.size())) {
        const std::vector<count_t>& begin = entries.a.begin;
        const count_t all = entries.a.entries(), chunks = std::clamp<count_t>(all / least_entries, 1, most_chunks);
        for (count_t c = 0; c <= chunks; ++c)
            first_column_.push_back(static_cast<index_t>(
                std::lower_bound(begin.begin(), begin.end() - 1, all * c / chunks) - begin.begin()));
        first_column_.back() = entries.a.cols;
        before_.resize(at(chunks));
    }

    std::shared_ptr<const gpu::SystemPattern> made() {
        pattern_->row_begin.assign(at(rows_) + 1, 0);
        parallel_for_(chunks(), [this](count_t c) { count(c); });
        const count_t row_chunks = (rows_ + rows_of_chunk - 1) / rows_of_chunk;
        if (row_chunks > 0) parallel_for_(row_chunks, [this](count_t c) { add_up(c); });
        std::partial_sum(pattern_->row_begin.begin(), pattern_->row_begin.end(), pattern_->row_begin.begin());
        pattern_->column.resize(at(pattern_->row_begin.back()));
        pattern_->source.resize(pattern_->column.size());
        parallel_for_(chunks(), [this](count_t c) { fill(c); });
        return pattern_;
    }

private:
    static constexpr count_t least_entries = 1 << 16, most_chunks = 8, rows_of_chunk = 1 << 15;

    count_t chunks() const { return static_cast<count_t>(before_.size()); }
    template <class Visit>
    void for_each_of(count_t chunk, Visit visit) const {
        entries_.for_each(first_column_[at(chunk)], first_column_[at(chunk) + 1], visit);
    }
    void count(count_t chunk) {
        std::vector<index_t>& of_row = before_[at(chunk)];
        of_row.assign(at(rows_), 0);
        for_each_of(chunk, [&](index_t i, index_t, count_t) { ++of_row[at(i)]; });
    }
    /// From then on before_ are entries of the row in earlier chunks.
    void add_up(count_t chunk) {
        for (count_t i = chunk * rows_of_chunk, end = std::min(rows_, i + rows_of_chunk); i < end; ++i) {
            index_t before = 0;
            for (std::vector<index_t>& of_row : before_) before += std::exchange(of_row[at(i)], before);
            pattern_->row_begin[at(i) + 1] = before;
        }
    }
    void fill(count_t chunk) {
        std::vector<index_t>& before = before_[at(chunk)];
        for_each_of(chunk, [&](index_t i, index_t j, count_t source) {
            const std::size_t e = at(pattern_->row_begin[at(i)] + before[at(i)]++);
            pattern_->column[e] = j;
            pattern_->source[e] = source;
        });
    }

    const OrderedEntries& entries_;
    const ParallelFor& parallel_for_;
    count_t rows_;
    std::vector<index_t> first_column_;  // [chunks + 1]
    std::vector<std::vector<index_t>> before_;  // [chunks][rows]
    std::shared_ptr<gpu::SystemPattern> pattern_ = std::make_shared<gpu::SystemPattern>();
};

}  // namespace

std::shared_ptr<const gpu::SystemPattern> system_pattern(const Pattern& a, Symmetry symmetry, const Analysis& analysis,
                                                         bool transposed, const ParallelFor& parallel_for) {
    const OrderedEntries entries{a, symmetry != Symmetry::general, transposed, positions(analysis.row_order),
                                 positions(analysis.column_order)};
    return PatternByRows(entries, parallel_for).made();
}

template <class T>
gpu::SystemByRows<T> system_by_rows(const FactorsState<T>& state, Operation op,
                                    std::shared_ptr<const gpu::SystemPattern> pattern,
                                    const ParallelFor& parallel_for) {
    const Analysis& analysis = *state.analysis;
    const bool plain = op == Operation::none;
    const Scaling& scaling = *state.system.scaling;
    gpu::SystemByRows<T> by_rows;
    by_rows.pattern = std::move(pattern);
    by_rows.value = &state.system.matrix->value;
    by_rows.conjugate_mirrored = state.system.matrix->symmetry == Symmetry::hermitian;
    by_rows.conjugate_all = op == Operation::adjoint;
    by_rows.row_order = plain ? &analysis.row_order : &analysis.column_order;
    by_rows.column_order = plain ? &analysis.column_order : &analysis.row_order;
    const auto in_order = [&](const std::vector<double>& scale, const std::vector<index_t>& order) {
        return reordered(scale, order, parallel_for, [](double s) { return s; });
    };
    by_rows.inverse_solution_scale =
        reordered(state.system.solution_scale(op), *by_rows.column_order, parallel_for, [](double s) { return 1 / s; });
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

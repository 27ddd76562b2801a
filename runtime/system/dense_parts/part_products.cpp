// SPDX-License-Identifier: BSD-3-Clause
#include "system/dense_parts/part_products.hpp"

#include "system/dense_parts/ordered_product.hpp"
#include "system/dense_parts/sum_plan.hpp"
#include "frond/base/for_ranges.hpp"
#include "frond/base/instantiate.hpp"
#include "frond/base/vector_index.hpp"
#include "ranks/parcels.hpp"

namespace frond::detail {
namespace {

/// The size of a block of op(A) that is copied at one time: it stays in the second cache.
constexpr index_t block_rows = 256, block_columns = 96;

/// The list of this rank that rows of op(A) are in.
const std::vector<index_t>& list_of(const DenseParts::Part& part, bool columns) {
    return columns ? part.column : part.row;
}

count_t entries_of(const std::vector<std::vector<index_t>>& lists) {
    count_t entries = 0;
    for (const auto& list : lists) entries += static_cast<count_t>(list.size());
    return entries;
}

std::vector<count_t> begin_of_lists(const std::vector<std::vector<index_t>>& lists) {
    std::vector<count_t> sizes;
    for (const auto& list : lists) sizes.push_back(static_cast<count_t>(list.size()));
    return begin_of_sizes(sizes);
}

}  // namespace

template <class T>
std::vector<typename PartProducts<T>::Pass> PartProducts<T>::passes_of(Operation op) const {
    const DenseParts& parts = a_.all();
    if (!parts.has_one_triangle()) return {{Pass::Of::all, op != Operation::none, op == Operation::adjoint}};
    const bool hermitian = parts.symmetry == Symmetry::hermitian;
    const bool conjugates = op == (hermitian ? Operation::transpose : Operation::adjoint);
    const bool of_other_side = conjugates != hermitian;
    if (parts.upper)
        return {{Pass::Of::up_to_diagonal, true, of_other_side}, {Pass::Of::beyond_diagonal, false, conjugates}};
    return {{Pass::Of::up_to_diagonal, false, conjugates}, {Pass::Of::beyond_diagonal, true, of_other_side}};
}

template <class T>
const SumPlan& PartProducts<T>::plan(bool turned) {
    std::shared_ptr<const SumPlan>& known = plans_[turned ? 1 : 0];
    if (known == nullptr) known = std::make_shared<const SumPlan>(a_.all(), a_.rank(), turned);
    return *known;
}

template <class T>
ProductSums<T> PartProducts<T>::apply(Operation op, DenseView<const T> x) {
    ProductSums<T> sums;
    collectively(ranks_, [&] {
        for (const Pass& pass : passes_of(op)) plan(pass.turned);
        sums.product.assign(at(x.rows) * at(x.cols), T(0));
        sums.sizes.assign(sums.product.size(), 0);
    });
    bool begins = true;
    for (const Pass& pass : passes_of(op)) add(pass, x, sums, std::exchange(begins, false));
    return sums;
}

/// begins: the sums are zeros; else rank 0 has what was summed up to now.
template <class T>
void PartProducts<T>::add(const Pass& pass, DenseView<const T> x, ProductSums<T>& sums, bool begins) {
    const SumPlan& p = plan(pass.turned);
    const auto ranks = at(ranks_.size()), mine = at(a_.rank());
    if (p.segments() == 0) return;
    const auto rows_with = [&](index_t segment, bool of_all) {  // between rank 0 and who has the segment
        Lists lists(ranks);
        for (std::size_t r = 0; r < ranks; ++r)
            if (p.has[r][at(segment)] && (of_all || r == mine))
                lists[of_all ? r : 0] = list_of(a_.all().part[r], pass.turned);
        return lists;
    };
    const auto at_rank_0 = [&](index_t segment) { return mine == 0 ? rows_with(segment, true) : Lists(ranks); };
    const auto from_rank_0 = [&](index_t segment) { return rows_with(segment, false); };
    if (!begins) exchange_sums([&] { return Moved{at_rank_0(0), from_rank_0(0)}; }, x.cols, sums);
    for (index_t step = 0; step < p.steps(); ++step) {
        collectively(ranks_, [&] {
            for (index_t g = 0; g < p.groups(); ++g) {
                const index_t s = step - g;
                if (s >= 0 && s < p.segments() && p.has[mine][at(s)])
                    add_group(pass, p.rows_of(g), p.columns_of(s), x, sums);
            }
        });
        if (p.segments() > 1)
            exchange_sums([&] { return Moved{p.sent_after(step), p.received_after(step)}; }, x.cols, sums);
    }
    const index_t last = p.segments() - 1;
    exchange_sums([&] { return Moved{from_rank_0(last), at_rank_0(last)}; }, x.cols, sums);
}

template <class T>
void PartProducts<T>::exchange_sums(const std::function<Moved()>& rows, index_t columns, ProductSums<T>& sums) {
    const count_t n = a_.all().order;
    Moved moved;
    std::vector<T> sent, received;
    std::vector<real_t<T>> sent_sizes, received_sizes;
    collectively(ranks_, [&] {
        moved = rows();
        sent.reserve(at(entries_of(moved.out)) * at(columns));
        sent_sizes.reserve(sent.capacity());
        received.resize(at(entries_of(moved.in)) * at(columns));
        received_sizes.resize(received.size());
    });
    const auto& [out, in] = moved;
    for (const auto& list : out)
        for (index_t k = 0; k < columns; ++k)
            for (const index_t row : list) {
                sent.push_back(sums.product[at(row + k * n)]);
                sent_sizes.push_back(sums.sizes[at(row + k * n)]);
            }
    const std::vector<count_t> out_begin = begin_of_lists(out), in_begin = begin_of_lists(in);
    exchange_parcels<T>(ranks_, sent, out_begin, received, in_begin, columns);
    exchange_parcels<real_t<T>>(ranks_, sent_sizes, out_begin, received_sizes, in_begin, columns);
    std::size_t next = 0;
    for (const auto& list : in)
        for (index_t k = 0; k < columns; ++k)
            for (const index_t row : list) {
                sums.product[at(row + k * n)] = received[next];
                sums.sizes[at(row + k * n)] = received_sizes[next++];
            }
}

/// Adds the products of this rank's entries in these rows and columns of op(A), in chunks of rows for its workers.
template <class T>
void PartProducts<T>::add_group(const Pass& pass, IndexRange rows, IndexRange columns, DenseView<const T> x,
                                ProductSums<T>& sums) const {
    const std::vector<index_t>& row = list_of(a_.mine(), pass.turned);
    const IndexRange all_rows = places_of(row, rows);
    const IndexRange all_columns = places_of(list_of(a_.mine(), !pass.turned), columns);
    const count_t n = a_.all().order;
    const auto add_chunk = [&](count_t, count_t first, count_t end) {
        const IndexRange some{static_cast<index_t>(all_rows.begin + first), static_cast<index_t>(all_rows.begin + end)};
        const index_t m = some.size();
        std::vector<T> s(at(m) * at(x.cols));
        std::vector<real_t<T>> w(s.size());
        const auto move = [&](bool back) {
            for (index_t k = 0; k < x.cols; ++k)
                for (index_t i = 0; i < m; ++i) {
                    const std::size_t whole = at(row[at(some.begin + i)] + k * n), part = at(i) + at(k) * at(m);
                    (back ? sums.product[whole] : s[part]) = back ? s[part] : sums.product[whole];
                    (back ? sums.sizes[whole] : w[part]) = back ? w[part] : sums.sizes[whole];
                }
        };
        move(false);
        for (index_t j = all_columns.begin; j < all_columns.end; j += block_columns) {
            const IndexRange part{j, std::min(all_columns.end, j + block_columns)};
            const index_t first_column = list_of(a_.mine(), !pass.turned)[at(part.begin)];  // a segment has no gaps
            const index_t last_column = first_column + part.size() - 1;
            if (pass.of == Pass::Of::up_to_diagonal && first_column > row[at(some.end - 1)]) continue;
            if (pass.of == Pass::Of::beyond_diagonal && last_column <= row[at(some.begin)]) continue;
            const std::vector<T> block = load_block(pass, some, part);
            add_ordered_product<T>({block.data(), m, part.size(), std::max(m, 1)},
                                   x.block(first_column, 0, part.size(), x.cols), {s.data(), m, x.cols, std::max(m, 1)},
                                   {w.data(), m, x.cols, std::max(m, 1)});
        }
        move(true);
    };
    if (all_columns.size() > 0) for_ranges(all_rows.size(), block_rows, parallel_for_, add_chunk);
}

/// rows and columns: positions in the lists of op(A). What the pass has nothing to do with is 0.
template <class T>
std::vector<T> PartProducts<T>::load_block(const Pass& pass, IndexRange rows, IndexRange columns) const {
    const DenseParts::Part& mine = a_.mine();
    const bool hermitian = a_.all().symmetry == Symmetry::hermitian;
    std::vector<T> block(at(rows.size()) * at(columns.size()), T(0));
    const auto put = [&](index_t p, index_t q, T value) {  // of A
        const index_t i = pass.turned ? q : p, j = pass.turned ? p : q;  // of op(A)
        const index_t row = list_of(mine, pass.turned)[at(i)], column = list_of(mine, !pass.turned)[at(j)];
        if (pass.of == Pass::Of::up_to_diagonal && column > row) return;
        if (pass.of == Pass::Of::beyond_diagonal && column <= row) return;
        if (pass.conjugates) value = conjugate(value);
        if (hermitian && row == column) value = T(real_part(value));
        block[at(i - rows.begin) + at(j - columns.begin) * at(rows.size())] = value;
    };
    const IndexRange of_rows = pass.turned ? columns : rows, of_columns = pass.turned ? rows : columns;
    for (index_t q = of_columns.begin; q < of_columns.end; ++q)
        for (index_t p = of_rows.begin; p < of_rows.end; ++p) put(p, q, a_.entry(p, q));
    return block;
}

#define FROND_INSTANTIATE(T) template class PartProducts<T>;
FROND_FOR_EACH_SCALAR(FROND_INSTANTIATE)

}  // namespace frond::detail
